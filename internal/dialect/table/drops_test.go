package table

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/anthropic"
	"github.com/weirproxy/weir/internal/dialect/gemini"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/responses"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
	"github.com/weirproxy/weir/internal/shape"
)

// api is one whose streams have an order.
type api struct {
	path string
	in   *dialect.Ingress
	asks func(t *testing.T) dialect.Chat
}

const messageStop = `{"type":"message_stop"}`

var apis = map[string]api{
	"messages": {"messages", anthropic.Messages, func(t *testing.T) dialect.Chat {
		r, err := anthropic.ParseRequest([]byte(`{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"hi"}]}`), dialect.ParseOptions{})
		return parsed(t, r, err)
	}},
	"responses": {"responses", responses.Responses, func(t *testing.T) dialect.Chat {
		r, err := responses.Parse([]byte(`{"model":"m","input":"hi","reasoning":{"summary":"auto"},"include":["reasoning.encrypted_content"]}`), dialect.ParseOptions{})
		return parsed(t, r, err)
	}},
	"google": {"v1beta/models/m:streamGenerateContent", gemini.Streaming, func(t *testing.T) dialect.Chat {
		r, err := gemini.Parse([]byte(`{"contents":[{"parts":[{"text":"hi"}]}]}`), true, dialect.ParseOptions{Model: "m"})
		return parsed(t, r, err)
	}},
}

func parsed(t *testing.T, r dialect.Chat, err *llm.Error) dialect.Chat {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// end is the event that is a part of the framing.
func (a *api) end() []string {
	if a.in.Framing.Done == "" {
		return nil
	}
	return []string{messageStop}
}

// dropped are the places of a stream's events that a test leaves out: all of a short one, and of a longer one those next to an event of another kind.
// What says nothing is not among them. The longest have no other events than the others, and take their time.
func dropped(t *testing.T, payloads []string) (places []int) {
	t.Helper()
	if len(payloads) > 120 {
		t.Skip("a long stream")
	}
	for i, p := range payloads {
		between := i > 0 && i < len(payloads)-1 && kindOf(payloads[i-1]) == kindOf(p) && kindOf(payloads[i+1]) == kindOf(p)
		if (!between || len(payloads) < 10) && !silent.MatchString(p) {
			places = append(places, i)
		}
	}
	return places
}

// silent matches events that say nothing: empty pieces, white space and an empty object in arguments, and what is of another choice.
var silent = regexp.MustCompile(`"type": ?"ping"|_delta".*"(text|thinking)": ?""|"partial_json": ?"(|\\n|{})"|\.delta".*"delta": ?""|"parts":\[{"text":""}\]|"index":1}\],"modelVersion"`)

// kindOf is what an event is about: its type, or which members it has.
func kindOf(payload string) (kind string) {
	if typ := anthropic.TypeOf([]byte(payload)); typ != nil {
		return string(typ)
	}
	for _, word := range []string{"tool_calls", `"reasoning`, `"content":"`, `finish_reason":"`, `"usage":{`, "functionCall", "finishReason", `"thought`} {
		if strings.Contains(payload, word) {
			kind += word
		}
	}
	return kind
}

// without is a list without the element at a place.
func without(list []string, i int) []string { return slices.Delete(slices.Clone(list), i, i+1) }

// renumbered numbers the events of a response again, so that none seems to be missing.
func renumbered(payloads []string) []string {
	list := slices.Clone(payloads)
	for i, p := range list {
		before, after, ok := strings.Cut(p, `"sequence_number":`)
		if ok {
			list[i] = before + `"sequence_number":` + strconv.Itoa(i) + strings.TrimLeft(after, " 0123456789")
		}
	}
	return list
}

// Whatever vendor an answer was recorded of, the stream that is written of it says what the whole answer says. If any one event is left out, that can be
// noticed: the order is broken, or something else is said.
func TestDroppedEventsAreNoticed(t *testing.T) {
	t.Parallel()
	for name, a := range apis {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			everyRecording(t, func(t *testing.T, read func(tell func(*llm.Event)) error) {
				_, payloads, body := written(t, a.asks(t), read)
				payloads = append(payloads, a.end()...)
				said, failed, err := shape.Together(a.path, payloads)
				whole, wrong := shape.Said(a.path, body)
				if err != nil || failed || wrong != nil {
					t.Fatalf("%v, %v\n%s", err, wrong, strings.Join(payloads, "\n"))
				}
				if diff := cmp.Diff(whole, said); diff != "" {
					t.Fatalf("whole (-) and streamed (+):\n%s", diff)
				}
				for _, i := range dropped(t, payloads) {
					left := without(payloads, i)
					if said, failed, err := shape.Together(a.path, left); err == nil && (failed || cmp.Equal(said, whole)) {
						t.Errorf("no one notices that this is missing: %s", payloads[i])
					}
					if name != "responses" || strings.Contains(payloads[i], "response.in_progress") {
						continue
					}
					if _, _, err := shape.Together(a.path, renumbered(left)); err == nil {
						t.Errorf("no one notices by the order that this is missing: %s", payloads[i])
					}
				}
			})
		})
	}
}

// everyRecording has a caller read every recorded answer.
func everyRecording(t *testing.T, as reads) {
	t.Helper()
	recordings(t, as)
	t.Run("anthropic", func(t *testing.T) {
		recorded.Messages(t, func(t *testing.T, r recorded.Interaction) { codecOf(t, Codec(llm.Anthropic), r, as) })
	})
}

// events are the payloads of a recorded stream.
func events(t *testing.T, c *dialect.Codec, r recorded.Interaction) (list []string) {
	t.Helper()
	if !r.Stream || r.Response.Status != 200 {
		t.Skip("no stream")
	}
	for next := payloadsOf(c, r.Response.Body.Bytes()); ; {
		payload, err := next()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Skip(err)
		}
		if len(payload) > 0 && (c.Done || string(payload) != "[DONE]") {
			list = append(list, string(payload))
		}
	}
}

var errFails = &llm.Error{Kind: llm.UpstreamFailed, Message: "It broke."}

// fails adds the event with which a stream ends that fails.
func (a *api) fails(sent []string, of any) []string {
	if f, ok := of.(dialect.Failer); ok {
		return append(sent, string(f.Failure(nil, errFails)))
	}
	return append(sent, string(a.in.Framing.Error(errFails)))
}

// translate is what a caller is sent of a stream of another dialect, and whether that is a whole answer.
func (a *api) translate(t *testing.T, c *dialect.Codec, payloads []string) (sent []string, whole bool) {
	writer := a.asks(t).Writer(dialect.Writing{Stand: dialect.Stand{Name: "r", Asked: "m"}})
	tell := func(ev *llm.Event) {
		if chunk := writer.Chunk(nil, ev); len(chunk) > 0 {
			sent = append(sent, strings.Split(string(chunk), "\n")...)
		}
		whole = whole || ev.Kind == llm.End
	}
	reader := c.Stream()
	for _, p := range payloads {
		if whole {
			break
		}
		if err := reader.Read([]byte(p), tell); err != nil {
			return a.fails(sent, writer), false
		}
	}
	if e, ok := reader.(dialect.Ender); ok && !whole {
		e.Close(tell)
	}
	if !whole {
		return a.fails(sent, writer), false
	}
	return append(sent, a.end()...), true
}

// pass is what a caller is sent of a stream of its own dialect.
func (a *api) pass(t *testing.T, _ *dialect.Codec, payloads []string) (sent []string, whole bool) {
	walk := a.asks(t).(dialect.Passing).Walk(nil, "")
	done := false
	for _, p := range payloads {
		if done = walk.Last([]byte(p)); done {
			break
		}
		chunk, err := walk.WalkBehind(nil, []byte(p))
		if err != nil || chunk.Error {
			return a.fails(sent, walk), false
		}
		if !chunk.Drop {
			sent = append(sent, string(jsonwalk.Apply(nil, []byte(p), chunk.Edits)))
		}
	}
	if !walk.Complete(done) {
		return a.fails(sent, walk), false
	}
	if end := walk.Ending(); end != nil {
		sent = append(sent, string(end))
	}
	return append(sent, a.end()...), true
}

// lacking leaves each event out of a recorded stream, and holds what a caller is sent against the order of its API.
func (a *api) lacking(t *testing.T, c *dialect.Codec, r recorded.Interaction, send func(*testing.T, *dialect.Codec, []string) ([]string, bool)) {
	t.Helper()
	payloads := events(t, c, r)
	sent, whole := send(t, c, payloads)
	if !whole {
		t.Skip("it is no whole answer")
	}
	if _, _, err := shape.Together(a.path, sent); err != nil {
		t.Skip(fmt.Errorf("its vendor has its own order: %w", err))
	}
	for _, i := range dropped(t, payloads) {
		sent, whole := send(t, c, without(payloads, i))
		if !whole && len(sent) == 1 { // nothing was sent before: it can be another target's
			continue
		}
		if _, failed, err := shape.Together(a.path, sent); err != nil || failed == whole {
			t.Errorf("without %s\nthe caller is sent %v:\n%s", payloads[i], err, strings.Join(sent, "\n"))
		}
	}
}

// Whichever event a target leaves out, the caller's stream is in order to its end, or to its dialect's own failure.
func TestStreamsThatLackAnEvent(t *testing.T) {
	t.Parallel()
	for name, a := range apis {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for target, d := range map[string]llm.Dialect{"cohere": llm.Cohere, "gemini": llm.Gemini, "vertex": llm.Vertex, "bedrock": llm.Converse} {
				t.Run(target, func(t *testing.T) {
					recorded.Chats(t, target, 1, func(t *testing.T, r recorded.Interaction) { a.lacking(t, Codec(d), r, a.translate) })
				})
			}
			t.Run("openai", func(t *testing.T) {
				recorded.Streams(t, func(t *testing.T, e llm.Endpoint, r recorded.Interaction) {
					if e != llm.Chat {
						t.Skip("no chat")
					}
					a.lacking(t, Codec(llm.OpenAI), r, a.translate)
				})
			})
			for target, d := range map[string]llm.Dialect{"anthropic": llm.Anthropic, "responses": llm.Responses} {
				send := a.translate
				if d == a.in.Dialect {
					send = a.pass
				}
				t.Run(target, func(t *testing.T) {
					each := func(t *testing.T, r recorded.Interaction) { a.lacking(t, Codec(d), r, send) }
					if d == llm.Responses {
						recorded.Responses(t, 15, each)
					} else {
						recorded.Messages(t, each)
					}
				})
			}
		})
	}
}
