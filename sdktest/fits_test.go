package sdktest

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/responses"
	"github.com/weirproxy/weir/internal/dialect/sse"
	dialects "github.com/weirproxy/weir/internal/dialect/table"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
	"github.com/weirproxy/weir/sdktest/internal/install"
)

// What a caller of the Responses API gets of every recorded answer, each event and the whole, fits the types of OpenAI's own SDK.
func TestResponsesFitTheSDKsTypes(t *testing.T) {
	t.Parallel()
	python := install.Venv(t, "python", "python/requirements.txt")
	var lines bytes.Buffer
	t.Run("recordings", func(t *testing.T) {
		each := func(d llm.Dialect) func(*testing.T, recorded.Interaction) {
			return func(t *testing.T, r recorded.Interaction) { responsesOf(t, &lines, dialects.Codec(d), r) }
		}
		chats := func(t *testing.T, e llm.Endpoint, r recorded.Interaction) {
			if e == llm.Chat {
				each(llm.OpenAI)(t, r)
			}
		}
		recorded.Streams(t, chats)
		recorded.Answers(t, chats)
		recorded.Messages(t, each(llm.Anthropic))
		recorded.Responses(t, 15, each(llm.Responses))
		for vendor, d := range map[string]llm.Dialect{"cohere": llm.Cohere, "gemini": llm.Gemini, "vertex": llm.Vertex, "bedrock": llm.Converse} {
			recorded.Chats(t, vendor, 1, each(d))
		}
	})
	if lines.Len() == 0 {
		t.Skip("the recordings are not kept next to the repository")
	}
	t.Logf("%d lines", bytes.Count(lines.Bytes(), []byte("\n")))
	file := filepath.Join(t.TempDir(), "lines")
	if err := os.WriteFile(file, lines.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), python, "-B", filepath.Join("python", "fits.py"), file).CombinedOutput(); err != nil || !bytes.HasSuffix(out, []byte("checked\n")) {
		t.Errorf("%v\n%s", err, out)
	}
}

// responsesOf adds what a caller gets of an answer of another dialect: all events of a stream, and the whole.
func responsesOf(t *testing.T, lines *bytes.Buffer, c *dialect.Codec, r recorded.Interaction) {
	t.Helper()
	asked, refused := responses.Parse([]byte(`{"model":"m","input":"hi","reasoning":{"summary":"auto"},"include":["reasoning.encrypted_content","message.output_text.logprobs"]}`), dialect.ParseOptions{})
	if refused != nil {
		t.Fatal(refused)
	}
	writing := dialect.Writing{Stand: dialect.Stand{Name: "r", Asked: "m", Now: 1}}
	stream, whole := asked.Writer(writing), asked.Writer(writing)
	var body []byte
	var out bytes.Buffer
	tell := func(ev *llm.Event) {
		if chunk := stream.Chunk(nil, ev); len(chunk) > 0 {
			out.Write(append(chunk, '\n'))
		}
		if ev.Kind == llm.End {
			body = whole.Answer(ev)
		} else {
			whole.Collect(ev)
		}
	}
	if answered(c, r, tell) && json.Valid(body) {
		lines.Write(out.Bytes())
		lines.Write(append(body, '\n'))
	}
}

// answered tells the events of a recorded answer, and reports whether it is one.
func answered(c *dialect.Codec, r recorded.Interaction, tell func(*llm.Event)) bool {
	if r.Response.Status != 200 {
		return false
	}
	body := r.Response.Body.Bytes()
	if !r.Stream {
		end, err := c.Answer(body, tell)
		if err == nil {
			tell(&end)
		}
		return err == nil
	}
	var next func() ([]byte, error)
	if events := sse.NewReader(bytes.NewReader(body), 1<<24); c.Frames != nil {
		next = c.Frames(bytes.NewReader(body), 1<<24, nil).Next
	} else {
		next = func() ([]byte, error) {
			ev, err := events.Next()
			return bytes.TrimSpace(ev.Data), err
		}
	}
	reader := c.Stream()
	for {
		payload, err := next()
		if err != nil {
			break
		}
		if len(payload) == 0 || !c.Done && string(payload) == "[DONE]" {
			continue
		}
		if reader.Read(bytes.Clone(payload), tell) != nil {
			return false
		}
	}
	if e, ok := reader.(dialect.Ender); ok {
		e.Close(tell)
	}
	return true
}
