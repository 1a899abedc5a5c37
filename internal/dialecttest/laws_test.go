package dialecttest

import "testing"

// What is lost of what is the caller's own, or of a number that is too large to be counted with, shows; what says nothing does not.
func TestPlain(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		one, other string
		same       bool
	}{
		{`{"a":1,"b":null}`, `{"a":1}`, true},
		{`{"a":[{"b":null}]}`, `{"a":[{}]}`, true},
		{`{"a":[null]}`, `{"a":[]}`, false},
		{`{"tool":{"input":{"x":null}}}`, `{"tool":{"input":{}}}`, false},
		{`{"schema":{"default":null}}`, `{"schema":{}}`, false},
		{`{"seed":9007199254740993}`, `{"seed":9007199254740992}`, false},
		{`{"text":"\"x\":null"}`, `{"text":""}`, false},
	} {
		if same := (Dialect{}).plain(t, []byte(tt.one)) == (Dialect{}).plain(t, []byte(tt.other)); same != tt.same {
			t.Errorf("%s and %s: the same is %v", tt.one, tt.other, same)
		}
	}
}
