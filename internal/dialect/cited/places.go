package cited

import (
	"sort"

	"github.com/weirproxy/weir/internal/llm"
)

// Places are those of the characters in a text that comes in pieces, among its bytes. The text itself is not kept.
type Places struct {
	Length
	runs  []run
	known int64 // the bytes that all is known of, if there are more runs than are remembered
}

// run is a place from which all characters take the same number of bytes.
type run struct{ bytes, characters, width int64 }

const runSize = 24

// maxRuns bounds what a text can make us remember.
const maxRuns = 1 << 14

// Held is about how many bytes are remembered.
func (p *Places) Held() int { return cap(p.runs) * runSize }

// Add adds a piece.
func (p *Places) Add(piece llm.JSON) {
	for rest := piece.Inner(); len(rest) > 0; {
		was := p.Length
		rest = p.next(rest)
		if n := p.Characters - was.Characters; n > 0 {
			p.note(run{was.Bytes, was.Characters, (p.Bytes - was.Bytes) / n})
		} else { // the other half of the last one
			p.note(run{p.Bytes - 4, p.Characters - 1, 4})
		}
	}
}

func (p *Places) note(r run) {
	last := len(p.runs) - 1
	switch {
	case p.known > 0 || last >= 0 && p.runs[last].width == r.width:
	case last >= 0 && p.runs[last].bytes == r.bytes:
		p.runs[last] = r
	case len(p.runs) == maxRuns:
		p.known = r.bytes
	default:
		p.runs = append(p.runs, r)
	}
}

// Character is the number of the character that a byte belongs to. ok is false for a byte after the text, and for one too far from
// its beginning.
func (p *Places) Character(at int64) (n int64, ok bool) {
	switch {
	case at < 0 || at > p.Bytes || p.known > 0 && at > p.known:
		return 0, false
	case at == p.Bytes:
		return p.Characters, true
	}
	r := p.runs[sort.Search(len(p.runs), func(i int) bool { return p.runs[i].bytes > at })-1]
	return r.characters + (at-r.bytes)/r.width, true
}
