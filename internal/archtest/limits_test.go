package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/memory"
)

// claim is a piece of docs/reference/limits.md, or of how-it-works/overload.md, with the values of its numbers in order. A value is
// a number, or a constant of the code with the page's unit, as in "internal/app.maxHeader KiB".
type claim struct {
	text string
	is   []any
}

// number is a number as the page writes it; what follows a letter is a name's.
var number = regexp.MustCompile(`(?:\b|_)\d[\d,]*(?:\.\d+)?`)

// names have digits that bound nothing.
var names = regexp.MustCompile("HTTP/\\d(\\.\\d)?|IPv\\d|NAT64|base64|169\\.254\\.0\\.0/16|fe80::/10|\\b(200|408|413|431|400|401|503)\\b(?: `\\w+`)?|`TestOverloadInSimulatedTime`|`[\\w.]+MiB`|`\\d[A-Za-z]+`|retry-after: 1|`concurrent: 20`|`wait: 0s`|(?s:```yaml\n.*?```)|the 17th request")

// measured are the paragraphs and rows whose numbers come from a run, which they name: no constant holds them. The rows are held by
// the simulation that they name, in internal/limit; the paragraph has its day and its machine.
var measured = regexp.MustCompile(`(?m)^(\| three times as many|\| \d+ places?, |More than 100 % is work|Measured with |a second for ten seconds ).*$`)

// claims are all numbers of the page.
func claims(t *testing.T, c *constants) []claim {
	t.Helper()
	cfg, err := config.Loader{}.Parse("weir.yaml", []byte("providers:\n  p: {kind: sim}\nmodels:\n  m: {targets: [p/x]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	stages := percentages(t)
	l, timeouts, kept := cfg.Limits, cfg.Models[0].Timeouts, cfg.Responses
	in := func(d config.Duration, unit time.Duration) float64 { return float64(d.D()) / float64(unit) }
	mib := func(s config.Size) float64 { return float64(s) / (1 << 20) }
	above := func(name string) float64 {
		return c.value(t, "internal/memory."+name) - c.value(t, "internal/memory.PerRequest")
	}
	files := func(n int) int { return n * 2 / 5 }
	return []claim{
		{"without it, 90 % of what the container", []any{int(memory.Reserve(100))}},
		{"in bytes, 0 for none", []any{0}},
		{"- 64 KiB for each request", []any{"internal/memory.PerRequest KiB"}},
		{"its body, and a header beyond 4 KiB;", []any{"internal/listener.FreeHeader KiB"}},
		{"very many parts (1 KiB for each)", []any{"internal/dialect/openai.perObject KiB"}},
		{"answer beyond 64 KiB, or of an event beyond 4 KiB.", []any{"internal/relay.freeBuffer KiB", "internal/dialect/sse.keepSize KiB"}},
		{"| 85 % | bodies above 1 MiB |\n| 92 % | bodies above 64 KiB, and answers above half a megabyte to requests that run |\n| 95 % | every request to a model |\n| 100 % | answers above 64 KiB |", []any{
			stages[0], above("large") / (1 << 20), stages[1], above("tiny") / (1 << 10), stages[2], stages[4], "internal/relay.freeBuffer KiB",
		}},
		{"with a limit of 128 MiB that is one above 54 MiB", []any{128, float64(memory.NewAccount(memory.Divide(128<<20).Requests).Largest() >> 20)}},
		{"| 1,000, 1 MiB |", []any{"internal/dialect/openai.maxAnnotations", "internal/dialect/openai.maxAnnotated MiB"}},
		{"connections: `limits.connections` (10,000) holds from 1.25 GiB on. Below that it is one for each 128 KiB of the limit, 2,048 with 256 MiB.", []any{
			l.Connections, float64(l.Connections) * 128 / (1 << 20), 128 << 10 / (1 << 10) * memory.Divide(128<<10).Connections, memory.Divide(256 << 20).Connections, 256,
		}},
		{"a header beyond 4 KiB then gets", []any{"internal/listener.FreeHeader KiB"}},
		{"a small heap may grow to 12 MiB first", []any{"internal/memory.SmallHeap MiB"}},
		{"the doubling and the 12 MiB", []any{"internal/memory.SmallHeap MiB"}},
		{"not taken yet fill 512 KiB at most", []any{"internal/logging.mostWaiting KiB"}},
		{"waits for the reader for 1 s", []any{"cmd/weir.logGrace s"}},
		{"409 with 1,024, and all 10,000 from 25,000 on", []any{files(1024), 1024, l.Connections, l.Connections * 5 / 2}},
		{"may be (9,000)", []any{l.Connections * 9 / 10}},
		{"`limits.wait` (1 s, up to a minute; 0 never waits)", []any{in(l.Wait, time.Second), 0}},
		{"1/64 of the time since", []any{1, "internal/limit.share"}},
		{"less than 5 ms", []any{"internal/limit.shortest ms"}},
		{"and 16 in any case", []any{"internal/limit.fewest"}},
		{"remembers 1,024 keys without", []any{"internal/limit.maxIdle"}},
		{"after\n128 MiB, after 30 s (2 s once Weir stops and takes no more connections), or after 2 s without a byte. It also ends for the slowest when 128 bodies", []any{
			"internal/listener.discardMost MiB", "internal/listener.discardFor s", "internal/listener.DiscardIdle s", "internal/listener.DiscardIdle s", "internal/listener.discardAtOnce",
		}},
		{"but for the 64 KiB of its request", []any{"internal/memory.PerRequest KiB"}},
		{"256 KiB are read and thrown away, for 1 s at most", []any{"internal/listener.discardHeader KiB", "internal/listener.discardHeaderFor s"}},
		{"the rest had at most 1 MiB", []any{"internal/gateway.keepMost MiB"}},
		{"| a request's header | 128 KiB, within 10 s |", []any{"internal/app.maxHeader KiB", "internal/app.headerTimeout s"}},
		{"`limits.body` (64 MiB)", []any{mib(l.Body)}},
		{"within 30 s, and 1 s more for each 4 KiB that came", []any{"internal/gateway.bodyGrace s", 1, "internal/gateway.bodyRate KiB"}},
		{"`limits.depth` (256)", []any{l.Depth}},
		{"30 s for each 64 KiB", []any{"internal/gateway.writeStall s", "internal/gateway.writePiece KiB"}},
		{"`responses.max` (1 MiB), `.per_key` (64 MiB), `.total` (1 GiB)", []any{mib(kept.Max), mib(kept.PerKey), mib(kept.Total) / 1024}},
		{"of a key; of all | 1 MiB, 64 MiB, 1 GiB |", []any{
			"internal/idempotency.MaxAnswer MiB", "internal/idempotency.mostOfKey MiB", c.value(t, "internal/idempotency.mostOfAll MiB") / 1024,
		}},
		{"of stored responses | 64 responses", []any{"internal/stored.maxTurns"}},
		{"| a connection without a request | 3 min |", []any{"internal/app.idleTimeout min"}},
		{"one public address | `limits.connections` (10,000)", []any{l.Connections}},
		{"64 of a request, 4 at a time, each 10 MiB within 20 s, 48 MiB of all", []any{
			"internal/relay.maxImages", "internal/relay.atOnce", "internal/fetch.MaxImage MiB", "internal/fetch.within s", "internal/relay.imageBytes MiB",
		}},
		{"a proxy included | 10 s |", []any{in(timeouts.Connect, time.Second)}},
		{"first content | 10 min |", []any{in(timeouts.FirstToken, time.Minute)}},
		{"has taken what came | 2 min |", []any{in(timeouts.Idle, time.Minute)}},
		{"as long as it said | 1 s |", []any{"internal/provider.endPatience s"}},
		{"after its headers | 10 s |", []any{"internal/provider.refusalPatience s"}},
		{"all attempts together | 30 min |", []any{in(timeouts.Total, time.Minute)}},
		{"| an answer's header | 256 KiB |", []any{"internal/provider.maxHead KiB"}},
		{"one event of a stream | 10 MiB |", []any{mib(l.Answer)}},
		{"| 128 KiB for each input if that is more, at most 256 MiB |", []any{"internal/relay.maxVector KiB", c.value(t, "internal/relay.maxVector MiB") * c.value(t, "internal/relay.maxVectors")}},
		{"| 2,048, in at most 4 calls at a time |", []any{"internal/relay.maxVectors", "internal/relay.atOnce"}},
		{"before a stream's first content | 10 MiB |", []any{mib(l.Answer)}},
		{"| 65,536 of each |", []any{"internal/dialect/openai.MaxKept"}},
		{"| an error's body | 1 MiB,", []any{"internal/relay.maxErrorBody MiB"}},
		{"ahead of its reader | 64 KiB |", []any{"internal/provider.streamWindow KiB"}},
		{"| an idle connection | 50 s |", []any{"internal/provider.idleTimeout s"}},
		{"given new calls | 5 min,", []any{"internal/dial.MaxAge min"}},
	}
}

// percentages are those of internal/memory, in order. They are the shares from which large bodies, small ones, and all are
// refused; then those for large answers and for all answers.
func percentages(t *testing.T) (all []int) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(root, "internal/memory/account.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range regexp.MustCompile(`(?m)^\t+return (?:Large, |Small, |All, )?(\d+)$`).FindAllSubmatch(source, -1) {
		n, err := strconv.Atoi(string(found[1]))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, n)
	}
	if len(all) != 5 || all[1] != all[3] {
		t.Fatalf("internal/memory returns the percentages %v", all)
	}
	return all
}

// TestLimitsPage holds every number of docs/reference/limits.md and docs/how-it-works/overload.md against the code.
func TestLimitsPage(t *testing.T) {
	t.Parallel()
	page := read(t, "docs/reference/limits.md") + read(t, "docs/how-it-works/overload.md")
	left := []byte(page)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			left[i] = ' '
		}
	}
	c := &constants{rooms: map[string]map[string]ast.Expr{}}
	for _, cl := range claims(t, c) {
		at := strings.Index(page, cl.text)
		if at < 0 {
			t.Errorf("the page has lost %q: a claim of this test, which is to be changed with it", cl.text)
			continue
		}
		numbers := number.FindAllString(cl.text, -1)
		if len(numbers) != len(cl.is) {
			t.Errorf("%q has the numbers %q, and %d values", cl.text, numbers, len(cl.is))
			continue
		}
		for i, text := range numbers {
			says, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
			is, rounded := c.value(t, cl.is[i]), 0.0
			if strings.Contains(text, ".") {
				rounded = 0.03
			}
			if err != nil || math.Abs(says-is) > rounded*is {
				t.Errorf("%q says %s, but the code %v (%v)", cl.text, text, is, cl.is[i])
			}
		}
		blank(at, at+len(cl.text))
	}
	for _, except := range []*regexp.Regexp{measured, names} {
		for _, at := range except.FindAllIndex(left, -1) {
			blank(at[0], at[1])
		}
	}
	for _, at := range number.FindAllIndex(left, -1) {
		t.Errorf("no claim of this test holds the number %s in: %s", page[at[0]:at[1]], strings.TrimSpace(page[max(0, at[0]-60):min(len(page), at[1]+40)]))
	}
}

// constants finds the values of constants in the source.
type constants struct {
	rooms map[string]map[string]ast.Expr
}

var units = map[string]float64{"KiB": 1 << 10, "MiB": 1 << 20, "ms": 1e6, "s": 1e9, "min": 60e9}

// value is a number, or that of a constant in a unit.
func (c *constants) value(t *testing.T, of any) float64 {
	t.Helper()
	switch of := of.(type) {
	case int:
		return float64(of)
	case float64:
		return of
	}
	name, unit, found := strings.Cut(fmt.Sprint(of), " ")
	dot := strings.LastIndexByte(name, '.')
	room, name := name[:dot], name[dot+1:]
	if c.rooms[room] == nil {
		c.rooms[room] = declared(t, filepath.Join(root, room))
	}
	value := c.eval(t, room, &ast.Ident{Name: name})
	if found {
		value /= units[unit]
	}
	return value
}

// declared are the constants of a folder's package.
func declared(t *testing.T, folder string) map[string]ast.Expr {
	t.Helper()
	all := map[string]ast.Expr{}
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok {
				for i, name := range spec.Names {
					if i < len(spec.Values) {
						all[name.Name] = spec.Values[i]
					}
				}
			}
			return true
		})
	}
	return all
}

// eval is the value of what constants are declared with.
func (c *constants) eval(t *testing.T, room string, e ast.Expr) float64 {
	t.Helper()
	switch e := e.(type) {
	case *ast.BasicLit:
		v, err := strconv.ParseFloat(strings.ReplaceAll(e.Value, "_", ""), 64)
		if err == nil {
			return v
		}
	case *ast.Ident:
		if value, ok := c.rooms[room][e.Name]; ok {
			return c.eval(t, room, value)
		}
	case *ast.SelectorExpr:
		if v, ok := map[string]time.Duration{"Millisecond": time.Millisecond, "Second": time.Second, "Minute": time.Minute}[e.Sel.Name]; ok {
			return float64(v)
		}
	case *ast.BinaryExpr:
		x, y := c.eval(t, room, e.X), c.eval(t, room, e.Y)
		switch e.Op {
		case token.SHL:
			return x * math.Exp2(y)
		case token.MUL:
			return x * y
		case token.ADD:
			return x + y
		}
	}
	t.Errorf("%s has no constant that could be evaluated: %#v", room, e)
	return math.NaN()
}
