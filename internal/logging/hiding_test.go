package logging

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/secret"
)

// A known secret is hidden wherever a text of a line may hold it, and the rest of the line stays.
func TestHidingALog(t *testing.T) {
	t.Parallel()
	const known = "operators-own-token"
	var text bytes.Buffer
	log := Hiding(slog.New(slog.NewJSONHandler(&text, nil)), secret.NewMask(nil, []string{known}))
	log.With("with", "a "+known).WithGroup("g").Info("said "+known, "list", []string{known, "kept"}, "error", errors.New("no "+known),
		slog.Group("inner", "text", known), "number", 7)
	if strings.Contains(text.String(), known) || strings.Count(text.String(), "[hidden]") != 5 || !strings.Contains(text.String(), `"list":["[hidden]","kept"]`) ||
		!strings.Contains(text.String(), `"number":7`) {
		t.Errorf("%s", text.String())
	}
}
