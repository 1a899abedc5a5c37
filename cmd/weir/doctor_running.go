package main

import (
	"context"
	"strings"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/doctor"
)

// checkRunning reports what a running Weir knows and no probe can find out: that requests of some keys fail where others are served, and that
// secrets cannot be read again.
// Where no Weir runs, or it cannot be asked, it reports nothing.
func (c doctorCmd) checkRunning(ctx context.Context, sys *system) []finding {
	client, err := adminFlags{Config: c.Config}.client(sys)
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	models, err := client.ListModels(ctx, "")
	if err != nil {
		return nil
	}
	found := keyFindings(models)
	text, err := client.Metrics(ctx)
	if err != nil {
		return found
	}
	return append(found, secretFindings(text)...)
}

// secretFindings has a line for each source of secrets that fails. text is what GET /metrics says.
func secretFindings(text string) (all []finding) {
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, failingSecrets) {
			continue
		}
		if _, labels, value, err := readFigure(strings.TrimSuffix(line, "\n")); err == nil && value > 0 {
			all = append(all, finding{
				Check: "secrets", Status: doctor.Warning, Found: "the running Weir: " + sayFailing(labels, value),
				Advice: "its log, and GET /admin/v1/settings, say which they are and why; a restart would fail",
			})
		}
	}
	return all
}

// keyFindings has a line for each target that fails the requests of some keys.
func keyFindings(models []admin.Model) (all []finding) {
	seen := map[string]bool{}
	warn := func(target, found, advice string) {
		name, _, _ := strings.Cut(target, "/")
		all = append(all, finding{Check: "keys", Provider: name, Status: doctor.Warning, Found: target + " " + found, Advice: advice})
	}
	for _, m := range models {
		for _, t := range m.Targets {
			if t.Health == nil || seen[t.Target] {
				continue
			}
			seen[t.Target] = true
			if who := forKeys(t.Health.RefusedFor); who != "" {
				warn(t.Target, "refused all credentials "+who, "look in the log for what was asked, and check that the credentials allow it")
			}
			if who := forKeys(t.Health.DownFor); who != "" {
				warn(t.Target, "fails "+who, "look in the log for how these requests fail")
			}
		}
	}
	return all
}
