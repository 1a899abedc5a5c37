package admin

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/money"
)

// document is the part of openapi.json that the tests read.
type document struct {
	OpenAPI string `json:"openapi"`
	Paths   map[string]map[string]json.RawMessage
	Parts   struct {
		Schemas map[string]struct {
			AdditionalProperties *bool                      `json:"additionalProperties"`
			Properties           map[string]json.RawMessage `json:"properties"`
			Required             []string                   `json:"required"`
		} `json:"schemas"`
	} `json:"components"`
}

func readDocument(t *testing.T) document {
	t.Helper()
	var doc document
	if err := json.Unmarshal(openAPI, &doc); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(doc.OpenAPI, "3.1.") {
		t.Errorf("openapi %q", doc.OpenAPI)
	}
	return doc
}

func TestEveryRouteIsDescribedAndTheOtherWayRound(t *testing.T) {
	t.Parallel()
	described := map[string][]string{}
	for path, operations := range readDocument(t).Paths {
		for method := range operations {
			if method != "parameters" {
				described[path] = append(described[path], strings.ToUpper(method))
			}
		}
		slices.Sort(described[path])
	}
	served := map[string][]string{}
	for _, r := range everything().routes() {
		served[r.pattern] = slices.Sorted(maps.Keys(r.methods))
	}
	if diff := cmp.Diff(served, described); diff != "" {
		t.Errorf("routes (-) and openapi.json (+) differ:\n%s", diff)
	}
}

// The schemas have the members of the types that are sent, and require those that are never left out.
func TestSchemasMatchTheTypes(t *testing.T) {
	t.Parallel()
	doc := readDocument(t)
	for name, value := range map[string]any{
		"Key": Key{}, "Unsaved": Unsaved{}, "MintedKey": minted{}, "KeyList": page[Key]{}, "Team": Team{}, "TeamList": page[Team]{}, "Model": Model{}, "ModelTarget": ModelTarget{}, "Health": Health{}, "Fallback": Fallback{}, "ModelList": modelPage{}, "ReloadResult": ReloadResult{}, "Contents": Contents{}, "Config": Config{},
		"Explanation": Explanation{}, "LimitUse": LimitUse{}, "BudgetUse": BudgetUse{}, "LimitList": LimitList{}, "Hedge": Hedge{}, "Plan": Plan{}, "Prospect": Prospect{}, "Status": status{}, "Session": Session{}, "Settings": Settings{}, "Setting": Setting{}, "Reload": Reload{}, "StoreInfo": StoreInfo{},
		"UsageList": ledger.UsagePage{}, "UsageRow": ledger.UsageRow{}, "Figures": ledger.Figures{}, "AttemptList": attemptPage{}, "Running": Running{}, "RunningList": RunningList{}, "Ended": Ended{}, "Provider": Provider{}, "ProviderTarget": ProviderTarget{}, "Credential": Credential{}, "ProviderList": ProviderList{}, "Request": Request{}, "SpeedRow": SpeedRow{}, "Quantiles": Quantiles{}, "SpeedList": speedPage{}, "RequestTrail": Trail{}, "Tried": Tried{}, "Charge": money.Item{}, "RequestList": RequestPage{}, "Attempt": Attempt{}, "Adjustment": Adjustment{}, "Verification": Verification{}, "Difference": Difference{},
	} {
		want, required := members(reflect.TypeOf(value))
		schema := doc.Parts.Schemas[name]
		slices.Sort(schema.Required)
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(schema.Properties))); diff != "" {
			t.Errorf("%s: properties: %s", name, diff)
		}
		if diff := cmp.Diff(required, schema.Required); diff != "" {
			t.Errorf("%s: required: %s", name, diff)
		}
	}
	for name, schema := range doc.Parts.Schemas {
		if schema.AdditionalProperties == nil || *schema.AdditionalProperties {
			t.Errorf("%s takes members that nobody described", name)
		}
	}
}

// members are those of a type, and those that are never left out.
func members(of reflect.Type) (all, required []string) {
	for i := range of.NumField() {
		field := of.Field(i)
		if field.Anonymous {
			more, always := members(field.Type)
			all, required = append(all, more...), append(required, always...)
			continue
		}
		name, omit, _ := strings.Cut(field.Tag.Get("json"), ",")
		all = append(all, name)
		if omit == "" {
			required = append(required, name)
		}
	}
	slices.Sort(all)
	slices.Sort(required)
	return all, required
}

// Every reference leads somewhere.
func TestReferencesResolve(t *testing.T) {
	t.Parallel()
	var doc any
	if err := json.Unmarshal(openAPI, &doc); err != nil {
		t.Fatal(err)
	}
	var walk func(any)
	walk = func(node any) {
		switch node := node.(type) {
		case []any:
			for _, child := range node {
				walk(child)
			}
		case map[string]any:
			if ref, ok := node["$ref"].(string); ok && !resolves(doc, ref) {
				t.Errorf("%s leads nowhere", ref)
			}
			for _, child := range node {
				walk(child)
			}
		}
	}
	walk(doc)
}

func resolves(doc any, ref string) bool {
	path, ok := strings.CutPrefix(ref, "#/")
	for part := range strings.SplitSeq(path, "/") {
		node, isObject := doc.(map[string]any)
		if doc = node[part]; !isObject || doc == nil {
			return false
		}
	}
	return ok
}
