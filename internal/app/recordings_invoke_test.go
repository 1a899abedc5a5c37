package app_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/recorded"
)

// Claude's own API on Bedrock is asked by a caller of Messages as it was by the client that was recorded, and says the same, event by event.
func TestRecordingsOfClaudeOnBedrock(t *testing.T) {
	var path, answer, media string
	var asked []byte
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path = r.URL.Path
		asked, _ = io.ReadAll(r.Body)
		w.Header().Set("Content-Type", media)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(upstream.Close)
	file := filepath.Join(t.TempDir(), "weir.yaml")
	config := fmt.Sprintf("providers: {aws: {kind: bedrock, base_url: %q, api_key: k}}\nmodels: {m: {targets: [aws/us.anthropic.claude-x]}}\n", upstream.URL)
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	w := apptest.Start(t, file)
	key := w.NewKey(t, "recordings")
	recorded.Invoked(t, func(t *testing.T, r recorded.Interaction) {
		if r.Response.Status != http.StatusOK {
			return
		}
		operation := "invoke"
		if answer, media = string(r.Response.Body.Bytes()), "application/json"; r.Stream {
			answer, media, operation = string(r.Frames), "application/vnd.amazon.eventstream", "invoke-with-response-stream"
		}
		got := sendMessages(t, w, key, asCaller(t, r))
		if want := "/model/us.anthropic.claude-x/" + operation; path != want {
			t.Errorf("asked at %s", path)
		}
		if diff := cmp.Diff(members(t, string(r.Request.Body.Bytes())), members(t, string(asked))); diff != "" {
			t.Errorf("asked otherwise:\n%s", diff)
		}
		if !r.Stream {
			if got != answer {
				t.Errorf("%s\nand not\n%s", got, answer)
			}
			return
		}
		want, _ := recorded.Payloads(t, r.Response.Body.Bytes())
		for i, payload := range want {
			if strings.Contains(payload, `"type":"message_stop"`) {
				want[i] = `{"type":"message_stop"}` // without what the host measured
			}
		}
		want = slices.DeleteFunc(want, func(payload string) bool { return payload == `{"type":"ping"}` })
		payloads, _ := recorded.Payloads(t, []byte(got))
		if diff := cmp.Diff(want, payloads); diff != "" {
			t.Error(diff)
		}
	})
}

// asCaller is a recorded call as a client of Anthropic's would have made it.
func asCaller(t *testing.T, r recorded.Interaction) string {
	t.Helper()
	body := members(t, string(r.Request.Body.Bytes()))
	delete(body, "anthropic_version")
	body["model"], body["stream"] = "m", r.Stream
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// sendMessages is what a caller of Messages is answered.
func sendMessages(t *testing.T, w *apptest.Weir, key, body string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+w.Addr()+"/v1/messages", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Api-Key", key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%d %s %v", resp.StatusCode, answer, err)
	}
	return string(answer)
}
