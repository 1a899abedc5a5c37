package admin_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// described checks answers against what openapi.json says of their route.
type described struct {
	compiler *jsonschema.Compiler
	paths    map[string]json.RawMessage
}

func readDescription(t *testing.T) *described {
	t.Helper()
	text, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var routes struct {
		Paths map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(text, &routes); err != nil {
		t.Fatal(err)
	}
	d := &described{jsonschema.NewCompiler(), routes.Paths}
	d.compiler.AssertFormat()
	if err := d.compiler.AddResource("openapi.json", doc); err != nil {
		t.Fatal(err)
	}
	return d
}

// check fails unless the answer to a GET of a path of the pattern is as described.
func (d *described) check(t *testing.T, pattern, body string) {
	t.Helper()
	if d.paths[pattern] == nil {
		t.Fatalf("%s is not described", pattern)
	}
	at := "openapi.json#/paths/" + strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(pattern) + "/get/responses/200/content/application~1json/schema"
	schema, err := d.compiler.Compile(at)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%s: %v in %s", pattern, err, body)
	}
}

// Answers are what openapi.json says, and what it does not say is refused.
func TestAnswersAreAsDescribed(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	s.ship()
	key := s.create(`{"name":"app","models":["fast"],"tpm":5,"budgets":["5usd/month"]}`)
	d := readDescription(t)
	for path, pattern := range map[string]string{
		"keys": "keys", "keys?limit=1": "keys", "keys/" + key.ID: "keys/{key}", "teams": "teams", "teams/filed": "teams/{team}",
		"usage": "usage", "usage?by=key,team,hour": "usage", "usage?by=tag,month": "usage", "usage?by=provider,day": "usage", "attempts": "attempts",
		"session": "session", "settings": "settings",
		"requests": "requests", "requests?limit=1": "requests", "requests/req_0D1JUTABCDEFGH000000000000": "requests/{request}", "running": "running", "verify": "verify", "latency": "latency", "latency?by=model,hour": "latency", "latency?by=5m": "latency",
	} {
		got := s.do("GET", "/admin/v1/"+path, "")
		if got.status != 200 {
			t.Errorf("%s: %d %s", path, got.status, got.body)
			continue
		}
		d.check(t, "/admin/v1/"+pattern, got.body)
	}
	if got := s.do("GET", "/admin/v1/openapi.json", ""); !json.Valid([]byte(got.body)) {
		t.Error("the description is no JSON")
	}
}
