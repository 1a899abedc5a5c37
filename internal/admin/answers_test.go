package admin_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// described checks answers against what openapi.json says of their route.
type described struct {
	compiler *jsonschema.Compiler
	paths    map[string]any
}

func readDescription(t *testing.T) *described {
	t.Helper()
	file, err := os.Open("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	doc, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	d := &described{jsonschema.NewCompiler(), doc.(map[string]any)["paths"].(map[string]any)}
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
		"requests": "requests", "requests?limit=1": "requests", "requests/req_0D1JUTABCDEFGH000000000000": "requests/{request}", "verify": "verify", "latency": "latency", "latency?by=model,hour": "latency", "latency?by=5m": "latency",
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
