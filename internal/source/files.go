package source

import (
	"context"

	"github.com/weirproxy/weir/internal/config"
)

// files reads ${file:…}.
type files struct{}

func (files) read(_ context.Context, _ *config.Secrets, refs []config.Reference) []config.Reading {
	readings := make([]config.Reading, len(refs))
	for i, ref := range refs {
		readings[i] = config.ReadingOf(config.ReadFile(ref.Name))
	}
	return readings
}
