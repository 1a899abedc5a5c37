package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

// What plots show is computed without a browser, so node tries it where it is installed.
func TestPlots(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("node is not installed")
		}
		t.Skip("node is not installed: what plots compute is not tried")
	}
	suite := filepath.Join(t.TempDir(), "plots.test.mjs")
	result := api.Build(api.BuildOptions{EntryPoints: []string{"testdata/plots.test.mjs"}, Outfile: suite, Write: true, Bundle: true, Platform: api.PlatformNode, Format: api.FormatESModule, TsconfigRaw: "{}"})
	for _, message := range api.FormatMessages(result.Errors, api.FormatMessagesOptions{}) {
		t.Fatal(message)
	}
	if out, err := exec.CommandContext(t.Context(), node, "--test", "--test-reporter=spec", suite).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
