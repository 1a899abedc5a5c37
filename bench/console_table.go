package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// consoleTable shows the questions, and the gateway beside readers.
func (r *record) consoleTable() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Result of %s: %s; %s. Load of the machine before: %s.\n\n", r.Date, r.Machine, r.Go, r.Read.Load)
	b.WriteString("| store of " + thousands(int64(r.Read.Stores[0].Filled.Rows)) + " calls |")
	for _, s := range r.Read.Stores {
		b.WriteString(" " + s.Store + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(r.Read.Stores)) + "\n")
	line := func(name string, value func(*readOfStore) string) {
		b.WriteString("| " + name + " |")
		for i := range r.Read.Stores {
			b.WriteString(" " + value(&r.Read.Stores[i]) + " |")
		}
		b.WriteString("\n")
	}
	line("calls shipped a second", func(s *readOfStore) string { return rate(s.Filled.Whole) })
	line("of the last tenth", func(s *readOfStore) string { return rate(s.Filled.Last) })
	line("size, bytes a call", func(s *readOfStore) string { return digits(float64(s.Filled.Size) / float64(s.Filled.Rows)) })
	line("**least / median / 99 of 100 within, ms**", func(*readOfStore) string { return "" })
	for i, p := range r.Read.Stores[0].Pages {
		line(fmt.Sprintf("%s (%s)", p.Page, p.answer()), func(s *readOfStore) string { return s.Pages[i].times() })
	}
	line("**gateway alone: median / 99 of 100 within, µs**", func(*readOfStore) string { return "" })
	for _, readers := range []struct {
		who string
		of  func(*readOfStore) rounds
	}{
		{"readers", func(s *readOfStore) rounds { return s.Beside }},
		{"readers who go on asking", func(s *readOfStore) rounds { return s.Later }},
	} {
		if len(readers.of(&r.Read.Stores[0])) == 0 { // older figures lack them
			continue
		}
		pairs := func(of func(*beside) [2]float64) func(*readOfStore) string {
			return func(s *readOfStore) string { return pair(readers.of(s).series(of)) }
		}
		line("alone", pairs(func(b *beside) [2]float64 { return b.Alone }))
		line("beside "+readers.who, pairs(func(b *beside) [2]float64 { return b.Beside }))
		line("beside : alone, in the same round", pairs(func(b *beside) [2]float64 { return [2]float64{b.Beside[0] / b.Alone[0], b.Beside[1] / b.Alone[1]} }))
		line("answers to them, by status", func(s *readOfStore) string { return readers.of(s).answers() })
	}
	return b.String()
}

func rate(perSecond float64) string {
	if perSecond == 0 {
		return "(were there)"
	}
	return thousands(int64(perSecond))
}

// answer says how large it is.
func (p *pageTime) answer() string {
	if p.Lines == 0 {
		return fmt.Sprintf("%s KB", digits(float64(p.Bytes)/1000))
	}
	return fmt.Sprintf("%s lines, %s KB", thousands(int64(p.Lines)), digits(float64(p.Bytes)/1000))
}

// most is how long pages may take, in milliseconds, at p99.
const most = 100

// times are in bold if that is too long.
func (p *pageTime) times() string {
	text := fmt.Sprintf("%s / %s / %s", digits(p.Least), digits(p.P50), digits(p.P99))
	if p.P99 > most {
		return "**" + text + "**"
	}
	return text
}

// rounds are all of one kind.
type rounds []beside

// series are two figures of all rounds.
func (r rounds) series(of func(*beside) [2]float64) (all [2]series) {
	all = [2]series{{}, {}}
	for round := range r {
		for i, value := range of(&r[round]) {
			all[i][round] = value
		}
	}
	return all
}

func pair(of [2]series) string { return valueOf(of[0]) + " / " + valueOf(of[1]) }

func (r rounds) answers() string {
	sums := map[string]int{}
	for _, round := range r {
		for status, n := range round.Answers {
			sums[status] += n
		}
	}
	var texts []string
	for _, status := range slices.Sorted(maps.Keys(sums)) {
		texts = append(texts, fmt.Sprintf("%s: %s", status, thousands(int64(sums[status]))))
	}
	return strings.Join(texts, ", ")
}

// consoleLack is what a run lacks for the page, "" for nothing.
func (r *record) consoleLack() string {
	if r.Read == nil {
		return "it was not measured"
	}
	if len(r.Read.Stores) < 2 {
		return "Postgres was not measured"
	}
	for _, s := range r.Read.Stores {
		if s.Filled.Whole == 0 {
			return "the store was filled before"
		}
		if len(s.Later) == 0 {
			return "readers who go on asking were not measured"
		}
	}
	return ""
}

func (r *record) writeConsole(folder string) error {
	return writeBetween(folder, readPage, readBegin, readEnd, r.consoleTable())
}
