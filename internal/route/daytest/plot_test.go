package daytest

import (
	"fmt"
	"html"
	"math"
	"strings"
	"time"
)

// The measures of the plot, in pixels.
const (
	plotWidth   = 960
	axisWidth   = 46
	margin      = 22 // no less than half of the last hour's label
	panelHeight = 110
	panelGap    = 44
	top         = 62
)

const bin = 10 * time.Minute

// line is one run in a panel.
type line struct {
	run   int // among those of days
	color string
}

// panel draws one figure over the day.
type panel struct {
	title string
	of    func(*figures) float64
	lines []line
}

var (
	plainLine   = line{0, "#9a9a9a"}
	orderedLine = line{1, "#2f6fb3"}
	fastestLine = line{3, "#4d9a5f"}
	panels      = []panel{
		{"errors that callers see, %", func(f *figures) float64 { return 100 * f.errorRate() }, []line{plainLine, orderedLine, fastestLine}},
		{"time to the first content, 99th percentile, s", func(f *figures) float64 { return f.within(0.99) }, []line{plainLine, orderedLine, fastestLine}},
		{"failed calls, of 100 requests", func(f *figures) float64 { return 100 * f.wastedRate() }, []line{plainLine, orderedLine, fastestLine}},
		{"prompt tokens from a provider's cache, %", func(f *figures) float64 { return 100 * f.cacheHits() }, []line{orderedLine, {2, "#c08a2e"}, {6, "#7a4fa3"}}},
	}
)

// plot draws the day, a panel below the other, with a band for each incident.
func plot(runs []*run) string {
	height := top + len(panels)*(panelHeight+panelGap)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", plotWidth, height, plotWidth, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", plotWidth, height)
	fmt.Fprintf(&b, `<text x="%d" y="20" font-size="15" font-weight="bold" fill="#222">A day, simulated</text>`+"\n", margin)
	for _, i := range incidents {
		fmt.Fprintf(&b, `<rect x="%.1f" y="42" width="%.1f" height="%d" fill="#f6e3de"/>`, across(i.from), across(i.to)-across(i.from), height-58)
		fmt.Fprintf(&b, `<text x="%.1f" y="38" text-anchor="middle" fill="#a2452f">%s</text>`+"\n", (across(i.from)+across(i.to))/2, i.name)
	}
	for i, p := range panels {
		p.draw(&b, runs, top+i*(panelHeight+panelGap))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// across is where a time of the day is.
func across(at time.Duration) float64 {
	return axisWidth + margin + at.Hours()/24*(plotWidth-axisWidth-2*margin)
}

func (p panel) draw(b *strings.Builder, runs []*run, y int) {
	values, most := make([][]float64, len(p.lines)), 0.0
	for i, l := range p.lines {
		for at := time.Duration(0); at < day; at += bin {
			v := p.of(runs[l.run].during(at, at+bin))
			values[i] = append(values[i], v)
			most = max(most, v)
		}
	}
	tick := step(most)
	most = max(tick*math.Ceil(most/tick), tick)
	bottom := float64(y + 22 + panelHeight - 22)
	down := func(v float64) float64 { return bottom - v/most*(panelHeight-22) }
	fmt.Fprintf(b, `<text x="%d" y="%d" font-weight="bold" fill="#444">%s</text>`+"\n", axisWidth+margin, y+10, html.EscapeString(p.title))
	x := 380
	for _, l := range p.lines {
		name := strings.ReplaceAll(runs[l.run].name, "`", "")
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="14" height="3" fill="%s"/><text x="%d" y="%d" fill="#222">%s</text>`+"\n", x, y+5, l.color, x+19, y+10, html.EscapeString(name))
		x += 40 + 7*len(name)
	}
	for v := 0.0; v <= most+tick/2; v += tick {
		fmt.Fprintf(b, `<path d="M%d %.1fH%d" stroke="#dddddd"/><text x="%d" y="%.1f" text-anchor="end" fill="#666">%g</text>`+"\n", axisWidth+margin, down(v), plotWidth-margin, axisWidth+margin-6, down(v)+4, v)
	}
	for hour := 0; hour <= 24; hour += 3 {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle" fill="#666">%d:00</text>`, across(at(hour, 0)), bottom+15, hour)
	}
	for i, l := range p.lines {
		b.WriteString("\n" + `<path d="`)
		for k, v := range values[i] {
			fmt.Fprintf(b, "%c%.0f %.1f", "ML"[min(k, 1)], across(time.Duration(k)*bin+bin/2), down(v))
		}
		fmt.Fprintf(b, `" stroke="%s" stroke-width="1.6" stroke-linejoin="round" fill="none"/>`, l.color)
	}
	b.WriteString("\n")
}

// step is the distance between two lines of a scale: 1, 2 or 5 times a power of ten, so that about four fit below
// most.
func step(most float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(max(most, 1e-3)/2)))
	for _, times := range []float64{1, 2, 5} {
		if most <= 4*times*unit {
			return times * unit
		}
	}
	return 10 * unit
}
