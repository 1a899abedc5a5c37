package storetest

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/stored"
)

var responseTests = map[string]func(*testing.T, func() Store){
	"responses are their key's":           responsesAreTheirKeys,
	"responses expire":                    responsesExpire,
	"responses of revoked keys go":        responsesOfRevokedKeysGo,
	"a key's oldest responses make room":  oldestResponsesMakeRoom,
	"all responses together are bounded":  allResponsesAreBounded,
	"a response is saved under a new id":  responsesAreNotReplaced,
	"responses are there after a restart": responsesAreThereAfterARestart,
}

var roomy = stored.Bounds{Key: 1 << 20, Total: 1 << 20}

// response is a sample of a size, made at a time.
func response(id, keyID string, size int, made time.Time) stored.Row {
	return stored.Row{ID: id, KeyID: keyID, Sealed: bytes.Repeat([]byte{0xff}, size), CreatedAt: made, ExpiresAt: made.Add(time.Hour)}
}

func saveResponses(t *testing.T, s Store, most stored.Bounds, list ...stored.Row) {
	t.Helper()
	for _, r := range list {
		if saved, err := s.SaveResponse(t.Context(), r, most); err != nil || !saved {
			t.Fatalf("%s: %v, %v", r.ID, saved, err)
		}
	}
}

// wantResponses fails unless exactly the wanted ones of some ids are found.
func wantResponses(t *testing.T, s Store, keyID string, now time.Time, ids []string, want ...string) {
	t.Helper()
	var got []string
	for _, id := range ids {
		r, found, err := s.Response(t.Context(), id, keyID, now)
		if err != nil {
			t.Fatal(err)
		}
		if found {
			got = append(got, r.ID)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("there are %q, want %q", got, want)
	}
}

func responsesAreTheirKeys(t *testing.T, open func() Store) {
	s, other := open(), open()
	a := response("resp_a", "k1", 5, at(0))
	saveResponses(t, s, roomy, a, response("resp_b", "k2", 5, at(0)))
	ids := []string{"resp_a", "resp_b", "resp_c", "", "a\x00", "\xff"} // callers choose what to ask for
	for _, s := range []Store{s, other} {
		wantResponses(t, s, "k1", at(1), ids, "resp_a")
		wantResponses(t, s, "k2", at(1), ids, "resp_b")
		wantResponses(t, s, "", at(1), ids)
	}
	got, _, err := other.Response(t.Context(), "resp_a", "k1", at(1))
	if err != nil || !bytes.Equal(got.Sealed, a.Sealed) || !got.CreatedAt.Equal(a.CreatedAt) || !got.ExpiresAt.Equal(a.ExpiresAt) {
		t.Errorf("%v, %+v", err, got)
	}
	for _, step := range []struct {
		key  string
		want bool
	}{{"k2", false}, {"k1", true}, {"k1", false}} {
		if found, err := other.DeleteResponse(t.Context(), "resp_a", step.key, at(1)); err != nil || found != step.want {
			t.Errorf("%s: %v, %v", step.key, found, err)
		}
	}
	wantResponses(t, s, "k1", at(1), ids)
	if found, err := s.DeleteResponse(t.Context(), "a\x00", "k1", at(1)); err != nil || found {
		t.Errorf("%v, %v", found, err)
	}
}

func responsesExpire(t *testing.T, open func() Store) {
	s := open()
	ids := []string{"resp_a", "resp_b"}
	late := response("resp_b", "k", 5, at(0))
	late.ExpiresAt = at(0).Add(2 * time.Hour)
	saveResponses(t, s, roomy, response("resp_a", "k", 5, at(0)), late)
	end := at(0).Add(time.Hour)
	wantResponses(t, s, "k", end.Add(-time.Microsecond), ids, ids...)
	wantResponses(t, s, "k", end, ids, "resp_b")
	if found, err := s.DeleteResponse(t.Context(), "resp_a", "k", end); err != nil || found {
		t.Errorf("%v, %v", found, err)
	}
	if err := s.DeleteOldResponses(t.Context(), end); err != nil {
		t.Fatal(err)
	}
	wantResponses(t, s, "k", at(0), ids, "resp_b") // though the clock went back
}

func responsesOfRevokedKeysGo(t *testing.T, open func() Store) {
	s := open()
	for _, id := range []string{"000000000001", "000000000002"} {
		if _, err := s.InsertKey(t.Context(), sample(id, id)); err != nil {
			t.Fatal(err)
		}
		saveResponses(t, s, roomy, response("resp_"+id, id, 5, at(0)))
	}
	saveResponses(t, s, roomy, response("resp_file", "cfg-x", 5, at(0)))
	_, err := s.UpdateKey(t.Context(), "000000000001", func(k *auth.Key) error {
		k.RevokedAt = at(1)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteOldResponses(t.Context(), at(1)); err != nil {
		t.Fatal(err)
	}
	wantResponses(t, s, "000000000001", at(1), []string{"resp_000000000001"})
	wantResponses(t, s, "000000000002", at(1), []string{"resp_000000000002"}, "resp_000000000002")
	wantResponses(t, s, "cfg-x", at(1), []string{"resp_file"}, "resp_file")
}

func oldestResponsesMakeRoom(t *testing.T, open func() Store) {
	s := open()
	most := stored.Bounds{Key: 10, Total: 1000}
	ids := []string{"resp_a", "resp_b", "resp_c", "resp_d"}
	saveResponses(t, s, most, response("resp_x", "other", 10, at(0)))
	saveResponses(t, s, most, response("resp_a", "k", 4, at(0)), response("resp_b", "k", 4, at(1)), response("resp_c", "k", 2, at(2)))
	wantResponses(t, s, "k", at(3), ids, "resp_a", "resp_b", "resp_c")
	saveResponses(t, s, most, response("resp_d", "k", 5, at(3)))
	wantResponses(t, s, "k", at(3), ids, "resp_c", "resp_d")
	wantResponses(t, s, "other", at(3), []string{"resp_x"}, "resp_x")
	if saved, err := s.SaveResponse(t.Context(), response("resp_e", "k", 11, at(4)), most); saved || err != nil {
		t.Errorf("%v, %v", saved, err)
	}
	wantResponses(t, s, "k", at(3), ids, "resp_c", "resp_d")
}

func allResponsesAreBounded(t *testing.T, open func() Store) {
	s := open()
	most := stored.Bounds{Key: 10, Total: 20}
	saveResponses(t, s, most, response("resp_a", "a", 10, at(0)), response("resp_b", "b", 9, at(0)))
	if saved, err := s.SaveResponse(t.Context(), response("resp_c", "c", 2, at(1)), most); saved || err != nil {
		t.Errorf("%v, %v", saved, err)
	}
	if saved, err := s.SaveResponse(t.Context(), response("resp_d", "b", 10, at(1)), most); !saved || err != nil { // in place of its own
		t.Errorf("%v, %v", saved, err)
	}
	if found, err := s.DeleteResponse(t.Context(), "resp_a", "a", at(1)); !found || err != nil {
		t.Errorf("%v, %v", found, err)
	}
	saveResponses(t, s, most, response("resp_c", "c", 10, at(1)))
}

func responsesAreNotReplaced(t *testing.T, open func() Store) {
	s := open()
	saveResponses(t, s, roomy, response("resp_a", "k1", 5, at(0)))
	if saved, err := s.SaveResponse(t.Context(), response("resp_a", "k2", 6, at(0)), roomy); saved || err == nil {
		t.Errorf("%v, %v", saved, err)
	}
	wantResponses(t, s, "k1", at(0), []string{"resp_a"}, "resp_a")
	wantResponses(t, s, "k2", at(0), []string{"resp_a"})
}

func responsesAreThereAfterARestart(t *testing.T, open func() Store) {
	saveResponses(t, open(), roomy, response("resp_a", "k", 5, at(0)))
	wantResponses(t, open(), "k", at(1), []string{"resp_a"}, "resp_a")
}
