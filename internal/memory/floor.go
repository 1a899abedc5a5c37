package memory

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// Floor keeps the garbage collector from running all the time on a small heap: as long as it would run often, it waits until
// the heap takes about that many bytes. Else it runs as it is used to, when the heap has doubled. Its own floor is 4 MiB,
// which small requests fill a hundred times a second: what little Weir holds between them would be walked each time. stop
// ends the arrangement.
func Floor(bytes int64) (stop func()) {
	f := &floor{bytes: bytes, percent: usualPercent, last: time.Now()}
	f.watch()
	return func() { f.ended.Store(true) }
}

// SmallHeap is what Weir's heap may take under load before the garbage collector looks at it.
const SmallHeap = 12 << 20

const (
	usualPercent = 100     // of what is alive, that may be added before the next collection
	usualFloor   = 4 << 20 // with usualPercent; it grows with the percentage

	// When so many collections came sooner than often, the next are held off, until one comes later than seldom. In
	// between, where holding off leads, all stays as it is. A program that starts has fewer, and so has a heap that grows.
	many   = 4
	often  = 200 * time.Millisecond
	seldom = 2 * time.Second
)

// floor is one arrangement. Only the cleanup of the last collection uses it.
type floor struct {
	bytes   int64
	percent int64
	last    time.Time // when it was adapted
	quick   int       // collections that came sooner than often since one came later than seldom
	ended   atomic.Bool
}

// watch has f adapt after the next collection. There is no event for that, but what is not referenced ends with it.
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
	now := time.Now()
	percent := f.next(now.Sub(f.last), live, live+int64(read[1].Value.Uint64()+read[2].Value.Uint64()))
	f.last = now
	if percent != f.percent {
		f.percent = percent
		debug.SetGCPercent(int(percent))
	}
}

// next is the percentage after a collection that came so long after the one before and walked so many bytes, of which live
// are the heap's. Setting it stops the world, so that small changes are not worth it.
func (f *floor) next(since time.Duration, live, walked int64) int64 {
	switch {
	case since < often:
		f.quick++
	case since >= seldom:
		f.quick = 0
	}
	if f.quick < many {
		return usualPercent
	}
	most := f.bytes * 100 / usualFloor // for a heap in which next to nothing is alive
	percent := max(usualPercent, min(most, (f.bytes-live)*100/max(walked, 1)))
	if change := percent - f.percent; percent != usualPercent && max(change, -change) <= f.percent/8 {
		return f.percent
	}
	return percent
}
