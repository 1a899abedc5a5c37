package logging

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// terminal is a slog.Handler for people: a line for each event. An event of a request has columns for what is always asked first,
// and after them what is out of the ordinary. Each line is one Write. Fields without a value are left out.
type terminal struct {
	to     io.Writer
	level  slog.Level
	colour bool
	attrs  []slog.Attr
	group  string // that names of further fields begin with
}

// Enabled implements slog.Handler.
func (t *terminal) Enabled(_ context.Context, level slog.Level) bool { return level >= t.level }

// WithAttrs implements slog.Handler.
func (t *terminal) WithAttrs(attrs []slog.Attr) slog.Handler {
	with := *t
	with.attrs = slices.Clone(t.attrs)
	for _, a := range attrs {
		a.Key = t.group + a.Key
		with.attrs = append(with.attrs, a)
	}
	return &with
}

// WithGroup implements slog.Handler.
func (t *terminal) WithGroup(name string) slog.Handler {
	with := *t
	with.group += name + "."
	return &with
}

// Handle implements slog.Handler.
func (t *terminal) Handle(_ context.Context, r slog.Record) error {
	fields := slices.Clone(t.attrs)
	r.Attrs(func(a slog.Attr) bool {
		a.Key = t.group + a.Key
		fields = append(fields, a)
		return true
	})
	l := &line{colour: t.colour}
	l.put(dim, r.Time.Format(time.TimeOnly), 0)
	if r.Message == "request" {
		l.request(values(fields))
	} else {
		l.put(ofLevel(r.Level), r.Level.String(), 5)
		l.put(plain, r.Message, 0)
		for _, f := range fields {
			if value := valueOf(f); value != "" {
				l.named(f.Key, value)
			}
		}
	}
	_, err := io.WriteString(t.to, strings.TrimRight(l.b.String(), " ")+"\n")
	return err
}

// values are fields by name. The event of a request has no two of one name.
func values(fields []slog.Attr) map[string]string {
	all := make(map[string]string, len(fields))
	for _, f := range fields {
		all[f.Key] = valueOf(f)
	}
	return all
}

// valueOf is a field's value in words, "" for none. What could move the cursor is escaped.
func valueOf(f slog.Attr) string {
	v := f.Value.Resolve()
	if v.Kind() == slog.KindAny {
		if list := reflect.ValueOf(v.Any()); list.Kind() == reflect.Slice && list.Len() == 0 {
			return ""
		}
		if list, ok := v.Any().([]string); ok {
			return printable(strings.Join(list, ", "))
		}
	}
	return printable(v.String())
}

func printable(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return text
	}
	quoted := strconv.Quote(text)
	return quoted[1 : len(quoted)-1]
}

// line is a line as it is written.
type line struct {
	b      strings.Builder
	colour bool
}

// The colours, as terminals know them.
const (
	plain  = ""
	dim    = "\x1b[2m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	red    = "\x1b[31m"
	normal = "\x1b[0m"
)

// put writes a column, at least so many characters wide, and two spaces.
func (l *line) put(colour, text string, width int) {
	if l.colour && colour != plain && text != "" {
		l.b.WriteString(colour + text + normal)
	} else {
		l.b.WriteString(text)
	}
	l.b.WriteString(strings.Repeat(" ", max(width-len([]rune(text)), 0)+2))
}

// named writes a field with its name.
func (l *line) named(name, value string) {
	if l.colour {
		name = dim + name + "=" + normal
	} else {
		name += "="
	}
	l.put(plain, name+value, 0)
}

// request writes the columns of a request: status, time, key, client, what was asked, who answered and tokens; and what is out of
// the ordinary. Columns that every request has come first, so that they line up.
func (l *line) request(v map[string]string) {
	l.put(ofStatus(v["status"], v["cut"] == "true"), v["status"], 3)
	l.put(plain, fmt.Sprintf("%7s", inWords(v["duration_ms"])), 0)
	l.put(dim, v["key"], 12)
	l.put(dim, v["client_address"], 15)
	what := v["endpoint"]
	if what == "" || what == "models" || what == "usage" {
		what = v["method"] + " " + v["path"]
	}
	l.put(plain, what, 11)
	target := ""
	if v["provider"] != "" {
		target = v["provider"] + "/" + v["upstream_model"]
	}
	switch {
	case v["model"] == "" && target == "":
	case v["model"] == target || target == "":
		l.put(plain, v["model"], 36)
	default:
		l.put(plain, v["model"]+" → "+target, 36)
	}
	if v["input_tokens"] != "" {
		l.put(plain, v["input_tokens"]+" in "+v["output_tokens"]+" out", 17)
	}
	if v["ttft_ms"] != "" && v["stream"] == "true" {
		l.named("first", inWords(v["ttft_ms"]))
	}
	if v["waited_ms"] != "" {
		l.named("waited", inWords(v["waited_ms"]))
	}
	if v["cut"] == "true" {
		l.put(red, "cut", 0)
	}
	if v["error"] != "" {
		l.put(ofStatus(v["status"], true), v["error"], 0)
	}
	for _, name := range []string{"reason", "skipped", "tried", "ignored_params", "upstream_said"} {
		if v[name] != "" {
			l.named(name, v[name])
		}
	}
	if v["error"] != "" {
		l.named("request_id", v["request_id"])
	}
}

func ofStatus(status string, failed bool) string {
	switch {
	case status >= "5":
		return red
	case status >= "4" || failed:
		return yellow
	default:
		return green
	}
}

func ofLevel(level slog.Level) string {
	switch {
	case level >= slog.LevelError:
		return red
	case level >= slog.LevelWarn:
		return yellow
	case level >= slog.LevelInfo:
		return green
	default:
		return dim
	}
}

// inWords is a number of milliseconds as people read it: 0.8ms, 312ms, 1.24s, 2m3s.
func inWords(milliseconds string) string {
	ms, err := strconv.ParseFloat(milliseconds, 64)
	if err != nil {
		return milliseconds
	}
	switch d := time.Duration(ms * float64(time.Millisecond)); {
	case d < 10*time.Millisecond:
		return strconv.FormatFloat(ms, 'f', 1, 64) + "ms"
	case d < time.Second:
		return strconv.FormatFloat(ms, 'f', 0, 64) + "ms"
	case d < time.Minute:
		return strconv.FormatFloat(d.Seconds(), 'f', 2, 64) + "s"
	default:
		return d.Round(time.Second).String()
	}
}
