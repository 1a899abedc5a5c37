package callers

import (
	"os/exec"
	"testing"

	"github.com/weirproxy/weir/sdktest/internal/snippet"
)

// snippets have the programs for those who were given a URL and a key.
const snippets = "../../docs/callers"

// TestSnippets runs the programs of the pages with the clients of this folder.
func TestSnippets(t *testing.T) {
	slots := make(chan struct{}, together)
	for _, c := range clients {
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			slots <- struct{}{}
			defer func() { <-slots }()
			for _, s := range snippet.Of(t, snippets, c.api, c.name()) {
				s.Run(t, func(code, dir string) *exec.Cmd {
					switch c.language {
					case node:
						return snippet.Node(c.install(t)[0], node)
					case python:
						return s.Python(c.install(t)[0])
					}
					return snippet.Go(t, golang, code, dir)
				})
			}
		})
	}
}
