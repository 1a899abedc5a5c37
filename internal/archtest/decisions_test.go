package archtest

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	decisions   = "docs/decisions/"
	recordWords = 200 // what is longer is two decisions, or belongs in docs
)

var (
	recordName = regexp.MustCompile(`^(\d{3})-[a-z0-9-]+\.md$`)
	recordForm = regexp.MustCompile(`(?s)^# (\d{3})\. ([^\n]+)\n\nRooms: ([^\n]+)\n\n## Context\n\n(.+)\n\n## Decision\n\n(.+)\n\n## Consequences\n\n(.+)\n$`)
	roomNames  = regexp.MustCompile("^`[^`]+`(?:, `[^`]+`)*$")
)

// record is one decision.
type record struct {
	file, number, title string
	rooms               []string // the index lists it under the first
}

// parseRecord reads a record. Its error says how the record departs from the form.
func parseRecord(file, text string) (record, error) {
	name, form := recordName.FindStringSubmatch(file), recordForm.FindStringSubmatch(text)
	switch {
	case name == nil:
		return record{}, fmt.Errorf("%s is not named NNN-title.md", file)
	case form == nil:
		return record{}, fmt.Errorf("%s does not have the form of a record: `# NNN. Title`, `Rooms: …`, and the headings Context, Decision, Consequences, each with text", file)
	case form[1] != name[1]:
		return record{}, fmt.Errorf("%s has the number %s in its title", file, form[1])
	case strings.Count(text, "\n#") != 3:
		return record{}, fmt.Errorf("%s has other headings than Context, Decision, Consequences", file)
	case !roomNames.MatchString(form[3]):
		return record{}, fmt.Errorf("%s does not name its rooms as `a`, `b`", file)
	}
	if n := len(strings.Fields(text)); n >= recordWords {
		return record{}, fmt.Errorf("%s has %d words: a record stays under %d", file, n, recordWords)
	}
	return record{file, form[1], form[2], strings.Split(strings.Trim(form[3], "`"), "`, `")}, nil
}

// index lists the records by their first room, one line each.
func index(records []record) string {
	slices.SortFunc(records, func(a, b record) int {
		return strings.Compare(a.rooms[0]+"\n"+a.number, b.rooms[0]+"\n"+b.number)
	})
	var b strings.Builder
	for i, r := range records {
		if i == 0 || records[i-1].rooms[0] != r.rooms[0] {
			fmt.Fprintf(&b, "\n## `%s`\n\n", r.rooms[0])
		}
		fmt.Fprintf(&b, "- [%s. %s](%s)", r.number, r.title, r.file)
		if len(r.rooms) > 1 {
			fmt.Fprintf(&b, " (also `%s`)", strings.Join(r.rooms[1:], "`, `"))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestDecisions: every record has the form and a number of its own, names rooms that exist, and is in the index once.
func TestDecisions(t *testing.T) {
	t.Parallel()
	var records []record
	numbers := map[string]string{}
	files(t, func(name string) {
		folder, file := path.Split(name)
		if folder != decisions || file == "README.md" {
			return
		}
		r, err := parseRecord(file, read(t, name))
		if err != nil {
			t.Error(err)
			return
		}
		if other := numbers[r.number]; other != "" {
			t.Errorf("%s and %s have the same number: give one the next free number", other, file)
		}
		numbers[r.number] = file
		for _, room := range r.rooms {
			if info, err := os.Stat(filepath.Join(root, room)); err != nil || !info.IsDir() {
				t.Errorf("%s names the room %s, which does not exist", file, room)
			}
		}
		records = append(records, r)
	})
	page := read(t, decisions+"README.md")
	intro, _, _ := strings.Cut(page, "\n## ")
	want := strings.TrimRight(intro, "\n") + "\n" + index(records)
	if *update && !t.Failed() {
		if err := os.WriteFile(filepath.Join(root, decisions, "README.md"), []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(page, want); diff != "" {
		t.Errorf("the index (-) differs from the records (+). Run: go test ./internal/archtest -update\n%s", diff)
	}
}

// TestRecordsThatDepartFromTheForm proves what the form refuses.
func TestRecordsThatDepartFromTheForm(t *testing.T) {
	t.Parallel()
	const good = "# 007. A title\n\nRooms: `internal/llm`, `cmd/weir`\n\n## Context\n\nWhy.\n\n## Decision\n\nWhat.\n\n## Consequences\n\nThen.\n"
	r, err := parseRecord("007-a-title.md", good)
	if want := []string{"internal/llm", "cmd/weir"}; err != nil || !slices.Equal(r.rooms, want) {
		t.Fatalf("%v, %v", r, err)
	}
	for _, c := range []struct{ name, file, old, new string }{
		{"a name without a number", "a-title.md", "", ""},
		{"another number in the title", "008-a-title.md", "", ""},
		{"no rooms", "007-a-title.md", "Rooms: `internal/llm`, `cmd/weir`\n\n", ""},
		{"rooms without backticks", "007-a-title.md", "`cmd/weir`", "cmd/weir"},
		{"a heading less", "007-a-title.md", "## Decision\n\n", ""},
		{"headings in another order", "007-a-title.md", "## Context\n\nWhy.\n\n## Decision", "## Decision\n\nWhy.\n\n## Context"},
		{"a heading more", "007-a-title.md", "Then.\n", "Then.\n\n## Status\n\nDone.\n"},
		{"a section without text", "007-a-title.md", "What.\n\n", ""},
		{"200 words", "007-a-title.md", "Why.", strings.Repeat("word ", recordWords) + "end."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if _, err := parseRecord(c.file, strings.Replace(good, c.old, c.new, 1)); err == nil {
				t.Error("no error")
			}
		})
	}
}
