package refusal

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// coded is a vendor whose header names the type of an error.
var coded = Vendor{
	Status: func(typ string) int {
		return map[string]int{"Denied": 403, "Throttled": 429, "Invalid": 400, "PERMISSION_DENIED": 403}[typ]
	},
	Header: "X-Error", Code: func(message string) string {
		if strings.HasPrefix(message, "long") {
			return "context_length_exceeded"
		}
		return ""
	},
}

// typed is a vendor with types in the body, and a status of its own for what its rules forbid.
var typed = Vendor{Status: func(typ string) int { return map[string]int{"overloaded": 529, "denied": 403}[typ] }, Moderated: 498}

// A status means what it does with OpenAI unless the body, or the vendor, says more. The case that says most about who is at fault counts.
func TestMeanings(t *testing.T) {
	t.Parallel()
	plain := Vendor{}
	said := func(member, value string) string { return `{"error":{"message":"m","` + member + `":"` + value + `"}}` }
	words := func(message string) string { return `{"error":{"message":"` + message + `"}}` }
	for _, tt := range []struct {
		vendor *Vendor
		body   string
		want   map[Kind][]int
	}{
		{&plain, words("m"), map[Kind][]int{
			Failed: {408, 424, 500, 501, 502, 504, 520, 599}, Overloaded: {498, 503, 529}, RateLimited: {429}, BadCredential: {401, 402}, Denied: {403},
			Odd:       {201, 204, 206, 406, 409, 410, 411, 412, 414, 415, 416, 417, 418, 421, 423, 425, 426, 428, 431, 451, 477, 499},
			Misplaced: {302, 307, 404, 405}, TooLong: {413}, Refused: {400, 422},
		}},
		{&plain, "<html>", map[Kind][]int{Failed: {500, 502}, Misplaced: {400, 404, 409, 422}, Odd: {201}}},
		{&plain, said("code", "model_not_found"), map[Kind][]int{NoSuchModel: {400, 404, 409, 422}, Failed: {500}, Misplaced: {302}, Denied: {403}}},
		{&plain, said("code", "context_length_exceeded"), map[Kind][]int{TooLong: {400, 409, 413, 422}, Failed: {500}, Misplaced: {404}, RateLimited: {429}}},
		{&plain, said("code", "insufficient_quota"), map[Kind][]int{BadCredential: {401, 429}, Refused: {400}}},
		{&plain, said("code", "content_filter"), map[Kind][]int{Moderated: {400, 403}, RateLimited: {429}, Refused: {422}}},
		{&plain, words("Missing scopes: x"), map[Kind][]int{NotAllowed: {401, 402}, Denied: {403}, Refused: {400}}},
		{&plain, words("Request too large for x"), map[Kind][]int{TooLong: {429, 413}, Refused: {400}}},
		{&plain, words("bad key"), map[Kind][]int{BadCredential: {400, 401, 403}, Refused: {422}, RateLimited: {429}}},
		{&plain, `{"error":{"message":"m","details":[{"reason":"API_KEY_INVALID"}]}}`, map[Kind][]int{BadCredential: {400, 401, 403}, RateLimited: {429}}},
		{&typed, said("type", "denied"), map[Kind][]int{Denied: {400, 403}, Refused: {422}, Moderated: {498}, Overloaded: {529}}},
		{&typed, said("status", "denied"), map[Kind][]int{Denied: {400}}},
		{&coded, words("long"), map[Kind][]int{TooLong: {400}}},
	} {
		for want, statuses := range tt.want {
			for _, status := range statuses {
				m := tt.vendor.Read(status, nil, []byte(tt.body), func(m string) bool { return m == "bad key" }, time.Time{})
				if m.Kind != want {
					t.Errorf("%d, %s: %d, want %d", status, tt.body, m.Kind, want)
				}
			}
		}
	}
	for k := Failed; k <= Refused; k++ {
		if k.OfRequest() != (k == TooLong || k == Moderated || k == Refused) {
			t.Errorf("%d is of the request: %v", k, k.OfRequest())
		}
	}
}

// Where a header names the type of an error, that counts more than the status, and the body's own type does not
// count.
func TestTypesInHeaders(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		vendor       *Vendor
		header, body string
		want         int
	}{
		{&coded, "Throttled:http://x/", `{"message":"m"}`, 400}, // what follows the colon is cut off when it is read
		{&coded, "Throttled", `{"message":"m"}`, 429},
		{&coded, "Other", `{"message":"m"}`, 400},
		{&coded, "", `{"message":"m"}`, 400},
		{&coded, "Throttled", `{"message":"The model 'x' does not exist"}`, 404},
		{&typed, "Throttled", `{"message":"The model 'x' does not exist"}`, 400},
	} {
		if got := tt.vendor.StatusOf(400, http.Header{"X-Error": {tt.header}}, []byte(tt.body)); got != tt.want {
			t.Errorf("%s, %s: %d, want %d", tt.header, tt.body, got, tt.want)
		}
	}
	m := coded.Read(400, http.Header{"X-Error": {"Denied:http://x/"}}, []byte(`{"message":"m","type":"Invalid","code":"7"}`), func(string) bool { return false }, time.Time{})
	if m.Kind != Denied || m.Error.Type != "Denied" || m.Error.Code != "" {
		t.Errorf("%+v", m)
	}
}

// What an error inside a 200 means its code says, as a status or as one of OpenAI's or the vendor's.
func TestErrorsInside(t *testing.T) {
	t.Parallel()
	plain := Vendor{}
	for _, tt := range []struct {
		vendor *Vendor
		body   string
		want   int
	}{
		{&plain, `{"error":{"message":"m","code":503}}`, 503},
		{&plain, `{"error":{"message":"m","code":400}}`, 400},
		{&plain, `{"error":{"message":"m","code":599}}`, 599},
		{&plain, `{"error":{"message":"m","code":399}}`, 0},
		{&plain, `{"error":{"message":"m","code":600}}`, 0},
		{&plain, `{"error":{"message":"m","code":"rate_limit_exceeded"}}`, 429},
		{&plain, `{"error":"m"}`, 0},
		{&typed, `{"error":{"type":"overloaded","message":"m"}}`, 529},
		{&plain, `{"error":{"message":"` + strings.Repeat("a", maxInside) + `","code":503}}`, 0},
	} {
		if _, got := tt.vendor.Inside([]byte(tt.body)); got != tt.want {
			t.Errorf("%.80s: %d, want %d", tt.body, got, tt.want)
		}
	}
	if e, _ := plain.Inside([]byte(`{"error":"broken"}`)); e.Message != "broken" {
		t.Errorf("%+v", e)
	}
}

// What is repeated of an upstream's words: nothing of a refused credential, and nothing of a web page.
func TestWhatIsRepeated(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status     int
		body, want string
	}{
		{500, `{"error":{"message":" broken "}}`, "broken"},
		{401, `{"error":{"message":"Incorrect key abc"}}`, ""},
		{401, `{"error":{"message":"Missing scopes: x"}}`, "Missing scopes: x"},
		{403, `{"error":{"message":"not for account 7"}}`, ""},
		{404, `{"detail":"Not Found"}`, "Not Found"},
		{404, `404 page not found`, ""},
		{400, `<html>x</html>`, ""},
		{404, `{"error":{"message":"The model x does not exist in team 0123456789abcdefghij."}}`, "The model x does not exist in team [hidden]."},
		{429, `{"error":{"message":"Limit. Please try again in 3s. More"}}`, "Limit. More"},
		{500, `{"error":{"message":"` + strings.Repeat("a", 5000) + `"}}`, strings.Repeat("a", 4<<10)},
	} {
		vendor := Vendor{}
		if got := vendor.Read(tt.status, nil, []byte(tt.body), func(string) bool { return false }, time.Time{}).Said; got != tt.want {
			t.Errorf("%d, %.80s: %.80q", tt.status, tt.body, got)
		}
	}
}

// A refusal of the request is for the caller: unchanged if it has OpenAI's shape, otherwise in that shape with the codes that
// clients know.
func TestOwnWords(t *testing.T) {
	t.Parallel()
	plain := Vendor{}
	for _, tt := range []struct {
		vendor     *Vendor
		status     int
		body, want string
	}{
		{&plain, 400, `{ "error": {"message":"m","type":"t","param":null,"code":"c"}, "more": 1}`, `{ "error": {"message":"m","type":"t","param":null,"code":"c"}, "more": 1}`},
		{&plain, 422, `{"detail":"m"}`, `{"error":{"message":"m","type":"invalid_request_error","param":null,"code":null}}`},
		{&plain, 400, `{"error":{"message":"maximum context length is 8","type":"t","code":400}}`, `{"error":{"message":"maximum context length is 8","type":"t","param":null,"code":"context_length_exceeded"}}`},
		{&plain, 400, `{"error":{"message":"The input was flagged","code":400}}`, `{"error":{"message":"The input was flagged","type":"invalid_request_error","param":null,"code":"content_filter"}}`},
		{&plain, 400, `{"error":{"message":"The input was flagged","code":"own"}}`, `{"error":{"message":"The input was flagged","type":"invalid_request_error","param":null,"code":"own"}}`},
		{&typed, 498, `{"message":"blocked input"}`, `{"error":{"message":"blocked input","type":"invalid_request_error","param":null,"code":"content_filter"}}`},
		{&typed, 400, `{"error":{"message":"m","type":"theirs"}}`, `{"error":{"message":"m","type":"theirs","param":null,"code":null}}`},
		{&coded, 400, `{"error":{"message":"m","type":"theirs"}}`, `{"error":{"message":"m","type":"invalid_request_error","param":null,"code":null}}`},
		{&plain, 400, `{"a":1}`, `{"error":{"message":"{\"a\":1}","type":"invalid_request_error","param":null,"code":null}}`},
	} {
		m := tt.vendor.Read(tt.status, nil, []byte(tt.body), func(string) bool { return false }, time.Time{})
		if got := written(tt.vendor.Refusal(&m, []byte(tt.body), func(text string) string { return text })); got != tt.want {
			t.Errorf("%d, %s:\n%s, want\n%s", tt.status, tt.body, got, tt.want)
		}
	}
}
