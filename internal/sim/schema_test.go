package sim

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestSynthesise(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]string{
		``: `{}`, `not json`: `{}`, `{}`: `"simulated"`, `{"type":"object"}`: `{}`,
		`{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"integer"}}}`: `{"b":"simulated","a":1}`,
		`{"properties":{"a":{"items":{"type":"null"}}}}`:                                `{"a":[null]}`,
		`{"type":["null","number"]}`:                                                    `1`,
		`{"type":["null"]}`:                                                             `null`,
		`{"type":"boolean"}`:                                                            `true`,
		`{"type":"array","items":{"type":"boolean"},"minItems":3}`:                      `[true,true,true]`,
		`{"type":"array"}`:                                                              `[]`,
		`{"enum":[{"x": 1},2]}`:                                                         `{"x": 1}`,
		`{"const":null}`:                                                                `null`,
		`{"const":"c","type":"string"}`:                                                 `"c"`,
		`{"anyOf":[{"type":"integer"},{"type":"null"}]}`:                                `1`,
		`{"oneOf":[{"const":5}]}`:                                                       `5`,
		`{"allOf":[{"$ref":"#/$defs/n"},{"properties":{"b":{"type":"integer"}}}],"$defs":{"n":{"type":"object","properties":{"a":{"type":"null"}}}}}`: `{"a":null,"b":1}`,
		`{"$ref":"#/definitions/n","definitions":{"n":{"type":"integer"}}}`:                                                                           `1`,
		`{"$ref":"elsewhere"}`:                                  `"simulated"`,
		`{"type":"string","format":"date"}`:                     `"2025-01-02"`,
		`{"type":"string","minLength":12}`:                      `"simulated..."`,
		`{"type":"string","maxLength":3}`:                       `"sim"`,
		`{"type":"integer","minimum":10}`:                       `10`,
		`{"type":"integer","maximum":-3}`:                       `-3`,
		`{"type":"integer","exclusiveMinimum":1}`:               `2`,
		`{"type":"integer","exclusiveMaximum":1}`:               `0`,
		`{"type":"integer","multipleOf":5,"minimum":12}`:        `15`,
		`{"type":"number","minimum":0,"exclusiveMaximum":0.25}`: `0`,
	} {
		if got := string(synthesise(json.RawMessage(schema))); got != want {
			t.Errorf("%s gives %s, not %s", schema, got, want)
		}
	}
}

// A schema that contains itself has an end all the same.
func TestSynthesiseRecursion(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{
		`{"type":"object","properties":{"next":{"$ref":"#"}},"required":["next"]}`,
		`{"type":"object","properties":{"all":{"type":"array","items":{"$ref":"#"}}}}`,
		`{"$ref":"#"}`,
		`{"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"},{"type":"null"}]}}}`,
		`{"allOf":[{"$ref":"#"}]}`,
		`{"allOf":[null],"anyOf":[null],"oneOf":[null]}`,
		`{"properties":{"a":{"$ref":"#"},"b":{"$ref":"#"},"c":{"$ref":"#"},"d":{"$ref":"#"}}}`,
		`{"items":{"minLength":1000000000},"minItems":1000000000}`,
		`{"type":"number","minimum":1e308,"multipleOf":1e-300}`,
	} {
		if got := synthesise(json.RawMessage(schema)); !json.Valid(got) || len(got) > 4*maxSize {
			t.Errorf("%s gives %.200s", schema, got)
		}
	}
}

func FuzzSynthesise(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":{"a":{"type":"integer","minimum":3}},"required":["a"]}`))
	f.Add([]byte(`{"anyOf":[{"$ref":"#"},null],"enum":[1]}`))
	f.Add([]byte(`{"allOf":[null,{"$ref":"#"}],"items":{"minItems":2}}`))
	f.Fuzz(func(t *testing.T, schema []byte) {
		if got := synthesise(schema); !json.Valid(got) {
			t.Errorf("%s gives %s", schema, got)
		}
	})
}

func TestTokensOfText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		tokens := split(text)
		if strings.Join(tokens, "") != text || len(tokens) != count(text) {
			t.Fatalf("%q is split into %q, counted %d", text, tokens, count(text))
		}
		for _, token := range tokens {
			if len(token) == 0 || len(token) > tokenBytes || !utf8.ValidString(token) {
				t.Fatalf("token %q of %q", token, text)
			}
		}
		n := rapid.IntRange(1, 200).Draw(t, "tokens")
		if got := count(fit(text, n)); text != "" && got != n {
			t.Fatalf("%q fitted to %d tokens has %d", text, n, got)
		}
		size := rapid.IntRange(1, 50).Draw(t, "size")
		if got := excerpt(text, size); len(got) > size+len("…") || !utf8.ValidString(got) || strings.Contains(got, "\n") {
			t.Fatalf("excerpt of %q to %d bytes: %q", text, size, got)
		}
	})
	if split("\xff\xfe\xfd\x80\x80\x80\x80\x80")[0] == "" || count("\x80\x80\x80\x80\x80\x80") != 2 {
		t.Error("bytes that are not UTF-8 are not split")
	}
}
