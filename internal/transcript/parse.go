package transcript

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
)

// story is one parsed file.
type story struct {
	file     string
	lines    []string          // lines of the whole file, for reports
	sections map[string]string // without the story itself
	order    []string          // the sections' names as they came
	steps    []step
}

// step is one statement of a story. Exactly one of its pointers is set.
type step struct {
	line     int // 1-based
	last     int // its last line
	request  *requestStep
	response *responseStep
	command  string // any other statement, as written
}

// requestStep is a request as written: placeholders are not yet replaced.
type requestStep struct {
	admin   bool
	raw     []string // lines after >>, nil for an ordinary request
	start   string   // METHOD TARGET
	headers []string
	flags   []string // directives without their @
	body    []string
	hasBody bool
}

// responseStep is a run of lines that begin with <.
type responseStep struct {
	checks []check
	open   bool // holds a "reads": the body is not read to its end
}

// check is one line of a response, or of several for an exact body.
type check struct {
	line  int
	text  string
	exact []bodyLine // after "body:"
}

// bodyLine is one line of an exact body.
type bodyLine struct {
	line   int
	text   string
	regexp bool
}

var sectionLine = regexp.MustCompile(`^-- (\S+) --$`)

func load(file string) (*story, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return parse(file, data)
}

func parse(file string, data []byte) (*story, error) {
	s := &story{file: file, sections: map[string]string{}}
	s.lines = strings.Split(string(bytes.TrimSuffix(data, []byte("\n"))), "\n")
	name, from, title, hasStory := "", 0, false, false
	finish := func(to int) error {
		switch {
		case name == "story":
			return s.parseStory(from, to)
		case name != "":
			s.sections[name] = strings.Join(s.lines[from:to], "\n") + "\n"
			s.order = append(s.order, name)
		}
		return nil
	}
	for i, line := range s.lines {
		m := sectionLine.FindStringSubmatch(line)
		if m == nil {
			title = title || name == "" && strings.HasPrefix(line, "# ")
			if name == "" && line != "" && !strings.HasPrefix(line, "#") {
				return nil, s.errorf(i+1, "expected a comment or a section such as -- story --")
			}
			continue
		}
		if err := finish(i); err != nil {
			return nil, err
		}
		name, from = m[1], i+1
		hasStory = hasStory || name == "story"
	}
	if err := finish(len(s.lines)); err != nil {
		return nil, err
	}
	switch {
	case !title:
		return nil, s.errorf(1, "a story begins with a comment that says what it proves")
	case !hasStory:
		return nil, s.errorf(len(s.lines), "the section -- story -- is missing")
	}
	return s, nil
}

func (s *story) errorf(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", s.file, line, fmt.Sprintf(format, args...))
}

// parseStory reads the statements of the lines [from, to).
func (s *story) parseStory(from, to int) error {
	for i := from; i < to; {
		line := s.lines[i]
		var n int
		var err error
		switch {
		case strings.TrimSpace(line) == "", strings.HasPrefix(line, "#"):
			i++
			continue
		case strings.HasPrefix(line, ">"):
			n, err = s.parseRequest(i, to)
		case strings.HasPrefix(line, "<"):
			n, err = s.parseResponse(i, to)
		default:
			n = 1
			s.steps = append(s.steps, step{line: i + 1, last: i + 1, command: strings.TrimSpace(line)})
		}
		if err != nil {
			return err
		}
		i += n
	}
	return nil
}

// parseRequest reads one request that begins at line index i and returns how many lines it has.
func (s *story) parseRequest(i, to int) (int, error) {
	r := &requestStep{}
	st := step{line: i + 1, request: r}
	n := 0
	for ; i+n < to && strings.HasPrefix(s.lines[i+n], ">"); n++ {
		line := s.lines[i+n]
		if raw, ok := strings.CutPrefix(line, ">>"); ok {
			if n > 0 && r.raw == nil {
				return 0, s.errorf(i+n+1, "a raw line inside a request: leave an empty line between them")
			}
			r.raw = append(r.raw, strings.TrimPrefix(raw, " "))
			continue
		}
		if r.raw != nil {
			return 0, s.errorf(i+n+1, "a request right after raw lines: leave an empty line between them")
		}
		text := strings.TrimPrefix(strings.TrimPrefix(line, ">"), " ")
		if err := r.add(n, text); err != nil {
			return 0, s.errorf(i+n+1, "%v", err)
		}
	}
	st.last = i + n
	s.steps = append(s.steps, st)
	return n, nil
}

// add takes the request's line number n.
func (r *requestStep) add(n int, text string) error {
	switch {
	case n == 0:
		r.start, r.admin = strings.CutPrefix(text, "admin ")
		if len(strings.Fields(r.start)) != 2 {
			return fmt.Errorf("a request begins with METHOD TARGET, not %q", text)
		}
	case r.hasBody:
		r.body = append(r.body, text)
	case text == "":
		r.hasBody = true
	case strings.HasPrefix(text, "@"):
		flag := strings.TrimPrefix(text, "@")
		switch name, _, _ := strings.Cut(flag, " "); name {
		case "gzip", "chunked", "base64", "reuse", "times":
			r.flags = append(r.flags, flag)
		default:
			return fmt.Errorf("unknown directive @%s; known are @gzip, @chunked, @base64, @reuse, @times", name)
		}
	case strings.Contains(text, ":"):
		r.headers = append(r.headers, text)
	default:
		return fmt.Errorf("%q is not a header; is the empty line before the body missing?", text)
	}
	return nil
}

// parseResponse reads the lines about a response from line index i on and returns how many there are.
func (s *story) parseResponse(i, to int) (int, error) {
	r := &responseStep{}
	st := step{line: i + 1, response: r}
	n := 0
	for ; i+n < to && strings.HasPrefix(s.lines[i+n], "<"); n++ {
		line := s.lines[i+n]
		kind, text := line[:min(2, len(line))], ""
		if len(line) > 2 {
			text = line[2:]
		}
		switch kind {
		case "<|", "<~":
			if len(r.checks) == 0 || r.checks[len(r.checks)-1].text != "body:" {
				return 0, s.errorf(i+n+1, "%s lines follow \"< body:\"", kind)
			}
			last := &r.checks[len(r.checks)-1]
			last.exact = append(last.exact, bodyLine{line: i + n + 1, text: strings.TrimPrefix(text, " "), regexp: kind == "<~"})
		case "< ":
			text = strings.TrimSpace(text)
			r.open = r.open || strings.HasPrefix(text, "reads ")
			r.checks = append(r.checks, check{line: i + n + 1, text: text})
		default:
			return 0, s.errorf(i+n+1, "a line about the response begins with \"< \", \"<| \" or \"<~ \"")
		}
	}
	st.last = i + n
	s.steps = append(s.steps, st)
	return n, nil
}
