// Package matrix runs unmodified clients of others against the real program, and writes what works with which into
// docs/reference/clients.md. The three official SDKs are tested more closely, and with every make test, by the parent folder;
// this takes minutes, and runs with make test-all.
//
//	go test -count=1 ./sdktest/matrix -run 'TestClients/python/litellm' -v    one client
//	make clients                                                              all, and writes docs/reference/clients.md
//
// Without -update the results must be those of docs/reference/clients.md. Each client has its own program in this folder:
// python/litellm.py, node/openai-7.5.0/suite.mjs, and so on. It is installed into .cache (Node: next to its lock file), and
// again when its pinned versions change. A missing interpreter skips its clients, but fails where CI is set. A new client is a
// row in clients_test.go and its program. With a new client or version the page must be written again.
//
// # What a program gets
//
// A Weir and a simulated provider (docs/reference/sim.md) of its own, and in the environment:
//
//	WEIR_BASE_URL     Weir's, ends in /v1
//	WEIR_KEY          a key for all models
//	WEIR_SCOPED_KEY   a key for the model chat only
//	WEIR_BAD_KEY      a well formed key that Weir does not know
//	WEIR_IMAGE        a small picture as data: URL, for the feature image
//	WEIR_TEMP         an empty folder
//
// The models are chat, embed, team/chat, reasoner, refused, limited, limited-once, overloaded, overloaded-once, broken,
// breaks, cut and endless, see fixture_test.go. reasoner thinks reasonerThought and says reasonerText, in streams too,
// whatever is asked.
//
// # What a program prints
//
// On its output, one line of JSON each, first what it is and then every feature exactly once, in any order:
//
//	{"client":"litellm","version":"1.2.3","language":"Python 3.11"}
//	{"feature":"stream","result":"ok","note":""}
//
// The result is ok, failed, or absent if the client has no such feature. The note says why in a few words. For an absent
// feature it is shown in docs/reference/clients.md, so it must be the same in every run. Other lines are passed over. It exits
// with 0 if it got through all features, failed ones too. Failures of the client itself are in the table known, with their
// reason.
//
// The upstream's log shows what a program cannot see: that the picture of the feature image arrived unchanged, and that the
// stream of the feature cancel ended upstream while the program still ran. So cancel should not be the last feature.
package matrix

import (
	"flag"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "write the results into docs/reference/clients.md")

// together is how many clients run at a time.
const together = 2

func TestClients(t *testing.T) {
	slots := make(chan struct{}, together)
	var mu sync.Mutex
	results := map[string]*result{} // by the client's name; guarded by mu
	t.Cleanup(func() { compare(t, results) })
	for _, c := range clients {
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			slots <- struct{}{}
			defer func() { <-slots }()
			r := c.run(t)
			mu.Lock()
			defer mu.Unlock()
			results[c.name()] = r
		})
	}
}
