package admin_test

import (
	"strconv"
	"strings"
	"testing"
)

// A query that cannot be read whole is refused: without the filter that is lost, a list would have what was not asked for.
func TestQueriesThatCannotBeReadAreRefused(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	many := strings.Builder{}
	for i := range 1500 {
		many.WriteString("&a" + strconv.Itoa(i))
	}
	for query, want := range map[string]int{
		"": 200, "?limit=5": 200, "?limit=%35": 200,
		"?limit=%zz": 400, "?cursor=a;b": 400, "?limit=5;": 400, "?limit=5&%": 400, "?format=csv&limit=%zz": 400, "?" + many.String(): 400, "?" + strings.Repeat("&", 8<<10): 413, "?" + strings.Repeat("z", 9000): 413,
	} {
		for _, path := range []string{"/admin/v1/keys", "/admin/v1/requests"} {
			if got := s.do("GET", path+query, ""); got.status != want {
				t.Errorf("%s%.40s: %d %.300s, want %d", path, query, got.status, got.body, want)
			}
		}
	}
}

// What a call repeats of what it was sent is short, in the answer and in the log.
func TestRefusalsAreShort(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	long := strings.Repeat("x", 100_000)
	for _, call := range [][3]string{{"POST", "/admin/v1/reload", `{"` + long + `":1}`}, {"GET", "/admin/v1/keys/" + long, ""}, {"GET", "/admin/v1/keys?" + long, ""}} {
		before := len(s.log.String())
		got := s.do(call[0], call[1], call[2])
		if got.status < 400 || len(got.body) > 1000 {
			t.Errorf("%.40s: %d, %d bytes", call[1], got.status, len(got.body))
		}
		if logged := len(s.log.String()) - before; logged > 9000 {
			t.Errorf("%.40s: %d bytes in the log", call[1], logged)
		}
	}
}
