package sdktest

import (
	"strings"
	"testing"

	"github.com/weirproxy/weir/sdktest/internal/install"
)

// TestAnthropicSDK runs Anthropic's own SDK for Python, unmodified, with each dialect behind the models.
func TestAnthropicSDK(t *testing.T) {
	t.Parallel()
	python := install.Venv(t, "messages", "messages/requirements.txt")
	r := start(t)
	output, err := r.command(t, "messages", python, "suite.py").CombinedOutput()
	if n := strings.Count("\n"+string(output), "\nok - "); err != nil || n != 7*len(r.columns) {
		t.Errorf("%d of %d went well, %v\n%s", n, 7*len(r.columns), err, output)
	}
}
