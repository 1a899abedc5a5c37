package claude

import (
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

func TestFit(t *testing.T) {
	t.Parallel()
	const closed = `"additionalProperties":false`
	of := func(property string) string {
		return `{"type":"object","properties":{"a":` + property + `},"required":["a"],` + closed + `}`
	}
	for _, tt := range []struct{ name, schema, want string }{ // want is "" for what has no such form, and = for what stays
		{"as it is", of(`{"type":["string","null"],"title":"A","enum":["x",null],"format":"date-time"}`), "="},
		{"as it is spelled", `{"properties" : { } , "additionalProperties": false,"type" :"object"}`, "="},
		{"a bound", of(`{"type":"integer","minimum":0,"description":"How many","maximum":9}`), of(`{"type":"integer","description":"How many (minimum: 0, maximum: 9)"}`)},
		{"a bound that is all", of(`{"minLength":1}`), of(`{"description":"minLength: 1"}`)},
		{"a pattern", of(`{"type":"string","pattern":"^\"\\d+$"}`), of(`{"type":"string","description":"pattern: \"^\\\"\\\\d+$\""}`)},
		{"a format unknown", of(`{"type":"string","format":"color"}`), of(`{"type":"string","description":"format: \"color\""}`)},
		{"items at least one", of(`{"type":"array","items":{"type":"string"},"minItems":1}`), "="},
		{"items at least two", of(`{"type":"array","items":{"type":"string","maxLength":2},"minItems":2}`), of(`{"type":"array","items":{"type":"string","description":"maxLength: 2"},"description":"minItems: 2"}`)},
		{"a property that is called as a bound", of(`{"type":"object","properties":{"minimum":{"type":"string"},"not":{"type":"null"}},` + closed + `}`), "="},
		{"open", `{"type":"object","properties":{"a":{"type":"string"}}}`, `{"type":"object","properties":{"a":{"type":"string"}},` + closed + `}`},
		{"open, without a type", `{"properties":{"a":{"type":"string"}}}`, `{"properties":{"a":{"type":"string"}},` + closed + `}`},
		{"one of several", of(`{"oneOf":[{"type":"string"},{"type":"integer","minimum":1}]}`), of(`{"anyOf":[{"type":"string"},{"type":"integer","description":"minimum: 1"}]}`)},
		{"definitions", `{"type":"object","properties":{"a":{"$ref":"#/$defs/n"}},` + closed + `,"$defs":{"n":{"type":"number","multipleOf":2}}}`, `{"type":"object","properties":{"a":{"$ref":"#/$defs/n"}},` + closed + `,"$defs":{"n":{"type":"number","description":"multipleOf: 2"}}}`},
		{"definitions that share one", `{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/b"}],"$defs":{"a":{"allOf":[{"$ref":"#/$defs/c"}]},"b":{"anyOf":[{"$ref":"#/$defs/c"}]},"c":{"type":"null"}}}`, "="},
		{"a definition of itself", `{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"n":{"anyOf":[{"$ref":"#/$defs/n"},{"type":"null"}]}},` + closed + `}}}`, ""},
		{"by another one", `{"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"}]},"b":{"anyOf":[{"$ref":"#/$defs/a"}]}}}`, ""},
		{"the whole again", of(`{"$ref":"#"}`), ""},
		{"another document", of(`{"$ref":"https://example.com/a.json"}`), ""},
		{"any object", `{"type":"object"}`, ""},
		{"any object, said otherwise", `{"type":["object","null"],"properties":{}}`, ""},
		{"a map", of(`{"type":"object","additionalProperties":{"type":"string"}}`), ""},
		{"expressly open", `{"type":"object","properties":{"a":{}},"additionalProperties":true}`, ""},
		{"a negation", of(`{"not":{"type":"null"}}`), ""},
		{"a description that is none", of(`{"description":5,"minimum":1}`), ""},
		{"no schema", of(`true`), ""},
		{"a list that is none", of(`{"anyOf":{}}`), ""},
		{"too deep", strings.Repeat(`{"items":`, 70) + `{}` + strings.Repeat(`}`, 70), ""},
	} {
		fitted, lost, ok := Fit(llm.JSON(tt.schema))
		want := tt.want
		if want == "=" {
			want = tt.schema
		}
		if string(fitted) != want || ok != (want != "") || lost != (ok && strings.Contains(want, ": ") && tt.want != "=") {
			t.Errorf("%s: %s, %v, %v", tt.name, fitted, lost, ok)
		}
		if Fits(llm.JSON(tt.schema)) != (tt.want == "=") {
			t.Errorf("%s: whether it fits", tt.name)
		}
	}
	if !Fits(nil) || !Fits(llm.JSON(`{}`)) {
		t.Error("a tool without parameters does not fit")
	}
}

// FuzzFit: whatever the schema, what comes of it is JSON, and fits.
func FuzzFit(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":{"a":{"oneOf":[{"minimum":1,"description":"x"},{"$ref":"#/$defs/b"}]}},"$defs":{"b":{"pattern":"\u0022"}}}`))
	f.Fuzz(func(t *testing.T, schema []byte) {
		if jsonwalk.Valid(schema, jsonwalk.Options{Unique: true}) != nil {
			return
		}
		fitted, _, ok := Fit(schema)
		if !ok {
			return
		}
		if err := jsonwalk.Valid(fitted, jsonwalk.Options{Unique: true}); err != nil {
			t.Fatalf("%s became %s: %v", schema, fitted, err)
		}
		if again, lost, ok := Fit(fitted); !ok || lost || string(again) != string(fitted) {
			t.Fatalf("%s became %s, and then %s", schema, fitted, again)
		}
	})
}
