package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/weirproxy/weir/internal/app"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/doctor"
)

// checkRevocations is about keys that were revoked while the store could not be written. A running Weir knows of all; without one
// the data folder has a note of most.
func checkRevocations(ctx context.Context, sys *system, cfg *config.Config) finding {
	f := finding{Check: "revocations", Status: doctor.Good, Found: "the store has every one"}
	noted, err := app.UnsavedRevocations(cfg.Data)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.Status, f.Found, f.Advice = doctor.Bad, err.Error(), "see whether keys work that were revoked before the last start"
		return f
	}
	if running, err := app.InUse(cfg.Data); err == nil && running {
		return askRevocations(ctx, sys, cfg, f, noted)
	}
	if len(noted) > 0 {
		f.Status, f.Advice = doctor.Warning, "see that the store can be written, and start weir serve"
		f.Found = "the store lacks those of " + strings.Join(noted, ", ") + "; the next weir serve refuses these keys and stores that"
	}
	return f
}

// askRevocations asks the Weir that runs.
func askRevocations(ctx context.Context, sys *system, cfg *config.Config, f finding, noted []string) finding {
	ctx, cancel := context.WithTimeout(ctx, storePatience)
	defer cancel()
	client, err := adminFlags{}.clientOf(sys, func() (*config.Config, error) { return cfg, nil })
	if err == nil {
		keys, listErr := client.ListKeys(ctx)
		var unsaved []string
		advice := "mend the cause; it goes on trying"
		for _, key := range keys {
			if key.Unsaved == nil {
				continue
			}
			fate := "a restart refuses it as well"
			if !key.Unsaved.SurvivesRestart {
				fate, advice = "it works again after a restart", "mend the cause, and do not restart Weir before; it goes on trying"
			}
			unsaved = append(unsaved, fmt.Sprintf("%s (id %s; %s): %s", key.Name, key.ID, fate, key.Unsaved.Reason))
		}
		if len(unsaved) > 0 {
			f.Status, f.Advice = doctor.Bad, advice
			f.Found = "the running Weir refuses keys that the store has as active: " + strings.Join(unsaved, "; ")
			return f
		}
		err = listErr
	}
	switch {
	case len(noted) > 0:
		f.Status, f.Advice = doctor.Bad, "see that the store can be written; weir keys list has the cause"
		f.Found = "the store lacks those of " + strings.Join(noted, ", ") + "; the running Weir goes on trying"
	case err != nil:
		f.Status, f.Found = doctor.Unknown, fmt.Sprintf("the running Weir cannot be asked: %v", err)
		f.Advice = "run this with its config, or set WEIR_ADMIN and WEIR_ADMIN_TOKEN"
	}
	return f
}
