package simulate

import (
	"fmt"
	"math"
	"strings"
)

// Curve is one simulation in a plot.
type Curve struct {
	Name, Colour string
	Spans        []Span
}

// The measures of a plot, in pixels, and its range: from one statement for 10,000 requests to one for each.
const (
	plotWidth, plotHeight = 760, 320
	left, right, top      = 60, 190, 40
	bottom                = 40
	least, most           = 0.1, 1000.0
)

// Plot draws the statements for 1,000 requests over time, as an SVG picture.
func Plot(curves []Curve) string {
	var b strings.Builder
	width, height := float64(plotWidth-left-right), float64(plotHeight-top-bottom)
	longest := 1
	for _, c := range curves {
		longest = max(longest, len(c.Spans))
	}
	y := func(v float64) float64 {
		return top + height*(1-math.Log(min(max(v, least), most)/least)/math.Log(most/least))
	}
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", plotWidth, plotHeight, plotWidth, plotHeight)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#ffffff"/><text x="%d" y="24" font-size="15" font-weight="bold" fill="#222">statements for 1,000 requests</text>`+"\n", plotWidth, plotHeight, left)
	for v := least; v <= most; v *= 10 {
		fmt.Fprintf(&b, `<path d="M%d %.1fh%.0f" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end" fill="#444">%g</text>`+"\n", left, y(v), width, left-6, y(v)+4, v)
	}
	for minute := 0; minute <= longest/6; minute += 5 {
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle" fill="#444">%d min</text>`+"\n", left+width*float64(minute*6)/float64(longest), plotHeight-bottom+18, minute)
	}
	for i, c := range curves {
		fmt.Fprintf(&b, `<polyline fill="none" stroke="%s" stroke-width="2" points="`, c.Colour)
		for n, span := range c.Spans {
			fmt.Fprintf(&b, "%.1f,%.1f ", left+width*(float64(n)+0.5)/float64(longest), y(float64(span.Statements)*1000/float64(max(span.Requests, 1))))
		}
		fmt.Fprintf(&b, `"/><text x="%d" y="%d" fill="%s">%s</text>`+"\n", plotWidth-right+10, top+20+18*i, c.Colour, c.Name)
	}
	return b.String() + "</svg>\n"
}
