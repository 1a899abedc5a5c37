package main

import (
	"fmt"
	"html"
	"strings"
)

// The measures of a plot, in pixels.
const (
	panelWidth  = 380
	panelHeight = 134
	labelWidth  = 140
	valueWidth  = 60
	barHeight   = 16
	barGap      = 6
	columns     = 2
	margin      = 14
)

var barColors = map[string]string{"nginx": "#6b9e78", "reverseproxy": "#9a9a9a", "passthrough": "#bdb39c", "weir": "#2f6fb3"}

// plot draws a group: a panel for each row, each with its own scale, a bar for each proxy's median and a line from the
// least to the most.
func (r *record) plot(g group) string {
	lines := (len(g.rows) + columns - 1) / columns
	width, height := columns*panelWidth+margin, lines*panelHeight+44
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", width, height)
	fmt.Fprintf(&b, `<text x="%d" y="24" font-size="15" font-weight="bold" fill="#222">%s</text>`+"\n", margin, html.EscapeString(g.name))
	for i, row := range g.rows {
		r.panel(&b, g.mode, row, margin+i%columns*panelWidth, 40+i/columns*panelHeight)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func (r *record) panel(b *strings.Builder, mode string, row row, x, y int) {
	fmt.Fprintf(b, `<text x="%d" y="%d" font-weight="bold" fill="#444">%s</text>`+"\n", x, y+12, html.EscapeString(row.name))
	most := 0.0
	for _, c := range shown {
		if s := r.values(mode, row, c.candidate); len(s) > 0 && barColors[c.candidate] != "" {
			most = max(most, s.most())
		}
	}
	if most <= 0 {
		most = 1
	}
	space := float64(panelWidth - labelWidth - valueWidth - margin)
	at := func(v float64) float64 { return float64(x+labelWidth) + max(v, 0)/most*space }
	y += 24
	for _, c := range shown {
		s := r.values(mode, row, c.candidate)
		color := barColors[c.candidate]
		if len(s) == 0 || color == "" {
			continue
		}
		median, middle := s.median(), float64(y)+barHeight/2.0
		text := strings.ReplaceAll(c.name, "`", "")
		fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="end" fill="#222">%s</text>`, x+labelWidth-6, y+12, html.EscapeString(text))
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/>`, x+labelWidth, y, at(median)-at(0), barHeight, color)
		fmt.Fprintf(b, `<path d="M%.1f %.1fH%.1fM%.1f %.1fv8M%.1f %.1fv8" stroke="#222" fill="none"/>`, at(s.least()), middle, at(s.most()), at(s.least()), middle-4, at(s.most()), middle-4)
		fmt.Fprintf(b, `<text x="%.1f" y="%d" fill="#222">%s</text>`+"\n", at(s.most())+6, y+12, digits(median))
		y += barHeight + barGap
	}
}
