package dialecttest

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
)

// Writer is what words answers.
type Writer interface {
	Collect(ev *llm.Event)
	Answer(end *llm.Event) []byte
	Payloads(ev *llm.Event, send func(payload []byte))
}

// Same is a rule that two spellings mean the same to an API.
type Same struct {
	Why string
	Was *regexp.Regexp
	Is  string
}

// Absent is a rule that a member means the same as its absence.
func Absent(why, member string) Same {
	return Same{Why: why, Was: regexp.MustCompile(`,(?:` + member + `)|(?:` + member + `),?`)}
}

// RoundTrips decodes and encodes each recorded request of the dialect. The result is an equal JSON value, and nothing is left out. A
// recorded answer says the same after it was written again. The same holds for the package's own golden files; without a provider, for these alone.
func (d Dialect) RoundTrips(t *testing.T, provider string, least int) {
	t.Helper()
	if provider != "" {
		t.Run("recorded", func(t *testing.T) {
			recorded.Chats(t, provider, least, d.RoundTrip)
		})
	}
	t.Run("golden", func(t *testing.T) {
		d.each(t, "requests", func(t *testing.T, input []byte) {
			if body, _, refusal := d.Request(string(input)); refusal == nil {
				var asked struct{ Model string }
				unmarshal(t, input, &asked)
				d.SameRequest(t, asked.Model, body)
			}
		})
		d.each(t, "answers", func(t *testing.T, input []byte) { d.roundTripAnswer(t, input, false) })
		d.each(t, "streams", func(t *testing.T, input []byte) {
			body, err := io.ReadAll(d.framed(string(input)))
			if err != nil {
				t.Fatal(err)
			}
			d.roundTripAnswer(t, body, true)
		})
	})
}

// RoundTrip: a recorded call does so.
func (d Dialect) RoundTrip(t *testing.T, r recorded.Interaction) {
	t.Helper()
	body := r.Request.Body.Bytes()
	if _, refusal := d.decoded(r.Request.URL, body); refusal == nil || r.Response.Status != 400 { // a mistake that the API refused is refused here
		d.SameRequest(t, r.Request.URL, body)
	}
	if r.Response.Status == 200 {
		d.roundTripAnswer(t, r.Response.Body.Bytes(), r.Stream)
	}
}

// each is a test with the input of each golden file in a folder.
func (d Dialect) each(t *testing.T, folder string, test func(t *testing.T, input []byte)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files of %s: %v", folder, err)
	}
	for _, file := range files {
		t.Run(folder+"/"+strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			input, _, _ := strings.Cut(string(data), "-- becomes --\n")
			test(t, []byte(input))
		})
	}
}

func unmarshal(t *testing.T, data []byte, to any) {
	t.Helper()
	if err := json.Unmarshal(data, to); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
}

// decoded is a request as it is read from a body and the address that it was sent to.
func (d Dialect) decoded(url string, body []byte) (*llm.Request, *llm.Error) {
	if d.DecodeAt != nil {
		return d.DecodeAt(url, body)
	}
	r, err := d.Decode(body)
	if err == nil && d.Path != nil {
		d.Path(url, r)
	}
	return r, err
}

// SameRequest: a request that was sent to an address encodes, once it was decoded, to an equal JSON value, and nothing is left out.
func (d Dialect) SameRequest(t *testing.T, url string, body []byte) {
	t.Helper()
	r, refusal := d.decoded(url, body)
	if refusal != nil {
		t.Fatalf("refused: %v: %s", refusal, body)
	}
	again, left, refusal := d.Encode(r)
	if refusal != nil || len(left) > 0 {
		t.Fatalf("left out %q, refused: %v: %s", left, refusal, body)
	}
	if diff := cmp.Diff(d.plain(t, body), d.plain(t, again)); diff != "" {
		t.Error(diff)
	}
}

// plain is a request with all that can be spelled in several ways spelled in one.
func (d Dialect) plain(t *testing.T, body []byte) string {
	t.Helper()
	var value any
	numbers := json.NewDecoder(bytes.NewReader(appendGiven(nil, body)))
	numbers.UseNumber() // as they are spelled: some are too large to be counted with
	if err := numbers.Decode(&value); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	if d.Plain != nil {
		value = d.Plain(value)
	}
	ordered, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	text := string(ordered)
	for _, rule := range d.Same {
		text = rule.Was.ReplaceAllString(text, rule.Is)
	}
	return text
}

// callers are the members whose values belong to the caller, whatever they hold: arguments and results of tools, and schemas, under
// the APIs' names for these.
var callers = map[string]bool{
	"input": true, "args": true, "response": true, "json": true, "data": true, "metadata": true, "requestMetadata": true,
	"schema": true, "input_schema": true, "json_schema": true, "parameters": true, "parametersJsonSchema": true, "parameters_json_schema": true,
	"responseSchema": true, "response_schema": true, "responseJsonSchema": true, "response_json_schema": true,
}

// appendGiven appends a value without the members that are null, which is absence in every API, but for those of the caller's own.
func appendGiven(dst []byte, value llm.JSON) []byte {
	sep := ""
	switch value.Kind() {
	case '{':
		dst = append(dst, '{')
		for name, v := range draft.Given(value) {
			dst = append(llm.AppendQuote(append(dst, sep...), name), ':')
			if callers[string(name)] {
				dst = append(dst, v...)
			} else {
				dst = appendGiven(dst, v)
			}
			sep = ","
		}
		return append(dst, '}')
	case '[':
		dst = append(dst, '[')
		for _, v := range jsonwalk.Elements(value) {
			dst = appendGiven(append(dst, sep...), v)
			sep = ","
		}
		return append(dst, ']')
	}
	return append(dst, value...)
}

// said is what an answer says, however it was cut into pieces.
type said struct {
	ID      string
	Model   string
	Choices []saidChoice
	Usage   llm.Usage
}

type saidChoice struct {
	Finish, Refusal string
	Blocks          []saidBlock
	Cited           []llm.Citation
	Tokens          []llm.Token
}

type saidBlock struct {
	Kind                   llm.PartKind
	ID, Name, Text, Opaque string
}

// hear notes what an event says.
func (s *said) hear(ev *llm.Event) {
	for len(s.Choices) <= ev.Choice {
		s.Choices = append(s.Choices, saidChoice{})
	}
	switch c := &s.Choices[ev.Choice]; ev.Kind {
	case llm.Start:
		s.ID, s.Model = ev.ID.Text(), ev.Name.Text()
	case llm.BlockStart:
		c.Blocks = append(c.Blocks, saidBlock{Kind: ev.Part, ID: ev.ID.Text(), Name: ev.Name.Text(), Opaque: ev.Opaque.Text()})
	case llm.Delta:
		b := &c.Blocks[len(c.Blocks)-1]
		b.Text += string(ev.Text.Inner())
		b.Opaque += ev.Opaque.Text()
	case llm.BlockStop:
		b := &c.Blocks[len(c.Blocks)-1]
		if b.Text = llm.JSON(`"` + b.Text + `"`).Text(); b.Kind == llm.ToolCall {
			b.Text = arguments(b.Text)
		}
	case llm.Cited:
		cited := *ev.Citation
		cited.URL, cited.Title = llm.Quote(cited.URL.Text()), llm.Quote(cited.Title.Text())
		c.Cited = append(c.Cited, cited)
	case llm.Scored:
		c.Tokens = append(c.Tokens, tokens(ev.Tokens)...)
	case llm.ChoiceEnd, llm.End:
		c.Finish, c.Refusal = ev.Finish, ev.Refusal.Text()
		s.Usage.Add(&ev.Usage)
	}
}

// arguments are those of a call without white space; a tool without parameters may be called with nothing.
func arguments(text string) string {
	var out bytes.Buffer
	switch {
	case text == "":
		return "{}"
	case json.Compact(&out, []byte(text)) != nil: // cut at the limit
		return text
	}
	return out.String()
}

// tokens are those of an event, to be kept.
func tokens(list []llm.Token) (kept []llm.Token) {
	for _, t := range list {
		kept = append(kept, llm.Token{Text: bytes.Clone(t.Text), ID: bytes.Clone(t.ID), Logprob: bytes.Clone(t.Logprob), Top: tokens(t.Top)})
	}
	return kept
}

// roundTripAnswer writes an answer again, as a complete one and as a stream. What is no whole answer is passed
// over.
func (d Dialect) roundTripAnswer(t *testing.T, body []byte, stream bool) {
	t.Helper()
	var want said
	complete, streamed := d.Writer(), d.Writer()
	var payloads []string
	send := func(payload []byte) { payloads = append(payloads, string(payload)) }
	var answer []byte
	ok := d.hear(body, stream, func(ev *llm.Event) {
		want.hear(ev)
		streamed.Payloads(ev, send)
		if ev.Kind == llm.End {
			answer = complete.Answer(ev)
		} else {
			complete.Collect(ev)
		}
	})
	if !ok {
		return
	}
	var got said
	if !d.hear(answer, false, got.hear) {
		t.Fatalf("what was written is no answer: %s", answer)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("as a complete answer: %s\n%s", diff, answer)
	}
	got = said{}
	st := d.Stream()
	for _, p := range payloads {
		if err := st.Read([]byte(p), got.hear); err != nil {
			t.Fatalf("%v: %s", err, p)
		}
	}
	if st, ok := st.(ender); ok {
		st.Close(got.hear)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("as a stream: %s\n%s", diff, strings.Join(payloads, "\n"))
	}
}

// hear calls tell with the events of an answer, and reports whether it is a whole one.
func (d Dialect) hear(body []byte, stream bool, tell func(*llm.Event)) (whole bool) {
	if !stream {
		end, err := d.Answer(body, tell)
		if err == nil {
			tell(&end)
		}
		return err == nil
	}
	next, st := d.payloads(bytes.NewReader(body)), d.Stream()
	heard := func(ev *llm.Event) {
		whole = whole || ev.Kind == llm.End
		tell(ev)
	}
	for !whole {
		payload, err := next()
		if err != nil {
			if st, ok := st.(ender); ok {
				st.Close(heard)
			}
			break
		}
		if string(payload) != "[DONE]" && st.Read(payload, heard) != nil {
			return false
		}
	}
	return whole
}

// Decodes: every request of the dialect that decodes and can be asked for is encoded, decoded and encoded again, with the same
// result. So encoding and decoding lose nothing.
func (d Dialect) Decodes(f *testing.F) {
	seed(f, "requests", func(input []byte) []byte {
		body, _, _ := d.Request(string(input))
		return body
	})
	f.Fuzz(func(t *testing.T, body []byte) {
		r, refusal := d.decoded("", body)
		if refusal != nil {
			return
		}
		first, _, refusal := d.Encode(r)
		if refusal != nil {
			return
		}
		again, refusal := d.decoded(r.Model, first)
		if refusal != nil {
			t.Fatalf("%v in %s", refusal, first)
		}
		second, left, refusal := d.Encode(again)
		if refusal != nil || string(second) != string(first) {
			t.Fatalf("left out %q, refused: %v: %s", left, refusal, cmp.Diff(string(first), string(second)))
		}
	})
}

// Writes: whatever is answered in the dialect, what can be read of it can be written, and says the same.
func (d Dialect) Writes(f *testing.F) {
	seed(f, "answers", nil)
	f.Fuzz(func(t *testing.T, body []byte) { d.roundTripAnswer(t, body, false) })
}
