package auth

import (
	"maps"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// Whatever is added, replaced and removed, a table finds what a map of lists would. This includes equal hashes, the same list, and
// the ends of the range.
func TestTableFindsWhatWasPutIn(t *testing.T) {
	t.Parallel()
	hashes := []uint64{0, 1, shards, 2 * shards, 1 << 63, 1<<63 + shards, ^uint64(0), ^uint64(0) - shards, 12345, 12345 + shards}
	rapid.Check(t, func(rt *rapid.T) {
		var table table
		model := map[uint64][]*record{}
		same := func(hash uint64) {
			found := []*record{}
			for _, s := range table.find(hash) {
				if s.hash != hash {
					rt.Fatalf("%d was found for %d", s.hash, hash)
				}
				found = append(found, s.key)
			}
			if len(found) != len(model[hash]) || slices.ContainsFunc(model[hash], func(r *record) bool { return !slices.Contains(found, r) }) {
				rt.Fatalf("hash %d: found %v, want %v", hash, found, model[hash])
			}
		}
		if rapid.Bool().Draw(rt, "filled") {
			all := []*record{new(record), new(record), new(record)}
			table.fill(all, func(r *record, to []uint64) []uint64 {
				for i, hash := range hashes {
					if r == all[i%len(all)] {
						to = append(to, hash)
						model[hash] = append(model[hash], r)
					}
				}
				return to
			})
			for _, hash := range hashes { // fill asks twice
				model[hash] = model[hash][:1]
			}
		}
		rt.Repeat(map[string]func(*rapid.T){
			"change": func(rt *rapid.T) {
				hash := rapid.SampledFrom(hashes).Draw(rt, "hash")
				var old, now *record
				if list := model[hash]; len(list) > 0 && rapid.Bool().Draw(rt, "old") {
					i := rapid.IntRange(0, len(list)-1).Draw(rt, "which")
					old = list[i]
					model[hash] = slices.Delete(list, i, i+1)
				}
				if old == nil || rapid.Bool().Draw(rt, "now") {
					now = new(record)
					model[hash] = append(model[hash], now)
				}
				table.replace(hash, old, now)
			},
			"": func(*rapid.T) {
				for _, hash := range hashes {
					same(hash)
				}
			},
		})
	})
}

// Keys that come in any order, many more than one piece holds, are listed by their time and id.
func TestOrderOfManyKeys(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		const many = 3 * piece
		var o order
		model := map[string]*record{}
		key := func(i int) *record {
			return &record{created: moment(i / 3), principal: Principal{KeyID: strconv.Itoa(i)}}
		}
		first := rapid.IntRange(0, many).Draw(rt, "loaded")
		for i := range first {
			r := key(i * 7919 % many)
			model[r.principal.KeyID] = r
		}
		o.fill(slices.Collect(maps.Values(model)))
		step := rapid.SampledFrom([]int{1, 7919, many - 1}).Draw(rt, "step")
		for i := range many {
			r := key(i * step % many)
			o.put(r)
			model[r.principal.KeyID] = r
		}
		records := slices.SortedFunc(maps.Values(model), compare)
		for _, part := range o.pieces {
			if len(part) == 0 || len(part) > piece {
				rt.Fatalf("a piece of %d", len(part))
			}
		}
		at := rapid.IntRange(0, len(records)-1).Draw(rt, "at")
		for from, last := range map[int]*record{0: nil, at + 1: records[at]} {
			got := []*record{}
			o.after(last, func(r *record) bool { got = append(got, r); return true })
			if !slices.Equal(got, records[from:]) {
				rt.Fatalf("after %d: %d records, want %d", from, len(got), len(records)-from)
			}
		}
	})
}
