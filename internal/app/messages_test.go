package app_test

import (
	"bytes"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
)

func replayMessages(t *testing.T, rig *rig) {
	t.Helper()
	recorded.Messages(t, func(t *testing.T, r recorded.Interaction) {
		rig.translates(t, r, `"message_stop"`, recorded.ReadMessages)
	})
}

func replayCohere(t *testing.T, rig *rig) {
	t.Helper()
	recorded.Chats(t, "cohere", 7, func(t *testing.T, r recorded.Interaction) { rig.translates(t, r, `"message-end"`, recorded.ReadCohere) })
}

func replayGemini(t *testing.T, rig *rig) {
	t.Helper()
	for provider, least := range map[string]int{"gemini": 22, "vertex": 17} {
		recorded.Chats(t, provider, least, func(t *testing.T, r recorded.Interaction) {
			rig.translates(t, r, `"finishReason"`, recorded.ReadGemini)
		})
	}
}

func replayCohereEmbeddings(t *testing.T, rig *rig) {
	t.Helper()
	recorded.EmbeddingsOf(t, "cohere", 2, rig.embeds)
}

func replayGeminiEmbeddings(t *testing.T, rig *rig) {
	t.Helper()
	recorded.EmbeddingsOf(t, "gemini", 2, rig.embeds)
}

func replayVertexEmbeddings(t *testing.T, rig *rig) {
	t.Helper()
	recorded.EmbeddingsOf(t, "vertex", 1, rig.embeds)
}

// embeds has traffic of another dialect answer a call of embeddings, in both encodings.
func (r *rig) embeds(t *testing.T, recording recorded.Interaction) {
	t.Helper()
	r.Note(t, recording)
	body := recording.Response.Body.Bytes()
	r.player.set(func(w http.ResponseWriter) {
		w.WriteHeader(recording.Response.Status)
		_, _ = w.Write(body)
	})
	want := recorded.Vectors(t, body)
	inputs := strings.TrimSuffix(strings.Repeat(`"i",`, max(len(want), 1)), ",")
	for _, encoding := range []string{"float", "base64"} {
		status, answer := r.send(t, llm.Embeddings, `{"model":"m","input":[`+inputs+`],"encoding_format":"`+encoding+`"}`)
		expected := map[int]int{200: 200, 404: 502}[recording.Response.Status]
		if len(want) == 0 { // Gemini counting tokens makes no vectors
			expected = http.StatusBadGateway
		}
		if status != expected {
			t.Fatalf("%d, not %d: %s", status, expected, tailOf(answer))
		}
		if status == http.StatusOK {
			recorded.CheckVectors(t, answer, want)
		}
	}
}

func replayConverse(t *testing.T, rig *rig) {
	t.Helper()
	recorded.Chats(t, "bedrock", 31, func(t *testing.T, r recorded.Interaction) {
		rig.translates(t, r, `messageStop`, recorded.ReadConverse)
	})
}

// translates answers a request with traffic of another dialect. What the caller gets has OpenAI's form without any repair, and says
// what an independent reading of the recording says. A stream cut after any event before its last, or within one, ends in an error.
// last is the part of an event that makes a stream complete.
func (r *rig) translates(t *testing.T, recording recorded.Interaction, last string, read func(*testing.T, recorded.Interaction) recorded.Told) {
	t.Helper()
	const ask = `{"model":"m","messages":[{"role":"user","content":"hi"}]`
	r.Note(t, recording)
	before := r.repairs(t)
	body := recording.Response.Body.Bytes()
	r.player.set(func(w http.ResponseWriter) {
		w.WriteHeader(recording.Response.Status)
		_, _ = w.Write(body)
	})
	options := complete
	if recording.Stream {
		options = withUsage
	}
	status, answer := r.send(t, llm.Chat, ask+options+"}")
	want := map[int]int{200: 200, 400: 400, 401: 502, 403: 502, 404: 502}[recording.Response.Status]
	if bytes.Contains(body, []byte("model identifier is invalid")) { // Bedrock's way of saying 404
		want = 502
	}
	if status != want {
		t.Fatalf("%d, not %d: %s", status, want, answer)
	}
	if after := r.repairs(t); !maps.Equal(before, after) {
		t.Errorf("repairs %v, then %v", before, after)
	}
	if status != http.StatusOK {
		return
	}
	payloads, done := []string{string(answer)}, true
	if recording.Stream {
		payloads, done = recorded.Payloads(t, answer)
	}
	if diff := cmp.Diff(read(t, recording), recorded.Heard(t, payloads)); diff != "" {
		t.Errorf("the recording says something else (-) than the caller gets (+):\n%s", diff)
	}
	if !recording.Stream {
		return
	}
	if recorded.CheckStream(t, payloads, false); !done {
		t.Errorf("no [DONE]: %s", tailOf(answer))
	}
	for cut := range r.cuts(body, last) {
		r.player.set(whole(cut.Body))
		status, answer := r.send(t, llm.Chat, ask+options+"}")
		if _, done := recorded.Payloads(t, answer); status == http.StatusOK && (done || !bytes.Contains(answer, []byte(`data: {"error":{"message"`))) {
			t.Fatalf("cut %s, it passes for whole: %s", cut, tailOf(answer))
		}
	}
}
