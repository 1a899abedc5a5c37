package app

import (
	"fmt"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/telemetry"
)

// useSecrets has what the config refers to elsewhere read again from now on, and counted.
func (a *App) useSecrets(cfg *config.Config) {
	if a.secrets == nil {
		return
	}
	a.secrets.InForce(cfg)
	for _, scheme := range config.Schemes() {
		a.metrics.Secrets(string(scheme), func() telemetry.Secrets { return telemetry.Secrets(a.secrets.Figures(scheme)) })
	}
	a.metrics.VaultExpires(a.secrets.VaultExpires)
}

// failingSecrets are the values that cannot be read again, for people.
func (a *App) failingSecrets() (all []string) {
	if a.secrets == nil {
		return nil
	}
	for _, f := range a.secrets.Failing() {
		all = append(all, fmt.Sprintf("%v cannot be read since %s, and its last value stays in use: %s", f.Reference, f.Since.UTC().Format("2006-01-02 15:04:05 UTC"), f.Reason))
	}
	return all
}
