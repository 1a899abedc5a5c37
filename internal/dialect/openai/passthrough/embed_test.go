package passthrough

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
)

func embeddings(t testing.TB, body string) *Request {
	t.Helper()
	r, err := ParseRequest(llm.Embeddings, []byte(body), 64)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestDecodeEmbeddings(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		body string
		want string // inputs, dimensions, params, left; or what is refused
	}{
		{`{"model":"m","input":"a"}`, `["a"] 0 [] []`},
		{`{"model":"m","input":["a","\u00e9"],"dimensions":8,"encoding_format":"base64","stream":true}`, `["a" "\u00e9"] 8 [] []`},
		{`{"model":"m","input":"a","user":"u","input_type":"x","dimensions":null,"secret":1}`, `["a"] 0 [user="u" input_type="x"] [secret]`},
		{`{"model":"m","input":[]}`, `invalid_value input`},
		{`{"model":"m","input":[1,2]}`, `unsupported_parameter input`},
		{`{"model":"m","input":[[1],[2]]}`, `unsupported_parameter input`},
		{`{"model":"m","input":["a",1]}`, `unsupported_parameter input`},
		{`{"model":"m","input":{"text":"a"}}`, `unsupported_parameter input`},
		{`{"model":"m","input":"a","dimensions":0}`, `invalid_value dimensions`},
		{`{"model":"m","input":"a","dimensions":1.5}`, `invalid_value dimensions`},
		{`{"model":"m","input":"a","encoding_format":"ubinary"}`, `unsupported_parameter encoding_format`},
	} {
		got := ""
		if out, err := embeddings(t, tt.body).DecodeEmbeddings([]string{"secret"}); err != nil {
			got = err.Code() + " " + err.Param
		} else {
			params := []string{}
			for _, p := range out.Params {
				params = append(params, p.Name+"="+string(p.Value))
			}
			got = fmt.Sprintf("%s %d %s %s", out.Inputs, out.Dimensions, params, out.Left)
		}
		if got != tt.want {
			t.Errorf("%s: %s, not %s", tt.body, got, tt.want)
		}
	}
}

// Whatever a body looks like, its parts hold all inputs, in their order, and all of them everything else.
func TestInputsInParts(t *testing.T) {
	t.Parallel()
	space := rapid.SampledFrom([]string{"", " ", "\n\t"})
	input := rapid.SampledFrom([]string{`"a"`, `"]"`, `""`, `[1,2]`, `{"input":["x"]}`})
	rapid.Check(t, func(t *rapid.T) {
		inputs := rapid.SliceOfN(input, 2, 20).Draw(t, "inputs")
		body := &strings.Builder{}
		gap := func() string { return space.Draw(t, "space") }
		fmt.Fprintf(body, `{%s"user":"u","model":"m",%s"input":%s[`, gap(), gap(), gap())
		for i, in := range inputs {
			if i > 0 {
				body.WriteString(",")
			}
			body.WriteString(gap() + in + gap())
		}
		fmt.Fprintf(body, `]%s,"dimensions":4}`, gap())
		r, refused := ParseRequest(llm.Embeddings, []byte(body.String()), 64)
		if refused != nil {
			t.Fatal(refused)
		}
		changes := dialect.Changes{Model: "up", Rename: map[string]string{"dimensions": "size"}, Omit: []string{"user"}}
		spans := r.InputSpans()
		if !r.Splits(changes) || len(spans) != len(inputs) {
			t.Fatalf("%d spans for %d inputs", len(spans), len(inputs))
		}
		var seen []string
		for from, size := 0, 0; from < len(spans); from += size {
			size = rapid.IntRange(1, len(spans)-from).Draw(t, "size")
			part := r.EncodeInputs(changes, jsonwalk.Span{Start: spans[from].Start, End: spans[from+size-1].End}).Bytes()
			var sent struct {
				Model string
				Input []json.RawMessage
				Size  int
				User  string
			}
			if err := json.Unmarshal(part, &sent); err != nil {
				t.Fatalf("%v: %s", err, part)
			}
			if sent.Model != "up" || sent.Size != 4 || sent.User != "" || len(sent.Input) != size {
				t.Fatalf("%s", part)
			}
			for _, in := range sent.Input {
				seen = append(seen, string(in))
			}
		}
		if diff := cmp.Diff(inputs, seen); diff != "" {
			t.Fatal(diff)
		}
	})
}

// FuzzVectors: whatever an upstream answers to a part, what is made of it is an answer.
func FuzzVectors(f *testing.F) {
	f.Add([]byte(`{"data":[{"index":0,"embedding":[1,-2.5e-3]}],"model":"m","usage":{"prompt_tokens":1}}`), true)
	f.Add([]byte(`{"data":[{"index":0,"embedding":"AACAPw=="}]}`), false)
	f.Add([]byte(`{"error":{"message":"no"}}`), false)
	f.Fuzz(func(t *testing.T, body []byte, base64 bool) {
		r := &Request{Scanned: dialect.Scanned{Endpoint: llm.Embeddings, Inputs: 1}, VectorForm: openai.VectorForm{Base64: base64}}
		v, err := r.ReadVectors(body, 1)
		if err != nil {
			return
		}
		data, err := r.AppendVectors(nil, v.List, 0)
		if err != nil {
			return
		}
		model := v.Model
		if model == nil {
			model = llm.Quote("m")
		}
		whole := new(Request).JoinVectors([][]byte{data}, model, v.Tokens)
		out, answer, err := r.Pass(whole, &dialect.Changes{}, dialect.Stand{Echo: ""})
		if err != nil || string(out) != string(whole) || answer.Usage.Input() != v.Tokens {
			t.Fatalf("%v: %s becomes %s", err, whole, out)
		}
	})
}

// An upstream that only knows bytes is not asked for another encoding. Its bytes are not read as float32s, which would join
// four of them.
func TestInt8(t *testing.T) {
	t.Parallel()
	const body = `{"object":"list","data":[{"object":"embedding","index":0,"embedding":"AX+A/w==","x":1.0}],"model":"m","usage":{"prompt_tokens":1,"total_tokens":1}}`
	for format, want := range map[string]struct{ up, out string }{
		``:                                   {``, `[1,127,-128,-1]`},
		`,"encoding_format":"float"`:         {``, `[1,127,-128,-1]`},
		`,"encoding_format":"base64"`:        {``, `"AACAPwAA/kIAAADDAACAvw=="`},
		`,"encoding_format":"base64_int8"`:   {`,"encoding_format":"base64_int8"`, `"AX+A/w=="`},
		`,"encoding_format":"base64_binary"`: {`,"encoding_format":"base64_binary"`, `"AX+A/w=="`},
	} {
		r := mustParse(t, llm.Embeddings, `{"model":"m","input":"x"`+format+`}`)
		up, applied := r.Encode(dialect.Changes{Model: "m", Int8: true})
		if got := string(up.Bytes()); got != `{"model":"m","input":"x"`+want.up+`}` || len(applied.Ignored) > 0 {
			t.Errorf("%s went up as %s, without %v", format, got, applied.Ignored)
		}
		out, _, err := r.Pass([]byte(body), &dialect.Changes{Int8: true}, dialect.Stand{Echo: ""})
		if got := strings.Replace(body, `"AX+A/w=="`, want.out, 1); err != nil || string(out) != got {
			t.Errorf("%s: %s %v", format, out, err)
		}
	}
	r := mustParse(t, llm.Embeddings, `{"model":"m","input":"x"}`)
	numbers := strings.Replace(body, `"AX+A/w=="`, `[1.0]`, 1)
	if out, _, err := r.Pass([]byte(numbers), &dialect.Changes{Int8: true}, dialect.Stand{Echo: ""}); err != nil || string(out) != numbers {
		t.Errorf("numbers became %s %v", out, err)
	}
}

func TestDropFloat(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"model":"m","input":"a","encoding_format":"float"}`:   `{"model":"m","input":"a"}`,
		`{"model":"m","input":"a","encoding_format":"base64"}`:  `{"model":"m","input":"a","encoding_format":"base64"}`,
		`{"model":"m","input":"a","encoding_format":"ubinary"}`: `{"model":"m","input":"a","encoding_format":"ubinary"}`,
		`{"model":"m","encoding_format":null,"input":"a"}`:      `{"model":"m","input":"a"}`,
	} {
		r := embeddings(t, body)
		c := dialect.Changes{Model: "m", DropFloat: true}
		got, applied := r.Encode(c)
		if string(got.Bytes()) != want || len(applied.Ignored) > 0 || r.Loses(c) != "" {
			t.Errorf("%s becomes %s, with %v left out", body, got.Bytes(), applied.Ignored)
		}
	}
}

// If a provider reports only the total of a call without output, that is its input.
func TestTotalTokensAlone(t *testing.T) {
	t.Parallel()
	r := embeddings(t, `{"model":"m","input":"a"}`)
	out, a, err := r.Pass([]byte(`{"data":[{"index":0,"embedding":[1]}],"usage":{"total_tokens":12}}`), &dialect.Changes{}, dialect.Stand{Echo: ""})
	const want = `{"data":[{"index":0,"embedding":[1]}],"usage":{"prompt_tokens":12,"total_tokens":12}}`
	if err != nil || !a.HasUsage || a.Usage.Input() != 12 || a.Usage.Output() != 0 || string(out) != want || a.Repairs[dialect.RepairUsage] != 1 {
		t.Errorf("%+v %v %s", a.Usage, err, out)
	}
}

// An invalid vector fails the answer, wherever it is and in whatever order the vectors come.
func TestVectorsThatAreNone(t *testing.T) {
	t.Parallel()
	r := mustParse(t, llm.Embeddings, `{"model":"m","input":["x","y","z"],"encoding_format":"base64"}`)
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}} {
		for bad := range 4 {
			var list []string
			for _, i := range order {
				value := fmt.Sprintf("[%d,0.5]", i)
				if i == bad {
					value = `[1,"x"]`
				}
				list = append(list, fmt.Sprintf(`{"index":%d,"embedding":%s}`, i, value))
			}
			body := `{"data":[` + strings.Join(list, ",") + `]}`
			if _, _, err := r.Pass([]byte(body), &dialect.Changes{}, dialect.Stand{Echo: ""}); (err == nil) != (bad == 3) {
				t.Errorf("%s: %v", body, err)
			}
		}
	}
}
