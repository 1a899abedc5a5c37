package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
)

// read decodes a body, with the model's name that Decode leaves to the caller.
func read(body []byte) (*llm.Request, error) {
	if err := jsonwalk.Valid(body, jsonwalk.Options{Unique: true}); err != nil {
		return nil, err
	}
	model, talks := "", false
	for name, value := range Members(body) {
		switch name {
		case "model":
			model = value.Text()
		case "messages":
			talks = value.Kind() == '[' && !jsonwalk.Hollow(value)
		}
	}
	if !talks {
		return nil, errors.New("it has no messages")
	}
	r, refused := Decode(Members(body), nil)
	if refused != nil {
		return nil, errors.New(refused.Message)
	}
	r.Model = model
	return r, nil
}

func reread(t *testing.T, body []byte) *llm.Request {
	t.Helper()
	r, err := read(body)
	if err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return r
}

// sameChat encodes a chat and reads it again: it must say the same. Only the places of messages may change. System messages become
// one, results of tools follow their calls, and what the first reading left out cannot come back.
func sameChat(t *testing.T, was *llm.Request) {
	t.Helper()
	if was.Params = slices.DeleteFunc(was.Params, func(p llm.Param) bool { return !slices.Contains(ownParams, p.Name) }); len(was.Params) == 0 {
		was.Params = nil
	}
	for _, m := range was.Messages {
		for _, p := range m.Parts {
			if _, media := splitMedia(p.Parts); len(media) > 0 {
				t.Skip("images of a result become the user's")
			}
		}
	}
	body, left, refusal := Encode(was)
	if refusal != nil {
		t.Fatalf("refused: %v", refusal)
	}
	want := slices.Clone(was.Left)
	for i := range was.Tools {
		if g := was.Tools[i].Grammar; g != nil && !slices.Contains(want, g.Param) {
			want = append(want, g.Param)
		}
	}
	if diff := cmp.Diff(want, left, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("left out:\n%s", diff)
	}
	if err := jsonwalk.Valid(body, jsonwalk.Options{Unique: true}); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	opts := cmp.Options{cmpopts.IgnoreFields(llm.Message{}, "At"), cmpopts.IgnoreFields(llm.Request{}, "Left"), cmpopts.IgnoreFields(llm.Tool{}, "Grammar")}
	if diff := cmp.Diff(was.Settled(), reread(t, body), opts...); diff != "" {
		t.Errorf("was (-), is (+):\n%s\n%s", diff, body)
	}
}

// chats are the chats that golden files of other dialects ask for, by file, with those of this package's own tests.
func chats(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob("../*/testdata/requests/*.txt")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	all := map[string]string{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[file], _, _ = strings.Cut(string(data), "-- becomes --\n")
	}
	for name, body := range decodedChats {
		all[name] = `{"model":"m",` + body[1:]
	}
	return all
}

// What OpenAI's API does not have is left out, because some servers refuse the whole request for it.
func TestParametersOfOthers(t *testing.T) {
	t.Parallel()
	body, left, err := Encode(&llm.Request{Model: "m", Params: []llm.Param{{Name: "top_k", Value: llm.JSON("5")}, {Name: "top_p", Value: llm.JSON("1")}}})
	if err != nil || len(left) != 1 || left[0] != "top_k" || bytes.Contains(body, []byte("top_k")) || !bytes.Contains(body, []byte(`"top_p":1`)) {
		t.Errorf("%s, left %q, %v", body, left, err)
	}
}

// A chat that was decoded encodes to one that decodes to the same.
func TestChatsSurviveEncoding(t *testing.T) {
	t.Parallel()
	for name, body := range chats(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := read([]byte(body))
			if err != nil {
				t.Skip("cannot be decoded")
			}
			sameChat(t, r)
		})
	}
}

// The same holds for every recorded one.
func TestRecordedChatsSurviveEncoding(t *testing.T) {
	t.Parallel()
	recorded.Requests(t, func(t *testing.T, e llm.Endpoint, r recorded.Interaction) {
		if e != llm.Chat {
			return
		}
		chat, err := read(r.Request.Body.Bytes())
		if err != nil {
			t.Skip("cannot be decoded")
		}
		sameChat(t, chat)
	})
}

// What the typed model says is in the body as OpenAI's API spells it.
func TestEncodedChats(t *testing.T) {
	t.Parallel()
	for name, body := range decodedChats {
		r, err := Decode(Members([]byte(`{"model":"m",`+body[1:])), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		r.Model = "m"
		out, left, err := Encode(r)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		golden(t, "encoded_"+name+".txt", indented(t, out)+"left out: "+strings.Join(left, ", ")+"\n")
	}
}

// Callers of other dialects say what chats have no place for. That is left out and listed, or refused; the rest has a form that the
// API takes.
func TestEncodeChatOfOtherDialects(t *testing.T) {
	t.Parallel()
	q := func(s string) llm.JSON { return llm.Quote(s) }
	r := &llm.Request{
		Model: "m", Stream: true, User: q("u"), UserName: "metadata.user_id", Left: []string{"earlier"},
		System: []llm.Part{{Text: q("a")}, {Text: q("b"), Cache: llm.JSON(`{"type":"ephemeral"}`)}},
		Format: llm.Format{Kind: llm.FormatSchema, Schema: llm.JSON(`{"type":"object"}`)},
		Extras: []llm.Extra{{Of: llm.Anthropic, Name: "context_management", Value: llm.JSON(`{}`)}},
		Messages: []llm.Message{
			{Parts: []llm.Part{{Text: q("hi")}}},
			{Role: llm.Assistant, Parts: []llm.Part{
				{Kind: llm.Reasoning, Text: q("unsigned"), Maker: llm.UnsaidMaker},
				{Kind: llm.Reasoning, Text: q("signed"), Opaque: q("c2ln")},
				{Kind: llm.Redacted},
				{Text: q("x"), Opaque: q("one")},
				{Text: q("y"), Opaque: q("two")},
				{Kind: llm.ToolCall, ID: "c1", Name: q("f"), Args: llm.JSON(`{}`), Cache: llm.JSON(`{"type":"ephemeral"}`)},
				{Kind: llm.ToolCall, ID: "c2", Name: q("f"), Args: llm.JSON(`{"a":"b"}`)},
			}},
			{Role: llm.System, Parts: []llm.Part{{Text: q("between")}}},
			{Parts: []llm.Part{
				{Text: q("and")},
				{Kind: llm.Result, ID: "c1", Failed: true, Parts: []llm.Part{{Text: q("no")}}},
				{Kind: llm.Result, ID: "c2", Parts: []llm.Part{{Text: q("see")}, {Kind: llm.Image, URL: q("https://x.test/i.png")}}},
				{Kind: llm.Image, Media: "image/png", Data: []byte("QUJD")},
			}},
			{Role: llm.Assistant},
			{},
		},
	}
	out, left, err := Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "encoded_others.txt", indented(t, out)+"left out: "+strings.Join(left, ", ")+"\n")
	for what, p := range map[string]llm.Part{
		"a part of another vendor":  {Kind: llm.Native, Of: llm.Gemini, Raw: llm.JSON(`{}`)},
		"a file without its bytes":  {Kind: llm.File},
		"the user's call of a tool": {Kind: llm.ToolCall, ID: "c", Name: q("f"), Args: llm.JSON(`{}`)},
	} {
		if _, _, err := Encode(&llm.Request{Messages: []llm.Message{{Parts: []llm.Part{p}}}}); err == nil || err.Kind != llm.UnsupportedParameter {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, _, err := Encode(&llm.Request{Tools: []llm.Tool{{Raw: llm.JSON(`{}`), Of: llm.Anthropic}}}); err == nil || err.Param != "tools" {
		t.Errorf("another vendor's tool: %v", err)
	}
}

// FuzzEncode: whatever is asked, what becomes of it says the same when it is read again.
func FuzzEncode(f *testing.F) {
	for _, body := range chats(f) {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := read(body)
		if err != nil {
			return
		}
		r.Model = "m"
		first, _, refused := Encode(r)
		if refused != nil {
			return
		}
		second, _, refused := Encode(reread(t, first))
		if refused != nil || !reflect.DeepEqual(first, second) {
			t.Fatalf("%v: %s", refused, cmp.Diff(string(first), string(second)))
		}
	})
}

// indented is a body that a person can read.
func indented(t *testing.T, body []byte) string {
	t.Helper()
	var out bytes.Buffer
	if err := json.Indent(&out, body, "", "  "); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return out.String() + "\n"
}
