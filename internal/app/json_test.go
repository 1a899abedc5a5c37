package app_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// endpoints are the paths with a body, each with the member that it cannot do without.
func endpoints() map[string]string {
	return map[string]string{
		"/v1/chat/completions": `"messages":[{"role":"user","content":"hi"}]`,
		"/v1/completions":      `"prompt":"hi"`,
		"/v1/embeddings":       `"input":"hi"`,
	}
}

// lastCall is the body of the last call that the upstream got for a model, nil if it got none.
func lastCall(up *apptest.Upstream, model string) []byte {
	var body []byte
	for _, s := range up.Served() {
		if s.Model == model {
			body = s.Body
		}
	}
	return body
}

// What is not JSON, or could be read in two ways, is refused on every endpoint, and no upstream is called.
func TestJSONBombsAreRefused(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, passAll(up, ""))
	key := w.NewKey(t, "key")
	for path, main := range endpoints() {
		object := func(more string) string { return `{"model":"bomb",` + main + `,` + more + `}` }
		for name, body := range map[string]string{
			"nothing":                      "",
			"white space":                  " \r\n\t",
			"arrays to the end":            strings.Repeat("[", 1_000_000),
			"objects to the end":           strings.Repeat(`{"a":`, 1_000_000),
			"a member too deep":            object(`"x":` + strings.Repeat("[", 256) + strings.Repeat("]", 256)),
			"objects too deep":             object(`"x":` + strings.Repeat(`{"x":`, 255) + "{}" + strings.Repeat("}", 255)),
			"too deep within deep":         object(`"x":[` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `]`),
			"two models":                   object(`"model":"other"`),
			"two models, one escaped":      object(`"\u006dodel":"other"`),
			"two models, escaped in full":  object(`"\u006D\u006f\u0064\u0065\u006c":"other"`),
			"two streams":                  object(`"stream":false,"stream":true`),
			"two names within":             object(`"x":{"a":1,"a":2}`),
			"two names deep within":        object(`"x":[[{"b":{"a":1,"\u0061":2}}]]`),
			"two empty names":              object(`"":1,"":2`),
			"two names of a surrogate":     object(`"\ud83d\ude00":1,"😀":2`),
			"two names of a slash":         object(`"a\/b":1,"a/b":2`),
			"two names of a control":       object(`"a\n":1,"a\u000a":2`),
			"a byte that is not UTF-8":     object(`"x":"` + "\xff" + `"`),
			"a name that is not UTF-8":     object(`"` + "\x80" + `":1`),
			"an overlong encoding":         object(`"x":"` + "\xc0\xaf" + `"`),
			"a surrogate in raw":           object(`"x":"` + "\xed\xa0\x80" + `"`),
			"beyond Unicode":               object(`"x":"` + "\xf4\x90\x80\x80" + `"`),
			"cut within a rune":            object(`"x":"` + "\xe2\x82" + `"`),
			"UTF-16":                       "\xff\xfe{\x00}\x00",
			"a byte order mark":            "\xef\xbb\xbf" + object(`"x":1`),
			"trailing brace":               object(`"x":1`) + "}",
			"trailing value":               object(`"x":1`) + object(`"x":1`),
			"trailing comma behind":        object(`"x":1`) + ",",
			"trailing NUL":                 object(`"x":1`) + "\x00",
			"trailing text":                object(`"x":1`) + "\r\n\r\nPOST / HTTP/1.1",
			"a trailing comma":             object(`"x":1,`),
			"a comment":                    object(`"x":1/* */`),
			"a line comment":               object("\"x\":1 // no\n"),
			"single quotes":                object(`'x':1`),
			"a name without quotes":        object(`x:1`),
			"a raw newline in a string":    object("\"x\":\"a\nb\""),
			"a raw NUL in a string":        object("\"x\":\"a\x00b\""),
			"a bad escape":                 object(`"x":"\x41"`),
			"a short escape":               object(`"x":"\u12"`),
			"a leading zero":               object(`"x":01`),
			"a plus":                       object(`"x":+1`),
			"a lone dot":                   object(`"x":.5`),
			"a lone minus":                 object(`"x":-`),
			"no exponent":                  object(`"x":1e`),
			"NaN":                          object(`"x":NaN`),
			"Infinity":                     object(`"x":-Infinity`),
			"a hexadecimal number":         object(`"x":0x10`),
			"True":                         object(`"x":True`),
			"an array":                     "[" + object(`"x":1`) + "]",
			"a string":                     `"` + "model" + `"`,
			"null":                         "null",
			"an unclosed string":           `{"model":"bomb",` + main + `,"x":"` + strings.Repeat("a", 100_000),
			"no end":                       strings.TrimSuffix(object(`"x":1`), "}"),
			"a vertical tab between":       object("\v\"x\":1"),
			"a no-break space between":     object("\u00a0\"x\":1"),
			"a value without a name":       object(`1`),
			"a number as a name":           object(`1:1`),
			"two colons":                   object(`"x"::1`),
			"no comma":                     object(`"x":1 "y":2`),
			"an escaped quote at the end":  object(`"x":"\"`),
			"ten thousand escaped doubles": object(strings.Repeat(`"n":1,`, 10_000) + `"z":1`),
		} {
			if a := post(t, w, key, path, body); a.status != 400 || a.code() != "invalid_json" {
				t.Errorf("%s, %s: %d %.300s", path, name, a.status, a.body)
			}
		}
	}
	for _, s := range up.Served() {
		if s.Method == "POST" {
			t.Errorf("an upstream was called with %.200s", s.Body)
		}
	}
}

// What is JSON passes byte for byte, however large, deep or odd it is.
func TestOddJSONPassesUnchanged(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(`{"keep":4}`))
	w := apptest.StartWith(t, passAll(up, ""))
	key := w.NewKey(t, "key")
	for path, main := range endpoints() {
		i := 0
		for name, more := range map[string]string{
			"a long string":          `"x":"` + strings.Repeat("long ", 800_000) + `"`,
			"a long array":           `"x":[` + strings.Repeat("0,", 200_000) + `0]`,
			"a long number":          `"x":` + strings.Repeat("9", 200_000),
			"a long fraction":        `"x":0.` + strings.Repeat("3", 200_000) + `e-` + strings.Repeat("9", 1000),
			"numbers":                `"x":[1E400,-0,-0.0,1e+0,12345678901234567890123,0.1000,1E-9999,100000000000000000000000]`,
			"many members":           manyMembers(20_000),
			"lone surrogates":        `"x":"\ud800 \udc00 \udfff\ud800 \uD83D"`,
			"a name of a surrogate":  `"\ud800":1,"x":"\ud800"`,
			"names that fold":        `"Seed":1,"SEED":2,"ſeed":3`,
			"escapes":                `"x":"\u0000\u0001\"\\\/\b\f\n\r\t\u2028\ufeff\uFFFF"`,
			"raw separators":         `"x":"` + "\u2028\u2029\ufeff\U0010ffff" + `"`,
			"an empty name":          `"":""`,
			"white space":            "\r\n\t \"x\" \t:\r\n[ 1 ,\t2 ]\n",
			"html":                   `"x":"<script>&</script>"`,
			"as deep as may be":      `"x":` + strings.Repeat("[", 255) + strings.Repeat("]", 255),
			"as deep, of objects":    `"x":` + strings.Repeat(`{"x":`, 254) + "{}" + strings.Repeat("}", 254),
			"the same name apart":    `"x":{"a":{"a":1}},"y":{"a":1},"z":[{"a":1},{"a":1}]`,
			"a name like a path":     `"messages.0":1,"../../x":2,"__proto__":{"a":1},"constructor":null`,
			"an unknown stream kind": `"streams":7`,
		} {
			i++
			model := fmt.Sprintf("m%d%s", i, path)
			body := ` {"model" : "` + model + `",` + main + `,` + more + `} ` + "\n"
			a := post(t, w, key, path, body)
			if got := lastCall(up, model); a.status != 200 || string(got) != body {
				t.Errorf("%s, %s: %d %.300s; the upstream got %d bytes of %d", path, name, a.status, a.body, len(got), len(body))
			}
		}
	}
}

func manyMembers(n int) string {
	members := make([]string, n)
	for i := range members {
		members[i] = fmt.Sprintf(`"m%d":%d`, i, i)
	}
	return strings.Join(members, ",")
}

const shallow = 12 // limits.depth of the comparison with encoding/json

// TestVerdictOnJSON compares Weir's verdict over mutated bodies with one from encoding/json, and what passes with what
// was sent.
func TestVerdictOnJSON(t *testing.T) {
	t.Parallel()
	verdicts(t, 1000)
}

// The same over more bodies.
func TestLongVerdictOnJSON(t *testing.T) {
	long(t)
	verdicts(t, 10_000)
}

func verdicts(t *testing.T, bodies int) {
	up := apptest.NewUpstream(t, []byte(`{"keep":4}`))
	w := apptest.StartWith(t, passAll(up, "")+fmt.Sprintf("limits: {depth: %d}\n", shallow))
	key := w.NewKey(t, "key")
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{
		"{", "}", "[", "]", ",", ":", `"`, `\`, `\u0061`, `"a"`, `"a":1`, `,"a":2`, "null", "true", "1", "-", ".", "e9", " ", "\n", "\xff", "é", `\ud800`, "[[[[[[", "]]]]]]", `{"k":{"k":[`, "0", "\x00", "/", "'",
	}
	accepted := 0
	for i := range bodies {
		model := fmt.Sprintf("v%d", i)
		body := []byte(`{"model":"` + model + `","messages":[{"role":"user","content":"hi"}],"x":{"a":[1,{"b":"c"}],"d":null},"y":[[[]]]}`)
		at := len(`{"model":"` + model + `","messages":[{"role":"user","content":"hi"}],`)
		for range random.IntN(4) {
			from := at + random.IntN(len(body)-at)
			to := min(from+random.IntN(3), len(body))
			body = bytes.Join([][]byte{body[:from], []byte(pieces[random.IntN(len(pieces))]), body[to:]}, nil)
		}
		want := unambiguous(body)
		a := post(t, w, key, "/v1/chat/completions", string(body))
		got := lastCall(up, model)
		switch {
		case want && (a.status == 400 || !bytes.Equal(got, body)):
			t.Errorf("%q\nis JSON that can be read in one way, and was answered %d %s\nthe upstream got %q", body, a.status, a.body, got)
		case !want && (a.status != 400 || a.code() != "invalid_json" || got != nil):
			t.Errorf("%q\nis not, and was answered %d %s\nthe upstream got %q", body, a.status, a.body, got)
		}
		if want {
			accepted++
		}
	}
	if accepted < bodies/10 || accepted > bodies*9/10 {
		t.Errorf("%d of %d bodies were JSON: that compares little", accepted, bodies)
	}
}

// unambiguous is the oracle: one JSON object, in UTF-8, no name twice in one object, not too deep.
func unambiguous(body []byte) bool {
	if !json.Valid(body) || !utf8.Valid(body) || bytes.TrimLeft(body, " \r\n\t")[0] != '{' {
		return false
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var names []map[string]bool // one for each open container, nil for an array
	wantName := false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return true
		}
		top := len(names) - 1
		switch token := token.(type) {
		case json.Delim:
			switch token {
			case '{':
				names, wantName = append(names, map[string]bool{}), true
			case '[':
				names, wantName = append(names, nil), false
			default:
				names = names[:top]
				wantName = top > 0 && names[top-1] != nil
			}
			if len(names) > shallow {
				return false
			}
			continue
		case string:
			if wantName {
				if names[top][token] {
					return false
				}
				names[top][token] = true
				wantName = false
				continue
			}
		}
		wantName = top >= 0 && names[top] != nil
	}
}
