// Package transcript runs HTTP stories that a person can read against the real program. It is test support. It knows Weir
// and the simulated provider only through the small interfaces below.
//
// A story is a text file. Its first lines are comments that say what it proves; then come sections:
//
//	# An unknown key is refused before the upstream hears of the call.
//	-- weir.yaml --            the config; left out: models chat and embed on one upstream
//	-- sim.json --             the script of the upstream {{sim}}; sim2.json scripts {{sim2}}, and so on
//	-- other.txt --            any other name is a file beside weir.yaml
//	-- story --
//	> POST /v1/chat/completions
//	> Authorization: Bearer wrong
//	>
//	> {"model":"chat","messages":[{"role":"user","content":"hi"}]}
//	< 401
//	< content-type: application/json
//	< error: invalid_request_error invalid_api_key
//	upstream sim calls 0
//	log.status = 401
//
// # Requests
//
//	> METHOD TARGET            sent as written, on a new connection; "> admin GET …" goes to the admin listener
//	> Name: value              a header; nothing is added but Host and Content-Length, unless those are given
//	> @gzip  @chunked          the body is compressed; the body is sent in chunks
//	> @base64                  the body is written in base64
//	> @reuse                   sent on the connection of the request before
//	> @times N                 sent N times, each answer held against the lines that follow
//	>                          an empty line, then the body: its lines, without a newline after the last
//	>> raw\r\nbytes            sent verbatim instead of a request; knows \r \n \t \\ \xHH; lines are joined by nothing
//
// # Responses, each line about the last request
//
//	< 200                      the status
//	< name: value              a header's exact value; "< name: ~ regexp" matches; "< !name" says it is absent
//	< body = text              the exact bytes, compression undone
//	< body ~ regexp            and likewise for what follows; "!~" must not match
//	< body.a.b[0] = json       the JSON value there, exact but for white space between tokens; [-1] is the last
//	< body.a ~ regexp          its text (of a string: without the quotes)
//	< body.a absent            also: present, "length N" (of a list, an object's members, a string's bytes), "!= json"
//	< event[0].choices = []    the same for the JSON of one event of a stream, [DONE] not among them
//	< events length N          how many there are
//	< error: TYPE CODE [PARAM] the error body: exactly message, type, param, code; the message is not empty; "null" for none
//	< body:                    the exact body, written as the lines that follow:
//	<| data: [DONE]            one line of it, a newline included; "<~ regexp" matches the whole of one line
//	< reads regexp             reads on until what came so far matches, and no further: the body stays open
//	< cut                      the body broke off before its end
//	< closed                   after the response the server closes the connection, without another byte
//	< silence                  the server closes the connection without any response
//	< body.key -> name         {{name}} is that text from here on; also "< header: -> name"
//
// # Everything else
//
//	hang up                    the client closes the connection
//	upstream sim calls N       the upstream saw exactly N calls (waits for N)
//	upstream sim[0] hung up    waits until the upstream has noticed that its caller went away
//	upstream sim[0].body = …   also .method .path, .header.NAME (text), .headers (sorted names), .body.a.b (JSON);
//	                           sim[-1] is the last call; the comparisons are those of bodies
//	upstream sim.lists …       the same for GETs: model lists are fetched at any time, so they are counted apart
//	log.field = json           the one log event of the last request, found by its x-request-id; the comparisons are
//	                           those of bodies
//	key NAME [models=a,b]      makes a key; {{NAME}} is it
//	copy FILE FILE             copies one of the story's files over another
//
// Placeholders are replaced everywhere in a story: {{key}} (a key that may use every model), {{sim}} (base URL, /v1
// included), {{sim.root}} (without /v1), {{dead}} (a base URL that refuses connections). So are {{dir}} (the config's
// folder), {{admin}} (the admin token), {{repeat N text}}, and every name made by "->" and "key". In the other sections
// {{sim…}}, {{dead}} and {{dir}} are replaced.
package transcript

import (
	"context"
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// Setup is what a story asks of the program.
type Setup struct {
	Dir    string // a folder of the story's own
	Config string // path of the config file in Dir; it says nothing about addresses, data and store unless the story does
}

// Call is one call that an upstream saw.
type Call struct {
	Method string
	Path   string // with the query
	Header http.Header
	Body   []byte
	Gone   bool // the caller hung up before the answer was complete
}

// Upstream is a running simulated provider.
type Upstream interface {
	// URL is its base URL, /v1 included.
	URL() string
	// Wait returns the calls seen so far as soon as done accepts them; with an error once ctx has ended, the calls
	// included. It is safe for concurrent use.
	Wait(ctx context.Context, done func([]Call) bool) ([]Call, error)
}

// Instance is a running Weir.
type Instance interface {
	// Addr and AdminAddr are the addresses of the two listeners, host:port, both without TLS.
	Addr() string
	AdminAddr() string
	// AdminToken is the token that the admin API asks for.
	AdminToken() string
	// NewKey makes a key that may use the models; none means all. It ends the test if it cannot.
	NewKey(t testing.TB, name string, models []string) string
	// Log waits until done accepts the events of the requests logged so far, and returns them, oldest first, one JSON
	// object each. Once ctx has ended it returns them with an error. It is safe for concurrent use.
	Log(ctx context.Context, done func([]json.RawMessage) bool) ([]json.RawMessage, error)
}

// Program makes the parts that a story runs against. Both methods register their own cleanup and end the test if
// they fail.
type Program interface {
	// Upstream starts a simulated provider; an empty script answers everything.
	Upstream(t testing.TB, script []byte) Upstream
	// Start starts Weir.
	Start(t testing.TB, s Setup) Instance
}

// Files are the stories whose paths match a pattern. None ends the test.
func Files(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no story matches %s", pattern)
	}
	return files
}

// Run runs stories as parallel subtests, each named after its file.
func Run(t *testing.T, files []string, p Program) {
	t.Helper()
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			RunFile(t, file, p)
		})
	}
}

// RunFile runs one story.
func RunFile(t testing.TB, file string, p Program) {
	t.Helper()
	s, err := load(file)
	if err != nil {
		t.Fatal(err)
	}
	newRunner(t, s, p).run()
}
