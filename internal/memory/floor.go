package memory

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// Floor keeps the garbage collector from running before the heap takes about that many bytes; above that it runs as it is
// used to, when the heap has doubled. Its own floor is 4 MiB, which small requests fill a hundred times a second: what
// little Weir holds between them would be walked each time. stop ends the arrangement.
func Floor(bytes int64) (stop func()) {
	f := &floor{bytes: bytes, percent: usualPercent}
	f.set(f.most())
	f.watch()
	return func() { f.ended.Store(true) }
}

const (
	usualPercent = 100     // of what is alive, that may be added before the next collection
	usualFloor   = 4 << 20 // with usualPercent; it grows with the percentage
)

// floor is one arrangement. Only the cleanup of the last collection uses it.
type floor struct {
	bytes   int64
	percent int64
	ended   atomic.Bool
}

// watch has f adapt after the next collection. There is no event for that, but what nobody holds ends with it.
func (f *floor) watch() {
	type thing struct{ _ *thing } // a pointer, so that it does not share its place with others
	runtime.AddCleanup(new(thing), func(f *floor) {
		if f.ended.Load() {
			debug.SetGCPercent(usualPercent)
			return
		}
		f.adapt()
		f.watch()
	}, f)
}

// adapt follows what the last collection found to be alive.
func (f *floor) adapt() {
	read := [...]metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/stack:bytes"}, {Name: "/gc/scan/globals:bytes"}}
	metrics.Read(read[:])
	live := int64(read[0].Value.Uint64())
	walked := max(live+int64(read[1].Value.Uint64()+read[2].Value.Uint64()), 1)
	percent := max(usualPercent, min(f.most(), (f.bytes-live)*100/walked))
	if changed := percent - f.percent; changed > f.percent/8 || -changed > f.percent/8 || percent == usualPercent { // setting it stops the world
		f.set(percent)
	}
}

// most is the percentage for a heap in which next to nothing is alive.
func (f *floor) most() int64 { return max(usualPercent, f.bytes*100/usualFloor) }

func (f *floor) set(percent int64) {
	if percent != f.percent {
		f.percent = percent
		debug.SetGCPercent(int(percent))
	}
}
