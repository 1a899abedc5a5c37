package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// A conversation of 10,000 items with 200 tools reaches a target of another dialect whole, from callers of each API.
func TestLongConversations(t *testing.T) {
	t.Parallel()
	const items, tools = 10_000, 200
	list := func(n int, one func(i int) string) string {
		all := make([]string, n)
		for i := range all {
			all[i] = one(i)
		}
		return strings.Join(all, ",")
	}
	role := func(i int, answers string) string { return [...]string{"user", answers}[i%2] }
	for name, tt := range map[string]struct{ path, body string }{
		"Responses": {"/v1/responses", `{"model":"m","input":[` + list(items, func(i int) string {
			return fmt.Sprintf(`{"role":%q,"content":"%d"}`, role(i, "assistant"), i)
		}) + `],"tools":[` + list(tools, func(i int) string {
			return fmt.Sprintf(`{"type":"function","name":"f%d","parameters":{"type":"object","properties":{}}}`, i)
		}) + `]}`},
		"Messages": {"/v1/messages", `{"model":"m","max_tokens":9,"messages":[` + list(items, func(i int) string {
			return fmt.Sprintf(`{"role":%q,"content":"%d"}`, role(i, "assistant"), i)
		}) + `],"tools":[` + list(tools, func(i int) string {
			return fmt.Sprintf(`{"name":"f%d","input_schema":{"type":"object","properties":{}}}`, i)
		}) + `]}`},
		"generateContent": {"/v1beta/models/m:generateContent", `{"contents":[` + list(items, func(i int) string {
			return fmt.Sprintf(`{"role":%q,"parts":[{"text":"%d"}]}`, role(i, "model"), i)
		}) + `],"tools":[{"functionDeclarations":[` + list(tools, func(i int) string {
			return fmt.Sprintf(`{"name":"f%d","parametersJsonSchema":{"type":"object","properties":{}}}`, i)
		}) + `]}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			one, other := apptest.NewUpstream(t, nil), apptest.NewUpstream(t, nil)
			w := apptest.StartWith(t, routed(one, other, "policy: ordered"))
			if a := post(t, w, w.NewKey(t, "all"), tt.path, tt.body); a.status != http.StatusOK {
				t.Fatalf("%d %.300s", a.status, a.body)
			}
			var sent struct {
				Messages []struct{ Role, Content string }
				Tools    []struct{ Function struct{ Name string } }
			}
			if err := json.Unmarshal(one.Served()[0].Body, &sent); err != nil {
				t.Fatal(err)
			}
			if len(sent.Messages) != items || len(sent.Tools) != tools {
				t.Fatalf("%d messages and %d tools were sent", len(sent.Messages), len(sent.Tools))
			}
			for i, m := range sent.Messages {
				if m.Role != role(i, "assistant") || m.Content != fmt.Sprint(i) {
					t.Fatalf("message %d is %+v", i, m)
				}
			}
			for i, tool := range sent.Tools {
				if tool.Function.Name != fmt.Sprintf("f%d", i) {
					t.Fatalf("tool %d is %+v", i, tool)
				}
			}
		})
	}
}
