package app_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/sim"
	"github.com/weirproxy/weir/internal/transcript"
)

// TestTranscripts runs the stories of testdata/transcripts; the transcript package's comment explains their format.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	transcript.Run(t, transcript.Files(t, "testdata/transcripts/*.txt"), program{})
}

// program hands stories the real parts.
type program struct{}

func (program) Upstream(t testing.TB, script []byte) transcript.Upstream {
	return upstream{apptest.NewUpstream(t, script)}
}

func (program) Start(t testing.TB, s transcript.Setup) transcript.Instance {
	return instance{apptest.Start(t, s.Config)}
}

type upstream struct{ *apptest.Upstream }

func (u upstream) Wait(ctx context.Context, done func([]transcript.Call) bool) ([]transcript.Call, error) {
	var calls []transcript.Call
	err := u.Server.Wait(ctx, func(served []sim.Served) bool {
		calls = calls[:0]
		for _, s := range served {
			calls = append(calls, transcript.Call{
				Method: s.Method, Path: s.Target, Header: revealed(s), Body: s.Body, Gone: s.ClientGone,
			})
		}
		return done(calls)
	})
	return calls, err
}

// revealed is the call's header with the credential, which the simulated provider keeps apart. In stories it is made up.
func revealed(s sim.Served) http.Header {
	h := s.Header.Clone()
	for name, prefix := range map[string]string{"Authorization": "Bearer ", "Api-Key": "", "X-Api-Key": "", "X-Goog-Api-Key": ""} {
		if h.Get(name) != "" {
			h.Set(name, prefix+s.Authorization.Reveal())
		}
	}
	return h
}

type instance struct{ *apptest.Weir }

func (i instance) AdminToken() string { return i.Weir.AdminToken().Reveal() }

func (i instance) NewKey(t testing.TB, name string, models []string) string {
	t.Helper()
	return i.Weir.NewKey(t, name, models...)
}

func (i instance) Log(ctx context.Context, done func([]json.RawMessage) bool) ([]json.RawMessage, error) {
	return i.Requests.Wait(ctx, done)
}
