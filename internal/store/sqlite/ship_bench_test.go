package sqlite

import (
	"encoding/base32"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
)

var shipRows = flag.Int("ship-rows", 8000, "how many rows BenchmarkShip ships at once; a ledger ships as many if it is behind")

// BenchmarkShip ships rows as a busy Weir with 1,000 keys and 50 models makes them: a row is one operation.
func BenchmarkShip(b *testing.B) {
	path := filepath.Join(b.TempDir(), "weir.db")
	db, err := Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	calls := newCalls(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), 250*time.Millisecond)
	b.ReportAllocs()
	var cpu time.Duration
	for n := 0; n < b.N; n += *shipRows {
		b.StopTimer()
		batch := calls.next(*shipRows)
		began := cpuTime()
		b.StartTimer()
		if err := db.Ship(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
		cpu += cpuTime() - began
	}
	b.StopTimer()
	b.ReportMetric(float64(cpu.Nanoseconds())/1000/float64(max(b.N, *shipRows)), "cpu-µs/row")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
	if info, err := os.Stat(path); err == nil {
		b.ReportMetric(float64(info.Size())/float64(max(b.N, *shipRows)), "B/row")
	}
}

const shipped = 1000 // at once, by BenchmarkReports

// calls makes rows whose keys and models are as unevenly used as real ones are. Each key uses four models.
type calls struct {
	random       *rand.Rand
	keys, models *rand.Zipf
	at           time.Time
	step         time.Duration
	batch        int64
}

func newCalls(from time.Time, step time.Duration) *calls {
	random := rand.New(rand.NewPCG(1, 2))
	return &calls{random: random, keys: rand.NewZipf(random, 1.05, 1, 999), models: rand.NewZipf(random, 1.3, 1, 3), at: from, step: step}
}

const letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func (c *calls) text(n int) string {
	text := make([]byte, n)
	for i := range text {
		text[i] = letters[c.random.IntN(len(letters))]
	}
	return string(text)
}

// next is a shipment of n rows. One in ten has a tag, one in three read from a cache, one in fifty failed.
func (c *calls) next(n int) *ledger.Shipment {
	c.batch++
	s := &ledger.Shipment{Instance: "one", Upto: ledger.Position{Segment: 1, Offset: c.batch}, Prices: []ledger.PricedAs{{ID: 7, JSON: []byte("{}")}}}
	for range n {
		c.at = c.at.Add(time.Duration(c.random.Int64N(int64(2 * c.step))))
		s.Rows = append(s.Rows, c.row())
	}
	return s
}

func (c *calls) row() ledger.Row {
	key := int(c.keys.Uint64())
	model := (key*7 + int(c.models.Uint64())*13) % 50
	var id [16]byte
	for i := range id {
		id[i] = byte(c.random.Uint32())
	}
	id[0], id[1] = byte(c.at.UnixMilli()>>40), byte(c.at.UnixMilli()>>32)
	binary.BigEndian.PutUint32(id[2:], uint32(c.at.UnixMilli()))
	r := ledger.Row{Instance: "one", Seq: ledger.SeqAt(c.at)}
	r.Intent = ledger.Intent{
		Request: base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(id[:]), Try: 1, Started: c.at, Key: fmt.Sprintf("%012d", key), Team: "team-" + strconv.Itoa(key%20),
		Model: "model-" + strconv.Itoa(model), Provider: "provider-" + strconv.Itoa(model%7), Upstream: "vendor-model-" + strconv.Itoa(model) + "-2026-01-01",
		Price: 7, Hold: int64(c.random.IntN(20_000_000)),
	}
	took := time.Duration(300+c.random.IntN(20_000)) * time.Millisecond
	r.Settlement = ledger.Settlement{
		Status: 200, Outcome: "ok", UpstreamID: "chatcmpl-" + c.text(29), UpstreamModel: r.Upstream, First: took / 5, Took: took + time.Duration(c.random.IntN(1000))*time.Microsecond,
		Own:   time.Duration(60+c.random.IntN(200)) * time.Microsecond,
		Usage: llm.Usage{Fresh: int64(c.random.IntN(4000)), Text: int64(c.random.IntN(800))},
	}
	if c.random.IntN(3) == 0 {
		r.Usage.CacheRead, r.Usage.Reasoning = int64(c.random.IntN(20_000)), int64(c.random.IntN(500))
	}
	if c.random.IntN(10) == 0 {
		r.Tags = []ledger.Tag{{Name: "job", Value: strconv.Itoa(key/2*3 + c.random.IntN(6))}}
	}
	if c.random.IntN(50) == 0 {
		r.Status, r.Outcome, r.Usage, r.Flags, r.UpstreamID, r.UpstreamModel = 429, "rate_limited", llm.Usage{}, ledger.Retry, "", ""
	}
	r.Cost = 3*r.Usage.Fresh*1000 + 15*r.Usage.Output()*1000 + 300*r.Usage.CacheRead
	r.Listed = r.Cost
	return r
}
