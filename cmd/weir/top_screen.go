package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"github.com/weirproxy/weir/internal/money"
)

// screen is the terminal that standard output is.
type screen interface {
	// Begin takes the terminal over, so that keys come one by one and unseen. end gives it back as it was.
	Begin() (end func(), err error)
	// Size is how many columns and rows it has now; 0 if that is unknown.
	Size() (columns, rows int)
}

// What a terminal is sent: the alternate screen, without a cursor and without lines that go on in the next row.
const (
	enterScreen = "\x1b[?1049h\x1b[?25l\x1b[?7l"
	leaveScreen = "\x1b[?7h\x1b[?25h\x1b[?1049l"
	homeCursor  = "\x1b[H"
	clearLine   = "\x1b[K"
	clearBelow  = "\x1b[J"
)

// style is how a line looks.
type style string

// The styles, as a terminal is sent them.
const (
	asText    style = ""
	asHead    style = "\x1b[1m"
	asWarning style = "\x1b[33m"
	asAlert   style = "\x1b[31m"
	asNote    style = "\x1b[2m"
)

// screenLine is a line of the view.
type screenLine struct {
	text  string
	style style
}

// reading is a view, or why one is missing.
type reading struct {
	view *topView
	err  error
}

// watch draws one view after another until the user ends it.
func watch(ctx context.Context, sys *system, w *watching, first *topView) error {
	end, err := sys.screen.Begin()
	if err != nil {
		return fmt.Errorf("the terminal cannot be taken over: %w", err)
	}
	defer end()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	readings := make(chan reading)
	go readOn(ctx, w, readings)
	keys := make(chan byte)
	go readKeys(ctx, sys.stdin, keys)
	_, noColour := sys.env("NO_COLOR")
	p := painter{w: sys.stdout, screen: sys.screen, colour: !noColour}
	defer p.leave()
	now := reading{view: first}
	for p.enter(); ; {
		if err := p.draw(now); err != nil {
			return nil // the terminal is gone, and its user with it
		}
		for waits := true; waits; {
			select {
			case <-ctx.Done():
				return nil
			case key, ok := <-keys:
				if !ok || key == 'q' || key == 'Q' || key == ctrlC || key == ctrlD {
					return nil
				}
			case r := <-readings:
				if waits = false; r.err == nil {
					now = r
				} else {
					now.err = r.err
				}
			}
		}
	}
}

// Keys that end the view. A terminal that was taken over sends no signal for Ctrl-C.
const ctrlC, ctrlD = 3, 4

// readOn reads once a second.
func readOn(ctx context.Context, w *watching, readings chan<- reading) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		view, err := w.read(ctx)
		select {
		case <-ctx.Done():
			return
		case readings <- reading{view, err}:
		}
	}
}

// readKeys reads keys until there are no more, as when the terminal is closed.
func readKeys(ctx context.Context, from io.Reader, keys chan<- byte) {
	defer close(keys)
	var one [1]byte
	for {
		n, err := from.Read(one[:])
		if err != nil {
			return
		}
		if n == 0 {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case keys <- one[0]:
		}
	}
}

// painter draws on a terminal.
type painter struct {
	w      io.Writer
	screen screen
	colour bool
}

func (p *painter) enter() { _, _ = io.WriteString(p.w, enterScreen) } // if the terminal is gone, the first drawing fails
func (p *painter) leave() { _, _ = io.WriteString(p.w, leaveScreen) }

// draw writes a view with one write, so that it does not flicker.
func (p *painter) draw(r reading) error {
	columns, rows := p.screen.Size()
	lines := r.view.lines(columns, rows)
	if r.err != nil {
		lines[len(lines)-1] = screenLine{clip(fmt.Sprintf("could not refresh since %s: %s", r.view.At.Format(time.TimeOnly), visible(r.err.Error())), columns), asAlert}
	}
	var out bytes.Buffer
	out.WriteString(homeCursor)
	for i, line := range lines {
		if i > 0 {
			out.WriteString("\r\n")
		}
		if p.colour && line.style != asText {
			fmt.Fprintf(&out, "%s%s\x1b[0m", line.style, line.text)
		} else {
			out.WriteString(line.text)
		}
		out.WriteString(clearLine)
	}
	out.WriteString(clearBelow)
	_, err := p.w.Write(out.Bytes())
	return err
}

// printLines prints a view for a file or a pipe.
func printLines(w io.Writer, lines []screenLine) error {
	var out strings.Builder
	for _, line := range lines {
		out.WriteString(strings.TrimRight(line.text, " ") + "\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// lines are the view in so many columns and rows; 0 is any number. Of targets and requests as many are shown as have room.
func (v *topView) lines(columns, rows int) []screenLine {
	lines := []screenLine{{fmt.Sprintf("weir top  %s  %s  %s  weir %s", v.At.Format(time.TimeOnly), visible(v.Admin), visible(v.Instance), visible(v.Version)), asHead}}
	for _, text := range v.summary() {
		lines = append(lines, screenLine{text, asText})
	}
	for _, alert := range v.Alerts {
		lines = append(lines, screenLine{"! " + alert, asAlert})
	}
	const around = 7 // for each table an empty line, its head, and how many more there are; and the last line
	targets, requests := len(v.Targets), len(v.Requests)
	if rows > 0 {
		room := max(rows-len(lines)-around, 2)
		targets = min(targets, max(room/2, room-requests))
		requests = min(requests, room-targets)
	}
	lines = append(append(lines, screenLine{}), v.targetLines(targets)...)
	lines = append(append(lines, screenLine{}), v.requestLines(requests)...)
	if rows > 0 {
		lines = append(lines, screenLine{"q quits", asNote})
		if len(lines) > rows {
			lines = append(lines[:rows-1], lines[len(lines)-1])
		}
	}
	for i := range lines {
		lines[i].text = clip(lines[i].text, columns)
	}
	return lines
}

// summary are the figures over all.
func (v *topView) summary() []string {
	failed := "-"
	if v.Failed != nil {
		failed = strconv.FormatFloat(*v.Failed*100, 'f', 1, 64) + " %"
	}
	over := "no rates yet"
	if v.Seconds > 0 {
		over = fmt.Sprintf("rates of the last %.0f s", v.Seconds)
	}
	return []string{
		fmt.Sprintf("Running %d   Requests %.1f/s   Failed %s   First content p50 %s, p95 %s", v.Running, v.PerSecond, failed, shortMillis(v.FirstP50), shortMillis(v.FirstP95)),
		fmt.Sprintf("Tokens %s/s in, %s/s out   Cost $%s/h   %s", short(v.Input), short(v.Output), cents(v.CostPerHour), over),
	}
}

// cents is an amount to the cent, or as it is if it is less.
func cents(n money.Nano) string {
	if n == 0 || n >= 1e7 {
		return fmt.Sprintf("%d.%02d", n/1e9, n%1e9/1e7)
	}
	return money.Dollars(n)
}

// short is a number in four characters or so.
func short(n float64) string {
	switch {
	case n >= 1e6:
		return strconv.FormatFloat(n/1e6, 'f', 1, 64) + "M"
	case n >= 1e4:
		return strconv.FormatFloat(n/1e3, 'f', 1, 64) + "k"
	}
	return strconv.FormatFloat(n, 'f', 0, 64)
}

func shortMillis(ms *int64) string {
	if ms == nil {
		return "-"
	}
	return (time.Duration(*ms) * time.Millisecond).String()
}

// targetLines are the first n targets.
func (v *topView) targetLines(n int) []screenLine {
	var styles []style
	lines := tabled(func(w io.Writer) {
		fmt.Fprintln(w, "TARGET\tBREAKER\tRUNNING\tTOKENS/S") // what writes into memory does not fail
		for _, t := range v.Targets[:n] {
			breaker, look := t.Breaker, map[string]style{"open": asAlert, "trying": asWarning}[t.Breaker]
			if t.Open > 1 {
				breaker = fmt.Sprintf("%d open", t.Open)
			}
			running := "-"
			if t.Running != nil {
				running = strconv.Itoa(*t.Running)
			}
			styles = append(styles, look)
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", t.Target, breaker, running, short(t.Tokens))
		}
	})
	return styled(lines, styles, len(v.Targets)-n, "target")
}

// requestLines are the n oldest requests that run.
func (v *topView) requestLines(n int) []screenLine {
	lines := tabled(func(w io.Writer) {
		fmt.Fprintln(w, "AGE\tREQUEST\tKEY\tMODEL\tTARGET\tFIRST\tSENT\tHELD") // the same
		for i := range v.Requests[:n] {
			r := &v.Requests[i]
			target := "waits"
			if r.Provider != nil && r.Upstream != nil {
				target = targetOf(*r.Provider, *r.Upstream)
			}
			held := "-"
			if r.Held > 0 {
				held = "$" + cents(r.Held)
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", age(r.AgeMicros), r.Request, visible(cmp.Or(r.KeyName, r.Key)), visible(r.Model), target, millis(r.FirstMicros), short(float64(r.BytesOut))+"B", held)
		}
	})
	return styled(lines, nil, v.Running-n, "request")
}

// age is how old something is, to a tenth of a second.
func age(micros int64) string {
	return (time.Duration(micros) * time.Microsecond).Round(100 * time.Millisecond).String()
}

// tabled are the lines of a table.
func tabled(write func(io.Writer)) []string {
	var text bytes.Buffer
	out := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	write(out)
	_ = out.Flush() // into memory
	return strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
}

// styled are the lines of a table with a head, and how many more there are.
func styled(lines []string, styles []style, more int, what string) []screenLine {
	all := []screenLine{{lines[0], asHead}}
	for i, line := range lines[1:] {
		one := screenLine{text: line}
		if styles != nil {
			one.style = styles[i]
		}
		all = append(all, one)
	}
	if more > 0 {
		all = append(all, screenLine{"and " + count(more, "more "+what), asNote})
	}
	return all
}

// clip is as much of a text as has room in so many columns; 0 is any number.
func clip(text string, columns int) string {
	if columns <= 0 || utf8.RuneCountInString(text) <= columns {
		return text
	}
	return string([]rune(text)[:columns])
}
