package passthrough

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
)

func mustParse(t testing.TB, e llm.Endpoint, body string) *Request {
	t.Helper()
	r, err := ParseRequest(e, []byte(body), 256)
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return r
}

func TestParseRequestRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		endpoint llm.Endpoint
		body     string
		kind     llm.Kind
		param    string
	}{
		{"nothing", llm.Chat, ``, llm.InvalidJSON, ""},
		{"not an object", llm.Chat, `[1]`, llm.InvalidJSON, ""},
		{"cut off", llm.Chat, `{"model":"m"`, llm.InvalidJSON, ""},
		{"duplicate member", llm.Chat, `{"model":"a","messages":[{}],"model":"b"}`, llm.InvalidJSON, ""},
		{"JSON faults come before the others", llm.Chat, `{"model":7,"messages":[}`, llm.InvalidJSON, ""},
		{"no model", llm.Chat, `{"messages":[{}]}`, llm.MissingParameter, "model"},
		{"null model", llm.Chat, `{"model":null,"messages":[{}]}`, llm.MissingParameter, "model"},
		{"empty model", llm.Chat, `{"model":"","messages":[{}]}`, llm.MissingParameter, "model"},
		{"model of the wrong type", llm.Chat, `{"model":7,"messages":[{}]}`, llm.InvalidType, "model"},
		{"model with a line break", llm.Chat, `{"model":"a\r\nx-evil: 1","messages":[{}]}`, llm.InvalidValue, "model"},
		{"endless model", llm.Chat, `{"model":"` + strings.Repeat("m", 257) + `","messages":[{}]}`, llm.InvalidValue, "model"},
		{"no messages", llm.Chat, `{"model":"m"}`, llm.MissingParameter, "messages"},
		{"null messages", llm.Chat, `{"model":"m","messages":null}`, llm.MissingParameter, "messages"},
		{"no message", llm.Chat, `{"model":"m","messages":[ ]}`, llm.InvalidType, "messages"},
		{"messages of the wrong type", llm.Chat, `{"model":"m","messages":"hi"}`, llm.InvalidType, "messages"},
		{"input instead of messages", llm.Chat, `{"model":"m","input":"hi"}`, llm.MissingParameter, "messages"},
		{"stream of the wrong type", llm.Chat, `{"model":"m","messages":[{}],"stream":"yes"}`, llm.InvalidType, "stream"},
		{"stream_options of the wrong type", llm.Chat, `{"model":"m","messages":[{}],"stream":true,"stream_options":[]}`, llm.InvalidType, "stream_options"},
		{"stream_options without stream", llm.Chat, `{"model":"m","messages":[{}],"stream_options":{}}`, llm.InvalidValue, "stream_options"},
		{"no prompt", llm.Completions, `{"model":"m","messages":[{}]}`, llm.MissingParameter, "prompt"},
		{"no input", llm.Embeddings, `{"model":"m","input":null}`, llm.MissingParameter, "input"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := ParseRequest(tt.endpoint, []byte(tt.body), 256)
			if err == nil || err.Kind != tt.kind || err.Param != tt.param || err.Message == "" {
				t.Fatalf("got %+v, want kind %d, param %q", err, tt.kind, tt.param)
			}
		})
	}
}

func TestParseRequestAccepts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		endpoint llm.Endpoint
		body     string
		want     Request
	}{
		{"least", llm.Chat, `{"model":"m","messages":[{}]}`, Request{Scanned: dialect.Scanned{Model: "m"}}},
		{"explicit nulls", llm.Chat, `{"model":"m","messages":[{}],"stream":null,"stream_options":null,"stop":null}`, Request{Scanned: dialect.Scanned{Model: "m"}}},
		{"escaped names", llm.Chat, `{"mod\u0065l":"\u006d","messages":[{}]}`, Request{Scanned: dialect.Scanned{Model: "m"}}},
		{"lone surrogate", llm.Chat, `{"model":"m","messages":[{"content":"\ud83d"}]}`, Request{Scanned: dialect.Scanned{Model: "m"}}},
		{"stream", llm.Chat, `{"stream":true,"model":"m","messages":[{}]}`, Request{Scanned: dialect.Scanned{Model: "m", Stream: true}}},
		{"usage asked for", llm.Chat, `{"stream":true,"model":"m","messages":[{}],"stream_options":{"include_usage":true}}`, Request{Scanned: dialect.Scanned{Model: "m", Stream: true, WantUsage: true}}},
		{"usage not wanted", llm.Chat, `{"stream":true,"model":"m","messages":[{}],"stream_options":{"include_usage":false}}`, Request{Scanned: dialect.Scanned{Model: "m", Stream: true}}},
		{"prompt of tokens", llm.Completions, `{"model":"m","prompt":[1,2]}`, Request{Scanned: dialect.Scanned{Model: "m"}}},
		{"text", llm.Embeddings, `{"model":"m","input":"a"}`, Request{Scanned: dialect.Scanned{Model: "m", Inputs: 1}}},
		{"texts in base64", llm.Embeddings, `{"model":"m","input":["a","b"],"encoding_format":"base64"}`, Request{Scanned: dialect.Scanned{Model: "m", Inputs: 2}, VectorForm: openai.VectorForm{Base64: true}}},
		{"tokens", llm.Embeddings, `{"model":"m","input":[1,2,3]}`, Request{Scanned: dialect.Scanned{Model: "m", Inputs: 1}}},
		{"lists of tokens", llm.Embeddings, `{"model":"m","input":[[1],[2,3]],"encoding_format":"float"}`, Request{Scanned: dialect.Scanned{Model: "m", Inputs: 2}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := mustParse(t, tt.endpoint, tt.body)
			got := Request{Scanned: dialect.Scanned{Model: r.Model, Stream: r.Stream, WantUsage: r.WantUsage, Inputs: r.Inputs}, VectorForm: r.VectorForm}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(Request{}, streamOptions{}, earlier{})); diff != "" {
				t.Fatal(diff)
			}
		})
	}
}

func TestEncode(t *testing.T) {
	t.Parallel()
	rename := map[string]string{"max_completion_tokens": "max_tokens"}
	for _, tt := range []struct {
		name, body string
		changes    dialect.Changes
		want       string
		ignored    []string
		renamed    []string
	}{
		{
			"only the model's name changes; order, spelling and unknown members stay",
			`{ "x_unknown" : 1.0e2,"model":"m" ,"messages":[{"content":"<\u00e9>"}],"seed":9223372036854775807}`,
			dialect.Changes{Model: "up/stream"},
			`{ "x_unknown" : 1.0e2,"model":"up/stream" ,"messages":[{"content":"<\u00e9>"}],"seed":9223372036854775807}`, nil, nil,
		},
		{"a name that needs escaping", `{"model":"m","messages":[{}]}`, dialect.Changes{Model: `a"b`}, `{"model":"a\"b","messages":[{}]}`, nil, nil},
		{
			"usage asked for where nothing was said", `{"model":"m","messages":[{}],"stream":true}`,
			dialect.Changes{Model: "u", AskUsage: true},
			`{"model":"u","messages":[{}],"stream":true,"stream_options":{"include_usage":true}}`, nil, nil,
		},
		{
			"usage asked for beside another option", `{"stream_options":{"include_obfuscation":false},"model":"m","messages":[{}],"stream":true}`,
			dialect.Changes{Model: "u", AskUsage: true},
			`{"stream_options":{"include_usage":true,"include_obfuscation":false},"model":"u","messages":[{}],"stream":true}`, nil, nil,
		},
		{
			"usage asked for where it was declined", `{"model":"m","messages":[{}],"stream":true,"stream_options":{"include_usage":null}}`,
			dialect.Changes{Model: "u", AskUsage: true},
			`{"model":"u","messages":[{}],"stream":true,"stream_options":{"include_usage":true}}`, nil, nil,
		},
		{
			"usage asked for in an empty object", `{"model":"m","messages":[{}],"stream":true,"stream_options":{ }}`,
			dialect.Changes{Model: "u", AskUsage: true},
			`{"model":"u","messages":[{}],"stream":true,"stream_options":{"include_usage":true}}`, nil, nil,
		},
		{
			"usage asked for in place of null", `{"model":"m","messages":[{}],"stream":true,"stream_options":null}`,
			dialect.Changes{Model: "u", AskUsage: true},
			`{"model":"u","messages":[{}],"stream":true,"stream_options":{"include_usage":true}}`, nil, nil,
		},
		{
			"members left out are told, nulls are not", `{"logit_bias":{"1":2},"model":"m","user":null,"messages":[{}],"store":true}`,
			dialect.Changes{Model: "u", Omit: []string{"logit_bias", "user", "store"}},
			`{"model":"u","messages":[{}]}`,
			[]string{"logit_bias", "store"},
			nil,
		},
		{"the last member left out, and usage asked for", `{"model":"m","messages":[{}],"stream":true,"store":true}`, dialect.Changes{Model: "u", Omit: []string{"store"}, AskUsage: true}, `{"model":"u","messages":[{}],"stream":true,"stream_options":{"include_usage":true}}`, []string{"store"}, nil},
		{"a member renamed", `{"model":"m","max_completion_tokens":5,"messages":[{}]}`, dialect.Changes{Model: "u", Rename: rename}, `{"model":"u","max_tokens":5,"messages":[{}]}`, nil, []string{"max_completion_tokens=max_tokens"}},
		{"no two members of one name", `{"model":"m","max_completion_tokens":5,"messages":[{}],"max_tokens":7}`, dialect.Changes{Model: "u", Rename: rename}, `{"model":"u","messages":[{}],"max_tokens":7}`, []string{"max_completion_tokens"}, nil},
		{"an option that is not needed", `{"model":"m","messages":[{}],"stream":true,"stream_options":{"include_usage":true}}`, dialect.Changes{Model: "u", DropOptions: true}, `{"model":"u","messages":[{}],"stream":true}`, nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := mustParse(t, llm.Chat, tt.body)
			body, applied := r.Encode(tt.changes)
			if got := string(body.Bytes()); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if !slices.Equal(applied.Ignored, tt.ignored) || !slices.Equal(applied.Renamed, tt.renamed) {
				t.Errorf("told %+v", applied)
			}
			if lost := r.Loses(tt.changes); (lost != "") != (len(tt.ignored) > 0) {
				t.Errorf("Loses says %q", lost)
			}
			read, err := io.ReadAll(body.Reader())
			if err != nil || string(read) != tt.want || body.Len() != int64(len(tt.want)) {
				t.Errorf("the reader gives %s (%v), of length %d", read, err, body.Len())
			}
			var written bytes.Buffer
			if _, err := body.Reader().(io.WriterTo).WriteTo(&written); err != nil || written.String() != tt.want {
				t.Errorf("WriteTo gives %s (%v)", &written, err)
			}
		})
	}
}

// A large prompt is not copied on its way.
func TestEncodeSharesTheCallersBytes(t *testing.T) {
	t.Parallel()
	raw := `{"model":"m","messages":[{"content":"` + strings.Repeat("x", 400<<10) + `"}],"stream":true}`
	r := mustParse(t, llm.Chat, raw)
	body, _ := r.Encode(dialect.Changes{Model: "u", AskUsage: true})
	copied := 0
	begin := uintptr(unsafe.Pointer(&r.Raw[0]))
	for _, p := range body.Pieces() {
		if at := uintptr(unsafe.Pointer(&p[0])); at < begin || at >= begin+uintptr(len(r.Raw)) {
			copied += len(p)
		}
	}
	if copied > 100 {
		t.Fatalf("%d bytes were copied", copied)
	}
}

// FuzzEncode: whatever is accepted stays JSON, with all values that were not meant to change.
func FuzzEncode(f *testing.F) {
	f.Add([]byte(`{"model":"m","messages":[{}],"stream":true,"max_completion_tokens":1,"user":"u"}`))
	f.Add([]byte(`{"user":1,"store":null,"model":"m","stream_options":{},"stream":true,"messages":[1],"z":{"a":[1]}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, refused := ParseRequest(llm.Chat, raw, 64)
		if refused != nil {
			return
		}
		c := dialect.Changes{Model: "up", Rename: map[string]string{"a": "b"}, Omit: []string{"user", "store"}, AskUsage: r.Stream && !r.WantUsage}
		body, _ := r.Encode(c)
		var before, after map[string]json.RawMessage
		if err := json.Unmarshal(raw, &before); err != nil {
			t.Skip("encoding/json is stricter here")
		}
		if err := json.Unmarshal(body.Bytes(), &after); err != nil {
			t.Fatalf("%s became %s: %v", raw, body.Bytes(), err)
		}
		for _, name := range []string{"user", "store", "a", "b", "model", "stream_options"} {
			delete(before, name)
			delete(after, name)
		}
		for name, value := range before {
			if !bytes.Equal(value, after[name]) {
				t.Fatalf("%q was %s and is %s", name, value, after[name])
			}
		}
		if len(before) != len(after) {
			t.Fatalf("%s became %s", raw, body.Bytes())
		}
	})
}

// full is a jsonwalk.Room that has room for so many bytes more.
type full int

func (f *full) Grow(n int) bool {
	if n > int(*f) {
		return false
	}
	*f -= full(n)
	return true
}

// A body that takes many times its length in memory, once it is read, is refused as one too many; it may be all right.
func TestBodiesOfManyMembers(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&b, `"%d":0,`, i)
	}
	flat := `{` + b.String() + `"model":"m","messages":[{}]}`
	nested := `{"model":"m","messages":[{` + b.String() + `"a":0}]}`
	for name, body := range map[string]string{"flat": flat, "nested": nested} {
		for _, room := range []full{0, 1 << 20} {
			if _, err := parseRequestWithin(&room, llm.Chat, []byte(body), 64); err == nil || err.Kind != llm.Overloaded || err.RetryAfter == 0 {
				t.Errorf("%s: %v", name, err)
			}
		}
		room := full(100 << 20)
		if _, err := parseRequestWithin(&room, llm.Chat, []byte(body), 64); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	ordinary := `{"model":"m","messages":[` + strings.Repeat(`{"role":"user","content":[{"type":"text","text":"hi"}]},`, 10_000) + `{}]}`
	if _, err := parseRequestWithin(new(full), llm.Chat, []byte(ordinary), 64); err != nil {
		t.Errorf("many messages: %v", err)
	}
}

func TestAsksSchema(t *testing.T) {
	t.Parallel()
	for member, want := range map[string]bool{
		`"response_format":{"type":"json_schema","json_schema":{"name":"s","schema":{}}}`: true,
		`"response_format":{"type":"json_object"}`:                                        false,
		`"response_format":{"type":"text"}`:                                               false,
		`"response_format":null`:                                                          false, `"other":{"type":"json_schema"}`: false,
	} {
		if got := mustParse(t, llm.Chat, `{"model":"m","messages":[{}],`+member+`}`).AsksSchema(); got != want {
			t.Errorf("%s: %v", member, got)
		}
	}
}
