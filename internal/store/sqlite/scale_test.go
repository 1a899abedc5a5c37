package sqlite

import (
	"crypto/rand"
	"fmt"
	"iter"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/auth"
)

// BenchmarkStart is a start with a million keys: they are read from the file and made ready to be looked up. MB-live is the heap that
// they hold then, MB-heap what the heap had grown to.
func BenchmarkStart(b *testing.B) {
	const many = 1_000_000
	db, err := Open(b.Context(), filepath.Join(b.TempDir(), "weir.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if err := db.InsertKeys(b.Context(), manyKeys(many)); err != nil {
		b.Fatal(err)
	}
	var keys *auth.Keys
	var m runtime.MemStats
	for b.Loop() {
		b.StopTimer()
		keys = nil
		runtime.GC()
		b.StartTimer()
		if keys, err = auth.NewKeys(b.Context(), db, time.Now, rand.Reader); err != nil {
			b.Fatal(err)
		}
	}
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapSys-m.HeapReleased)/1e6, "MB-heap")
	runtime.GC()
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapAlloc)/1e6, "MB-live")
	runtime.KeepAlive(keys)
}

// BenchmarkFollow measures one read of an unchanged store.
func BenchmarkFollow(b *testing.B) {
	db, err := Open(b.Context(), filepath.Join(b.TempDir(), "weir.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	keys, err := auth.NewKeys(b.Context(), db, time.Now, rand.Reader)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := keys.CatchUp(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// manyKeys are n keys, each with the same list of models.
func manyKeys(n int) iter.Seq[auth.Key] {
	return func(yield func(auth.Key) bool) {
		for i := range n {
			id := fmt.Sprintf("%012d", i)
			key := auth.Key{ID: id, Name: fmt.Sprintf("team-%07d-service", i), Digest: auth.DigestOf(id), Models: []string{"gpt-*", "claude-*"}, CreatedAt: time.UnixMicro(1_700_000_000_000_000 + int64(i)).UTC()}
			if !yield(key) {
				return
			}
		}
	}
}
