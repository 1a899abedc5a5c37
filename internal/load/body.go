package load

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Endpoint is what is called, below the base URL.
type Endpoint string

// The endpoints that can be loaded.
const (
	Chat        Endpoint = "chat/completions"
	Completions Endpoint = "completions"
	Embeddings  Endpoint = "embeddings"
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

// Body is the request's JSON, exactly Size bytes long where that is possible. The prompt comes before the model, as the
// usual clients send it.
func (p Prompt) Body() []byte {
	var tail strings.Builder
	model, err := json.Marshal(p.Model)
	if err != nil {
		panic(err) // a string always is JSON
	}
	fmt.Fprintf(&tail, `,"model":%s`, model)
	if p.Stream {
		tail.WriteString(`,"stream":true`)
	}
	if p.MaxTokens > 0 && p.Endpoint != Embeddings {
		tail.WriteString(`,"max_tokens":` + strconv.Itoa(p.MaxTokens))
	}
	tail.WriteString("}")
	head, end := `{"messages":[{"role":"user","content":"`, `"}]`
	switch p.Endpoint {
	case Completions:
		head, end = `{"prompt":"`, `"`
	case Embeddings:
		head, end = `{"input":"`, `"`
	}
	body := append(make([]byte, 0, p.Size), head...)
	body = p.text(body, max(p.Size-len(head)-len(end)-tail.Len(), 1))
	body = append(body, end...)
	return append(body, tail.String()...)
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
