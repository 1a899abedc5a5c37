package gateway

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/dialect/table"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/store/storetest"
	"github.com/weirproxy/weir/internal/stored"
)

// A conversation that cannot be read at the moment is not one that is too long: its caller is to come again, unless it has left.
func TestConversationsThatCannotBeReadNow(t *testing.T) {
	t.Parallel()
	const phrase, body = "0123456789012345678901234567890123456789", `{"model":"m","previous_response_id":"resp_a","input":"hi"}`
	caller, db := &auth.Principal{KeyID: "k"}, new(storetest.Memory)
	terms := stored.Terms{Secret: secret.New(phrase), Keep: time.Hour, Max: 1 << 20, Bounds: stored.Bounds{Key: 1 << 20, Total: 1 << 20}}
	book := stored.Open(db, terms, time.Now)
	long := stored.Response{ID: "resp_a", Input: []byte(`"` + string(bytes.Repeat([]byte("x"), 1<<19)) + `"`), Answer: []byte(`{"output":[]}`)}
	if err := book.Save(t.Context(), caller.KeyID, &long); err != nil {
		t.Fatal(err)
	}
	parse := func(ctx context.Context, free, most int64) *llm.Error {
		g, account := crowded(t, free)
		snap := &Snapshot{Stored: book, MaxBody: most, MaxDepth: 64}
		ev := &Event{ID: "req_x", hold: account.Of()}
		_, _, err := g.parse(ctx, call{ingress: table.At("responses")}, []byte(body), caller, snap, ev)
		return err
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	for name, tt := range map[string]struct {
		got  *llm.Error
		want llm.Kind
	}{
		"too long":                             {parse(t.Context(), 32<<20, 1<<18), llm.InvalidValue},
		"no memory":                            {parse(t.Context(), 1<<18, 1<<20), llm.Overloaded},
		"no memory for the request made of it": {parse(t.Context(), 1<<20, 1<<20), llm.Overloaded},
	} {
		if tt.got == nil || tt.got.Kind != tt.want {
			t.Errorf("%s: %+v", name, tt.got)
		}
	}
	db.Fail(errors.New("interrupted"))
	if err := parse(gone, 32<<20, 1<<20); err == nil || err.Kind != llm.Canceled {
		t.Errorf("the caller has left: %+v", err)
	}
	if err := parse(t.Context(), 32<<20, 1<<20); err == nil || err.Kind != llm.Internal {
		t.Errorf("the store failed: %+v", err)
	}
}

// An input that is too large to be kept with its answer takes no memory for that.
func TestLargeInputsAreNotHeldTwice(t *testing.T) {
	t.Parallel()
	terms := stored.Terms{Secret: secret.New("0123456789012345678901234567890123456789"), Keep: time.Hour, Max: 1000, Bounds: stored.Bounds{Key: 1 << 20, Total: 1 << 20}}
	g, account := crowded(t, 32<<20)
	snap := &Snapshot{Stored: stored.Open(new(storetest.Memory), terms, time.Now), MaxBody: 1 << 20, MaxDepth: 64}
	for size, want := range map[int]bool{900: true, 2000: false} {
		ev := &Event{ID: "req_x", hold: account.Of()}
		body := `{"model":"m","input":"` + string(bytes.Repeat([]byte("x"), size)) + `"}`
		_, storing, err := g.parse(t.Context(), call{ingress: table.At("responses")}, []byte(body), &auth.Principal{KeyID: "k"}, snap, ev)
		if err != nil || storing == nil {
			t.Fatal(err, storing)
		}
		if held := ev.hold.Bytes() >= int64(size); held != want {
			t.Errorf("an input of %d bytes: %d are held", size, ev.hold.Bytes())
		}
		if storing.Save([]byte(`{}`)) != want {
			t.Errorf("an input of %d bytes: that it is stored is %v", size, !want)
		}
	}
}
