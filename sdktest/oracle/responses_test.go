package oracle

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3/packages/respjson"
	"github.com/openai/openai-go/v3/responses"
)

// TestAnswersOfResponses has OpenAI's SDK read what the program answers to callers of Responses: its own answers, those that pass as they came, what it stored,
// and what it counted and compacted. They have no member that the SDK does not know, and all that it says is always there.
func TestAnswersOfResponses(t *testing.T) {
	t.Parallel()
	w := startProgram(t)
	for _, model := range []string{"passed", "claude", "gemini", "chat"} {
		t.Run(model, func(t *testing.T) {
			ask := `{"model":"` + model + `","input":"hi","instructions":"Be kind.","max_output_tokens":500`
			var first, found responses.Response
			id := w.read(t, "POST", "", ask+`}`, &first)
			w.read(t, "POST", "", ask+`,"tools":[{"type":"function","name":"f","parameters":{"type":"object","properties":{}},"strict":false}],"tool_choice":"required"}`, new(responses.Response))
			w.read(t, "GET", "/"+id, "", &found)
			w.read(t, "GET", "/"+id+"/input_items", "", new(responses.ResponseItemList))
			w.read(t, "POST", "/input_tokens", `{"model":"`+model+`","input":"hi"}`, new(responses.InputTokenCountResponse))
			w.read(t, "POST", "/compact", `{"model":"`+model+`","input":"hi"}`, new(responses.CompactedResponse))
			if found.OutputText() == "" || found.OutputText() != first.OutputText() {
				t.Errorf("stored was %q, not %q", found.OutputText(), first.OutputText())
			}
			w.stream(t, ask+`,"stream":true}`)
		})
	}
}

// program is a running Weir.
type program struct{ url, key string }

// startProgram runs the program in front of a simulated provider, as a user would.
func startProgram(t *testing.T) program {
	t.Helper()
	dir := t.TempDir()
	bin := filepath.Join(dir, "weir")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", bin, "./cmd/weir")
	build.Dir, build.Env = filepath.Join("..", ".."), append(os.Environ(), "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	up := begin(t, dir, regexp.MustCompile(`simulated provider on (http://\S+)/v1`), bin, "sim", "--listen", "127.0.0.1:0")
	config := fmt.Sprintf(`listen: "127.0.0.1:0"
admin: {listen: "127.0.0.1:0"}
responses: {keep: 1h, secret: "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="}
providers:
  openai: {kind: openai, base_url: "%[1]s/v1", api_key: k, speaks: [responses]}
  chats: {kind: openai, base_url: "%[1]s/v1", api_key: k}
  anthropic: {kind: anthropic, base_url: "%[1]s/v1", api_key: k}
  google: {kind: gemini, base_url: "%[1]s/v1beta", api_key: k}
models:
  passed: {targets: [openai/gpt-5.5]}
  chat: {targets: [chats/gpt-5.5]}
  claude: {targets: [anthropic/claude-sonnet-4-5]}
  gemini: {targets: [google/gemini-2.5-flash]}
`, up)
	if err := os.WriteFile(filepath.Join(dir, "weir.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	found := begin(t, dir, regexp.MustCompile(`(?s)(sk-weir-\S+).*"url":"(http://[^"]+)/v1"|"url":"(http://[^"]+)/v1".*(sk-weir-\S+)`), bin, "serve", "--config", "weir.yaml", "--print-key")
	key := regexp.MustCompile(`sk-weir-\S+`).FindString(found)
	return program{url: strings.TrimSpace(strings.Replace(found, key, "", 1)), key: key}
}

// begin starts a program that ends with the test, and waits until its output has what a pattern says. It returns the groups.
func begin(t *testing.T, dir string, ready *regexp.Regexp, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	out, in := io.Pipe()
	cmd.Stdout, cmd.Stderr = in, in
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { _ = in.CloseWithError(cmd.Wait()) }()
	var said strings.Builder
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		said.WriteString(lines.Text() + "\n")
		if m := ready.FindStringSubmatch(said.String()); m != nil {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return strings.Join(m[1:], " ")
		}
	}
	t.Fatalf("%s %v said:\n%s", name, args, said.String())
	return ""
}

// do asks the program.
func (w program) do(t *testing.T, method, path, body string) []byte {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, w.url+"/v1/responses"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+w.key)
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s %s was answered %d: %v %s", method, path, resp.StatusCode, err, text)
	}
	return text
}

// read holds an answer against a type of the SDK, and returns its id.
func (w program) read(t *testing.T, method, path, body string, into any) string {
	t.Helper()
	text := w.do(t, method, path, body)
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	for _, wrong := range misread(reflect.ValueOf(into).Elem(), "") {
		t.Errorf("%s %s: %s in %s", method, path, wrong, text)
	}
	var of struct{ ID string }
	if err := json.Unmarshal(text, &of); err != nil {
		t.Fatal(err)
	}
	return of.ID
}

// stream holds the events of a stream against the SDK's.
func (w program) stream(t *testing.T, body string) {
	t.Helper()
	last := ""
	for line := range strings.Lines(string(w.do(t, "POST", "", body))) {
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		var event responses.ResponseStreamEventUnion
		if err := json.Unmarshal([]byte(data), &event); err != nil {
			t.Fatalf("%v: %s", err, data)
		}
		last = event.Type
		for _, wrong := range misread(reflect.ValueOf(event), "") {
			t.Errorf("%s in %s", wrong, data)
		}
	}
	if last != "response.completed" {
		t.Errorf("the last event is %q", last)
	}
}

// misread lists what the SDK does not know of a value that it read, and what it lacks.
func misread(v reflect.Value, at string) (wrong []string) {
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			wrong = append(wrong, misread(v.Index(i), fmt.Sprintf("%s[%d]", at, i))...)
		}
		return wrong
	case reflect.Struct:
	default:
		return nil
	}
	if as := v.MethodByName("AsAny"); as.IsValid() {
		one := as.Call(nil)[0]
		if strings.HasPrefix(v.FieldByName("Type").String(), "input_") {
			return nil // the SDK reads each message as one of the assistant's
		}
		if one.IsNil() {
			return []string{at + " is of an unknown type"}
		}
		return misread(one.Elem(), at)
	}
	known := v.FieldByName("JSON")
	if !known.IsValid() {
		return nil
	}
	if extra := known.FieldByName("ExtraFields"); extra.IsValid() {
		for _, name := range extra.MapKeys() {
			if name.String() != untyped {
				wrong = append(wrong, at+"."+name.String()+" is unknown")
			}
		}
	}
	for i := range v.NumField() {
		of := v.Type().Field(i)
		field := known.FieldByName(of.Name)
		if !field.IsValid() || field.Type() != reflect.TypeFor[respjson.Field]() {
			continue
		}
		name := at + "." + of.Tag.Get("json")
		switch met := field.Interface().(respjson.Field); {
		case met.Raw() == "" && of.Tag.Get("api") == "required" && of.Name != typed:
			wrong = append(wrong, name+" is missing")
		case met.Raw() != "" && met.Raw() != "null":
			wrong = append(wrong, misread(v.Field(i), name)...)
		}
	}
	return wrong
}

// What the SDK's types say is otherwise in OpenAI's own answers, recorded from July to November 2026: they have store, and no access_programs, in which OpenAI
// names a programme of its own.
const (
	untyped = "store"
	typed   = "AccessPrograms"
)

// TestMisread shows that what is wrong is found.
func TestMisread(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"input_tokens":3,"object":"response.input_tokens"}`:               "",
		`{"object":"response.input_tokens"}`:                                "[.input_tokens is missing]",
		`{"input_tokens":3,"object":"response.input_tokens","estimated":1}`: "[.estimated is unknown]",
	} {
		var v responses.InputTokenCountResponse
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		if wrong := misread(reflect.ValueOf(v), ""); len(wrong) > 0 && fmt.Sprint(wrong) != want || len(wrong) == 0 && want != "" {
			t.Errorf("%s: %v, not %s", text, wrong, want)
		}
	}
}
