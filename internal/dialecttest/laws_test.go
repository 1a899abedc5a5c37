package dialecttest

import "testing"

// A loss in the caller's own values, or in a number that is too large for arithmetic, shows; meaningless values do not.
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
