package converse

import (
	"strconv"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

func TestFlatten(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, schema, want string
		lost               bool
	}{
		{"as it is", `{"properties" : {"a":{"type":"string","title":"A"}},"type":"object","required":["a"]}`, `{"properties" : {"a":{"type":"string","title":"A"}},"type":"object","required":["a"]}`, false},
		{"nothing", ``, ``, false},
		{"what describes and closes it", `{"title":"T","type":"object","properties":{},"additionalProperties":false}`, `{"title":"T","type":"object","properties":{},"additionalProperties":false}`, false},
		{
			"references", `{"$defs":{"b":{"type":"string","enum":["x"]},"a":{"type":"array","items":{"$ref":"#/$defs/b"}}},"type":"object","properties":{"p":{"anyOf":[{"$ref":"#/$defs/a"},{"type":"null"}]},"q":{"$ref":"#/$defs/b"}}}`,
			`{"type":"object","properties":{"p":{"anyOf":[{"type":"array","items":{"type":"string","enum":["x"]}},{"type":"null"}]},"q":{"type":"string","enum":["x"]}}}`, false,
		},
		{"a property of that name", `{"type":"object","properties":{"$ref":{"type":"string"}},"$defs":{"a":{}}}`, `{"type":"object","properties":{"$ref":{"type":"string"}}}`, false},
		{"one of itself", `{"definitions":{"n":{"type":"object","properties":{"n":{"$ref":"#/definitions/n"}}}},"properties":{"n":{"$ref":"#/definitions/n"}}}`, `{"properties":{"n":{"type":"object","properties":{"n":{"type":"object"}}}}}`, true},
		{"one that is not there", `{"$defs":{"a":{}},"properties":{"n":{"$ref":"#/$defs/n"}}}`, `{"properties":{"n":{"type":"object"}}}`, true},
		{"definitions alone", `{"$defs":{"a":{}}}`, `{}`, false},
	} {
		if flat, lost := flatten(llm.JSON(tt.schema), new(int)); string(flat) != tt.want || lost != tt.lost {
			t.Errorf("%s: %s, %v", tt.name, flat, lost)
		}
	}
}

// A schema whose definitions refer to one another many times over does not grow without end.
func TestFlattenGrowing(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(`{"properties":{"a":{"$ref":"#/$defs/0"}},"$defs":{"64":{}`)
	for i := range 64 {
		ref := `{"$ref":"#/$defs/` + strconv.Itoa(i+1) + `"}`
		b.WriteString(`,"` + strconv.Itoa(i) + `":{"anyOf":[` + ref + "," + ref + `]}`)
	}
	flat, lost := flatten(llm.JSON(b.String()+"}}"), new(int))
	if !lost || len(flat) > 4*maxFlat || jsonwalk.Valid(flat, jsonwalk.Options{}) != nil {
		t.Errorf("%d bytes, %v", len(flat), lost)
	}
}

// The same holds for many schemas in one request, because each might grow by as much.
func TestFlattenMany(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(`{"properties":{"a":{"$ref":"0"}},"$defs":{"14":{}`)
	for i := range 14 {
		n := strconv.Itoa(i + 1)
		b.WriteString(`,"` + strconv.Itoa(i) + `":{"a":{"$ref":"` + n + `"},"b":{"$ref":"` + n + `"}}`)
	}
	b.WriteString(`}}`)
	grown, size := 0, 0
	for range 50 {
		flat, _ := flatten(llm.JSON(b.String()), &grown)
		size += len(flat)
	}
	if size > 2*maxFlat {
		t.Errorf("50 schemas of %d bytes grow to %d", b.Len(), size)
	}
}
