package provider

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
)

// A body that was taken back is not read any more, nor is a copy of it, and its memory is not given out again.
func TestLoanEnds(t *testing.T) {
	t.Parallel()
	lent, loan := (&transport{std: new(http.Transport)}).lend(new(http.Request), dialect.NewBody([]byte(strings.Repeat("b", 100))))
	copied, err := lent.GetBody()
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []io.Reader{lent.Body, copied} {
		if n, err := body.Read(make([]byte, 10)); n != 10 || err != nil {
			t.Errorf("while it is lent: %d %v", n, err)
		}
	}
	loan.end()
	later, err := lent.GetBody()
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []io.Reader{lent.Body, copied, later} {
		if _, there := body.(io.WriterTo); there {
			t.Error("the body hands its memory out")
		}
		if n, err := body.Read(make([]byte, 10)); n != 0 || !errors.Is(err, errTakenBack) {
			t.Errorf("afterwards: %d %v", n, err)
		}
	}
}

// The loan ends with the call: with its error, and when its answer is closed.
func TestLoanEndsWithTheCall(t *testing.T) {
	t.Parallel()
	for name, answers := range map[string]bool{"an answer": true, "an error": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var lent io.Reader
			tr := &transport{std: &http.Transport{Proxy: nil}}
			tr.std.RegisterProtocol("test", roundTripper(func(req *http.Request) (*http.Response, error) {
				lent = req.Body
				if !answers {
					return nil, errReplayed
				}
				return &http.Response{Body: http.NoBody}, nil
			}))
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "test://origin/", sentBody{dialect.NewBody([]byte("body"))})
			if err != nil {
				t.Fatal(err)
			}
			resp, err := tr.RoundTrip(req)
			if answers != (err == nil) {
				t.Fatal(err)
			}
			if answers {
				if n, err := lent.Read(make([]byte, 1)); n != 1 || err != nil {
					t.Errorf("before the answer is closed: %d %v", n, err)
				}
				_ = resp.Body.Close()
			}
			if _, err := lent.Read(make([]byte, 1)); !errors.Is(err, errTakenBack) {
				t.Error(err)
			}
		})
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (r roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return r(req) }
