package sdktest

import (
	"os/exec"
	"testing"

	"github.com/weirproxy/weir/sdktest/internal/install"
	"github.com/weirproxy/weir/sdktest/internal/snippet"
)

// TestSnippets runs those programs of docs/callers that need a shell or these three SDKs alone. The folders matrix and callers run the others.
func TestSnippets(t *testing.T) {
	t.Parallel()
	const pages = "../docs/callers"
	for _, c := range []struct {
		client string
		start  func(t *testing.T, s snippet.Snippet, code, dir string) *exec.Cmd
	}{
		{"curl", func(t *testing.T, _ snippet.Snippet, _, _ string) *exec.Cmd {
			install.Program(t, "curl", "--version", 7, 0)
			return snippet.Shell()
		}},
		{"python/openai", func(t *testing.T, s snippet.Snippet, _, _ string) *exec.Cmd {
			return s.Python(install.Venv(t, "python", "python/requirements.txt"))
		}},
		{"node/openai", func(t *testing.T, _ snippet.Snippet, _, _ string) *exec.Cmd {
			return snippet.Node(install.Node(t, "node"), "node")
		}},
		{"go/openai-go", func(t *testing.T, _ snippet.Snippet, code, dir string) *exec.Cmd {
			return snippet.Go(t, "go", code, dir)
		}},
	} {
		t.Run(c.client, func(t *testing.T) {
			t.Parallel()
			for _, s := range snippet.Of(t, pages, "chat", c.client) {
				s.Run(t, func(code, dir string) *exec.Cmd { return c.start(t, s, code, dir) })
			}
		})
	}
}
