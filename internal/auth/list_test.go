package auth_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/llm"
)

func TestFileKeys(t *testing.T) {
	t.Parallel()
	const word = "correct horse battery staple"
	r := newRoom(t, auth.Key{Name: "ci", Digest: auth.DigestOf(word), Models: []string{"fast"}, ExpiresAt: newClock().now().Add(time.Hour)})
	wantPrincipal(t, r.Keys, word, "cfg-ci")

	for _, ref := range []string{"ci", "cfg-ci"} {
		_, err := r.Update(t.Context(), ref, auth.Change{Models: new([]string)})
		wantKind(t, err, llm.Conflict, "config file")
		_, _, err = r.Rotate(t.Context(), ref, 0)
		wantKind(t, err, llm.Conflict, "config file")
		_, err = r.Revoke(t.Context(), ref, true)
		wantKind(t, err, llm.Conflict, "config file")
	}
	for _, name := range []string{"ci", "cfg-ci"} {
		_, _, err := r.Create(t.Context(), auth.Draft{Name: name})
		wantKind(t, err, llm.Conflict)
	}
	stored, text := r.create(t, auth.Draft{Name: "stored"})
	bad := map[string][]auth.Key{
		"stored's name":   {{Name: "stored", Digest: auth.DigestOf("x")}},
		"stored's id":     {{Name: stored.ID, Digest: auth.DigestOf("x")}},
		"stored's digest": {{Name: "copy", Digest: auth.DigestOf(text)}},
		"same name":       {{Name: "a", Digest: auth.DigestOf("x")}, {Name: "a", Digest: auth.DigestOf("y")}},
		"same digest":     {{Name: "a", Digest: auth.DigestOf("x")}, {Name: "b", Digest: auth.DigestOf("x")}},
		"no digest":       {{Name: "a"}},
	}
	for what, keys := range bad {
		if err := r.SetFile(auth.File{Keys: keys}); err == nil {
			t.Errorf("%s was accepted", what)
		}
	}
	wantPrincipal(t, r.Keys, word, "cfg-ci") // a bad reload keeps the old keys

	r.clock.advance(time.Hour)
	wantRefused(t, r.Keys, word)
	if err := r.SetFile(auth.File{Keys: []auth.Key{{Name: "two", Digest: auth.DigestOf("second word")}}}); err != nil {
		t.Fatal(err)
	}
	wantPrincipal(t, r.Keys, "second word", "cfg-two")
	wantPrincipal(t, r.Keys, text, stored.ID)
	kept := 0
	if _, err := r.store.ChangesSince(t.Context(), 0, nil, func(auth.Key) { kept++ }); err != nil || kept != 1 {
		t.Errorf("%v, %v: a key of the config file is in the store", kept, err)
	}
	// A revoked key leaves its name to the file.
	if _, err := r.Revoke(t.Context(), "stored", false); err != nil {
		t.Fatal(err)
	}
	if err := r.SetFile(auth.File{Keys: []auth.Key{{Name: "stored", Digest: auth.DigestOf("third")}}}); err != nil {
		t.Error(err)
	}
}

func TestListPages(t *testing.T) {
	t.Parallel()
	r := newRoom(t, auth.Key{Name: "file", Digest: auth.DigestOf("f")})
	want := []string{"cfg-file"}
	for i := range 7 {
		if i%3 == 0 {
			r.clock.advance(time.Second) // otherwise in the same instant
		}
		r.create(t, auth.Draft{Name: fmt.Sprint("k", i)})
	}
	all, err := r.List("", 1000)
	if err != nil || len(all.Keys) != 8 || all.Next != "" || all.Keys[0].ID != want[0] {
		t.Fatalf("%v, %v", all, err)
	}
	for limit := 1; limit <= 9; limit++ {
		var got []auth.Key
		cursor := ""
		for {
			page, err := r.List(cursor, limit)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, page.Keys...)
			if cursor = page.Next; cursor == "" {
				break
			}
		}
		if diff := cmp.Diff(all.Keys, got); diff != "" {
			t.Fatalf("pages of %d: %s", limit, diff)
		}
	}
	// The cursor stays valid when the key that it points at goes.
	page, _ := r.List("", 1)
	if err := r.SetFile(auth.File{}); err != nil {
		t.Fatal(err)
	}
	rest, err := r.List(page.Next, 1000)
	if diff := cmp.Diff(all.Keys[1:], rest.Keys); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	for _, bad := range []string{"x", "!", "MSBh" + "==", "bm8", "MTI", "bm8gdGltZQ"} { // the last two: a time alone, and words
		_, err := r.List(bad, 10)
		wantKind(t, err, llm.InvalidValue, "cursor")
	}
	for _, bad := range []int{-1, 0, 1001} {
		_, err := r.List("", bad)
		wantKind(t, err, llm.InvalidValue, "limit")
	}
}
