package load

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Prompt says what a request's body is made of.
type Prompt struct {
	Endpoint  Endpoint
	Model     string
	Stream    bool
	MaxTokens int  // 0 leaves it out
	Size      int  // of the whole body, in bytes; if it is too small, the body is as small as possible
	Code      bool // source code, in which about every fifth byte belongs to an escape; otherwise plain words
}

const (
	words = "The quick brown fox jumps over the lazy dog and runs on through the wood. "
	code  = "func (s *server) handle(w http.ResponseWriter, r *http.Request) error {\n\tif r.Method != \"POST\" {\n\t\treturn fmt.Errorf(\"%q is not \\\"POST\\\"\\n\", r.Method)\n\t}\n" +
		"\tpath := strings.ReplaceAll(r.URL.Path, \"\\\\\", \"/\") // C:\\temp\\x\n\treturn s.next[\"/v1/\"+path](w, r)\n}\n\n"
)

// leastTokens is what a request asks for that has to ask for some number.
const leastTokens = 1024

// Body is the request's JSON, exactly Size bytes long where that is possible. The prompt comes before the model, as the
// usual clients send it.
func (p Prompt) Body() []byte {
	f := p.Endpoint.form()
	tail := f.end
	most := p.MaxTokens
	if most == 0 && f.needs {
		most = leastTokens
	}
	switch {
	case f.inPath && most > 0:
		tail += fmt.Sprintf(`,"generationConfig":{"%s":%d}`, f.most, most)
	case f.inPath:
	default:
		model, err := json.Marshal(p.Model)
		if err != nil {
			panic(err) // a string always is JSON
		}
		tail += `,"model":` + string(model)
		if p.Stream {
			tail += `,"stream":true`
		}
		if most > 0 && f.most != "" {
			tail += fmt.Sprintf(`,"%s":%d`, f.most, most)
		}
	}
	tail += "}"
	body := append(make([]byte, 0, p.Size), f.head...)
	body = p.text(body, max(p.Size-len(f.head)-len(tail), 1))
	return append(body, tail...)
}

// text appends size bytes of prompt, escaped.
func (p Prompt) text(dst []byte, size int) []byte {
	source := words
	if p.Code {
		source = code
	}
	for end := len(dst) + size; ; {
		for i := range len(source) {
			piece := escape(source[i])
			if len(dst)+len(piece) > end { // half an escape would be an error
				return append(dst, strings.Repeat(".", end-len(dst))...)
			}
			dst = append(dst, piece...)
		}
	}
}

func escape(c byte) string {
	switch c {
	case '"', '\\':
		return `\` + string(rune(c))
	case '\n':
		return `\n`
	case '\t':
		return `\t`
	}
	return string(rune(c))
}
