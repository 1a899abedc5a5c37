package app_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// lawCase is a config, whose %s are the URLs of simulated providers, and what other keys do to one that is served.
type lawCase struct {
	name      string
	config    string
	scripts   []string // scripts of the providers
	attackers int      // keys
	loops     int      // how many each runs, one request after the other
	first     string   // where the served key's requests have to go, if that is said
}

const (
	oneProvider  = "providers:\n  a: {kind: openai, base_url: %q, api_key: upstream-credential}\n"
	twoProviders = oneProvider + "  b: {kind: openai, base_url: %q, api_key: upstream-credential}\n"

	poisoned = `{"rules":[{"match":{"contains":"poison"},"status":500}]}`
)

var lawCases = []lawCase{
	{
		name: "poisoned prompts at a single target", config: oneProvider + "models: {m: {targets: [a/x]}}",
		scripts: []string{poisoned}, attackers: 1, loops: 4,
	},
	{
		name: "poisoned prompts at two providers", config: twoProviders + "models: {m: {targets: [a/x, b/x]}}",
		scripts: []string{poisoned, poisoned}, attackers: 1, loops: 4, first: "a",
	},
	{
		name: "answers that outlast total", config: oneProvider + "models: {m: {targets: [a/x], timeouts: {total: 2s}}}",
		scripts: []string{`{"rules":[{"match":{"contains":"poison"},"latency":"10m"}]}`}, attackers: 1, loops: 30,
	},
	{
		name: "poisoned prompts of two keys among three", config: twoProviders + "models: {m: {targets: [a/x, b/x]}}",
		scripts: []string{poisoned, poisoned}, attackers: 2, loops: 2,
	},
	{
		name: "a credential that is refused to two keys", config: oneProvider + "models: {m: {targets: [a/x]}}",
		scripts: []string{`{"rules":[{"match":{"contains":"poison"},"status":401}]}`}, attackers: 2, loops: 2,
	},
	{
		name: "broken connections, so that no repeat is left", config: twoProviders + "models: {m: {targets: [a/x, b/x], policy: fastest}}",
		scripts: []string{`{"rules":[{"match":{"contains":"poison"},"reset":"headers"}]}`, poisoned}, attackers: 2, loops: 2,
	},
}

// As long as an upstream serves a key, nothing that other keys send makes that key's requests fail, over sockets as in route's tests.
func TestNoKeyHarmsAnother(t *testing.T) {
	t.Parallel()
	for _, c := range lawCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var urls []any
			for _, script := range c.scripts {
				urls = append(urls, apptest.NewUpstream(t, []byte(script)).URL())
			}
			w := apptest.StartWith(t, fmt.Sprintf(c.config, urls...))
			served := w.NewKey(t, "served")
			var failed atomic.Int32
			done := make(chan struct{})
			var wg sync.WaitGroup
			defer wg.Wait()
			defer close(done)
			for i := range c.attackers {
				key := w.NewKey(t, fmt.Sprint("attacker", i))
				for range c.loops {
					wg.Go(func() { attack(t, w, key, &failed, done) })
				}
			}
			before := int32(10)
			until(t, "the others fail", func() bool { return failed.Load() >= before })
			const n = 400
			var lost []string
			elsewhere := 0
			for range n {
				a := post(t, w, served, chats, chatBody("m"))
				if a.status != 200 {
					lost = append(lost, a.body)
				}
				if c.first != "" && a.header.Get("Weir-Provider") != c.first {
					elsewhere++
				}
			}
			if failed.Load() <= before {
				t.Error("the others did not go on")
			}
			if len(lost)*100 >= n || elsewhere > 0 {
				t.Errorf("of %d requests %d went to another target, and %d were lost: %s", n, elsewhere, len(lost), strings.Join(lost[:min(len(lost), 3)], "\n"))
			}
		})
	}
}

// attack sends one poisoned prompt after the other.
func attack(t *testing.T, w *apptest.Weir, key string, failed *atomic.Int32, done <-chan struct{}) {
	for range 100_000 {
		select {
		case <-done:
			return
		default:
		}
		if a := post(t, w, key, chats, strings.Replace(chatBody("m"), "hi", "poison", 1)); a.status != 200 {
			failed.Add(1)
		}
	}
}
