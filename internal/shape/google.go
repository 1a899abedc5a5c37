package shape

import (
	"bytes"
	"encoding/json"
	"errors"
)

// pieces are those of a stream of Google's. The last one says why the answer ends, and has the usage, or is an error. Google's own pieces
// have figures long before.
type pieces struct {
	lines []string // what was said, each text as far as it came
	kind  string   // of the last line
	ends  string
	usage json.RawMessage
}

func (p *pieces) line(line []byte) (over bool, err error) {
	if len(line) == 0 {
		return false, nil
	}
	data, ok := bytes.CutPrefix(line, []byte("data: "))
	if !ok {
		return false, errors.New("it is no data")
	}
	if over, err = p.payload(data); errors.Is(err, errFailed) {
		err = nil
	}
	return over, err
}

func (p *pieces) payload(data []byte) (over bool, err error) {
	if has(GoogleError, data, "error") == nil {
		if err := checkGoogle(GoogleError, data); err != nil {
			return true, err
		}
		return true, errFailed
	}
	var piece struct {
		Candidates []struct {
			Index   int
			Content struct{ Parts []object }
			Reason  string          `json:"finishReason"`
			Sources json.RawMessage `json:"groundingMetadata"`
		}
		Usage    json.RawMessage `json:"usageMetadata"`
		Feedback json.RawMessage `json:"promptFeedback"`
	}
	if err := json.Unmarshal(data, &piece); err != nil {
		return false, err
	}
	for _, c := range piece.Candidates {
		if c.Index > 0 {
			continue
		}
		for _, part := range c.Content.Parts {
			p.add(part)
		}
		if c.Sources != nil {
			p.add(object{"sources": c.Sources})
		}
		if c.Reason != "" {
			p.ends = c.Reason
		}
	}
	p.usage = piece.Usage
	if piece.Feedback != nil {
		p.ends = "blocked"
	}
	return piece.Usage != nil && p.ends != "", has(Generated, data, "modelVersion")
}

// add adds a part: a text to the one before, if that is of its kind. The signature of a text may come with it or after it.
func (p *pieces) add(part object) {
	said, isText := text(part["text"]), part["text"] != nil
	delete(part, "text")
	if signature := part["thoughtSignature"]; isText && signature != nil {
		delete(part, "thoughtSignature")
		defer func() { p.kind, p.lines = "", append(p.lines, "signed "+string(signature)) }()
	}
	rest, _ := json.Marshal(part) // it was read of JSON
	kind := plain(rest)
	if isText && said == "" {
		return // it has a signature, or ends a stream
	}
	if isText && kind == p.kind && len(p.lines) > 0 {
		p.lines[len(p.lines)-1] += said
		return
	}
	if p.kind = kind; !isText {
		p.kind = ""
	}
	p.lines = append(p.lines, kind+said)
}

func (p *pieces) said() []string {
	return append(p.lines, "ends with "+p.ends, "took "+string(p.usage))
}
