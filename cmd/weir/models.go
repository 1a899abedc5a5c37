package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/app"
)

type modelsCmd struct {
	adminFlags
	formatFlag
	Key string `placeholder:"KEY" help:"The models that the key with this id or name sees. Default: all."`
}

func (modelsCmd) Help() string {
	return `Asks a running Weir over its admin API. The list is what GET /v1/models answers to that key, each model with its targets
in the order of the config; weir explain shows the order in which they would be tried. A name that ends in * is there too: every name
that begins so can be called. HEALTH is the target's health for the key that --key names, or for all keys; without --key it also names
the keys that fare worse: "refused for key app" says that the provider refused its credentials in every request of that key,
"down for key app" that so many of that key's requests failed that the target is skipped for it. Where no Weir runs, the models are those of the config, and their targets' health is unknown.

KNOWN says where Weir's knowledge of the model comes from: the model's own row in the table, its family's row (only the parameters
are known), or nothing; "+ config" where the config says what it takes. PRICE says whether a price is known, by the config or the
table: calls of a target without one cost nothing in the account. Where the target ends in *, each of its models has its own.

Examples:
  weir models
  weir models --key app --format json`
}

// Run prints the models.
func (c modelsCmd) Run(ctx context.Context, sys *system) error {
	models, err := c.models(ctx, sys)
	if err != nil {
		return usage(err)
	}
	switch c.Format {
	case formatJSON:
		return printJSON(sys.stdout, models)
	case formatCSV:
		return modelsCSV(sys.stdout, models)
	}
	return modelsTable(sys.stdout, models, time.Now())
}

// models asks a running Weir. If none is named and none runs, it reads the config.
func (c modelsCmd) models(ctx context.Context, sys *system) ([]admin.Model, error) {
	client, err := c.client(sys)
	var models []admin.Model
	if err == nil {
		models, err = client.ListModels(ctx, c.Key)
	}
	var nobody *admin.UnreachableError
	var never *noTokenError
	named, _ := sys.env("WEIR_ADMIN")
	if err == nil || cmp.Or(c.Admin, named, c.Key) != "" || !errors.As(err, &nobody) && !errors.As(err, &never) {
		return models, err
	}
	cfg, err := loadConfig(configLoader(sys), c.Config, sys)
	if err != nil {
		return nil, err
	}
	_, _ = fmt.Fprintln(sys.stderr, "No Weir runs with this config: these are its models, and the health of their targets is unknown.")
	return app.ModelsOf(cfg)
}

// modelsTable has a line for each target; the first of a model's lines also shows the model.
func modelsTable(w io.Writer, models []admin.Model, now time.Time) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "MODEL\tTARGET\tKNOWN\tPRICE\tHEALTH\tCONTEXT\tMAX OUTPUT\tPOLICY\tFALLBACKS") // Flush returns the errors of all
	for _, m := range models {
		name, rest := m.ID, fmt.Sprintf("%s\t%s\t%s\t%s", tokens(m.ContextLength, "-"), tokens(m.MaxOutputTokens, "-"), orderWords(m), cmp.Or(fallbackWords(m), "-"))
		for _, t := range m.Targets {
			fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\n", name, t.Target, knownWords(t), priceWord(t), standWords(t, now), rest)
			name, rest = "", "\t\t\t"
		}
	}
	return out.Flush()
}

func orderWords(m admin.Model) string {
	if m.Sticky == "none" {
		return m.Policy
	}
	return m.Policy + ", sticky " + m.Sticky
}

func fallbackWords(m admin.Model) string {
	var all []string
	for _, f := range m.Fallbacks {
		all = append(all, "on "+strings.Join(f.On, ", ")+": "+strings.Join(f.To, ", "))
	}
	return strings.Join(all, "; ")
}

// knownWords says which row of the table applies to a target's model.
func knownWords(t admin.ModelTarget) string {
	words := "nothing"
	switch {
	case t.Row != nil && t.Family:
		words = "family " + *t.Row
	case t.Row != nil:
		words = "model " + *t.Row
	}
	if t.Overridden {
		words += " + config"
	}
	return words
}

// priceWord says whether a price of the target is known.
func priceWord(t admin.ModelTarget) string {
	switch {
	case t.Priced == nil:
		return "-"
	case *t.Priced:
		return "known"
	}
	return "none"
}

// standWords describes the health of a target; for a target that ends in *, that of the models it matches.
func standWords(t admin.ModelTarget, now time.Time) string {
	if t.ModelsDown > 0 {
		return count(t.ModelsDown, "model") + " down"
	}
	return healthWords(t.Health, now)
}

// healthWords describes the health of a target by its worst part.
func healthWords(h *admin.Health, now time.Time) string {
	switch {
	case h == nil:
		return "unknown"
	case h.Breaker == "open" && h.OpenUntil != nil:
		return "down for another " + left(*h.OpenUntil, now)
	case h.Breaker != "closed":
		return "down, being tried"
	case h.CredentialsParked > 0:
		return strings.TrimSpace(fmt.Sprintf("%d of %d credentials refused %s", h.CredentialsParked, h.Credentials, forKeys(h.RefusedFor)))
	case len(h.RefusedFor) > 0:
		return "refused " + forKeys(h.RefusedFor)
	case len(h.DownFor) > 0:
		return "down " + forKeys(h.DownFor)
	case h.FullUntil != nil:
		return "full for another " + left(*h.FullUntil, now)
	case h.Full:
		return "full"
	case h.CredentialsResting > 0:
		words := fmt.Sprintf("%d of %d credentials at their limit", h.CredentialsResting, h.Credentials)
		if h.CredentialsFreeAt != nil {
			words += " for another " + left(*h.CredentialsFreeAt, now)
		}
		return words
	case h.RestingUntil != nil:
		return "asked to be left alone for another " + left(*h.RestingUntil, now)
	}
	return "ok"
}

// mostNamed is how many keys a line names.
const mostNamed = 3

// forKeys names the keys that something holds for, "" without any.
func forKeys(names []string) string {
	switch n := len(names); {
	case n == 0:
		return ""
	case n == 1:
		return "for key " + names[0]
	case n <= mostNamed:
		return "for keys " + strings.Join(names, ", ")
	default:
		return fmt.Sprintf("for keys %s and %d more", strings.Join(names[:mostNamed], ", "), n-mostNamed)
	}
}

// modelsCSV has a row for each target. Its columns are named as the members of the JSON.
func modelsCSV(w io.Writer, models []admin.Model) error {
	rows := [][]string{{"id", "target", "row", "family", "overridden", "priced", "health", "policy", "sticky", "fallbacks", "display_name", "context_length", "max_output_tokens"}}
	for _, m := range models {
		for _, t := range m.Targets {
			rows = append(rows, []string{
				m.ID, t.Target, orNone(t.Row), strconv.FormatBool(t.Family), strconv.FormatBool(t.Overridden), yesOrNo(t.Priced), standWords(t, time.Now()), m.Policy, m.Sticky,
				fallbackWords(m), orNone(m.DisplayName), tokens(m.ContextLength, ""), tokens(m.MaxOutputTokens, ""),
			})
		}
	}
	return admin.WriteCSV(w, rows)
}

// yesOrNo is a value of a column, "" where nothing is known.
func yesOrNo(b *bool) string {
	if b == nil {
		return ""
	}
	return strconv.FormatBool(*b)
}

func orNone(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

func tokens(n *int, unknown string) string {
	if n == nil {
		return unknown
	}
	return strconv.Itoa(*n)
}
