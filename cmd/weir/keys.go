package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/secret"
)

type keysCmd struct {
	Create keysCreateCmd `cmd:"" help:"Make a key and print it, once."`
	List   keysListCmd   `cmd:"" help:"List all keys, those of the config file and the revoked ones too."`
	Show   keysShowCmd   `cmd:"" help:"Show one key."`
	Update keysUpdateCmd `cmd:"" help:"Change a key's name, models, team, limits, budgets, kept answers or expiry."`
	Rotate keysRotateCmd `cmd:"" help:"Give a key a new secret and print it, once."`
	Revoke keysRevokeCmd `cmd:"" help:"End a key for good."`
}

func (keysCmd) Help() string {
	return "Talks to a running Weir over its admin API. A key is named by its id or its name.\n\nExample:\n  KEY=$(weir keys create --name app --models 'fast,embed-*' --expires 90d)"
}

type keysCreateCmd struct {
	adminFlags
	Name    string      `required:"" placeholder:"NAME" help:"Its name in lists and logs: printable, no spaces, unique among living keys."`
	Models  modelsFlag  `placeholder:"A,B-*" help:"The logical models that the key may see and call; * matches any run of characters. Default: all, later ones included."`
	Expires expiresFlag `placeholder:"WHEN" help:"When it ends: 90d, 2w, 12h from now, or a date or RFC 3339 date-time. Default: never."`
	Team    teamFlag    `placeholder:"TEAM" help:"The team that it belongs to, by id or name. With --offline the name of one in the config file. Default: none."`
	limitsFlags
	budgetFlags
	Idempotency idempotencyFlag `placeholder:"24h" help:"How long answers to its requests with an Idempotency-Key are kept, so that a repeat gets the same answer and costs nothing. Default: the header is refused, and no answer is kept."`
	Explain     bool            `help:"Its requests may ask, by the header Weir-Explain: true, what was tried for them."`
	Strict      bool            `help:"Make no key if one of --models matches no model today; else that is a warning."`
	Offline     bool            `help:"Ask no server: mint a key here and print the lines that admit it in a config file."`
}

func (keysCreateCmd) Help() string {
	return "Only the key is written to standard output; all messages go to standard error.\n\nExamples:\n  KEY=$(weir keys create --name app --models 'fast,embed-*' --expires 90d)\n  weir keys create --name ci --models fast --offline"
}

func (c keysCreateCmd) Run(ctx context.Context, sys *system) error {
	if c.Models.none || c.Expires.none || c.Team.given && c.Team.ref == "" || c.Idempotency.given && c.Idempotency.keep == 0 {
		return &exitError{2, errors.New("a new key has no value to clear: omit --models, --expires, --team or --idempotency")}
	}
	now := time.Now()
	if err := cmp.Or(c.Expires.check(now), c.limitsFlags.check()); err != nil {
		return err
	}
	budgets, err := c.policy()
	if err != nil {
		return err
	}
	if c.Offline {
		return c.mintOffline(sys, now, budgets)
	}
	client, err := c.client(sys)
	if err != nil {
		return err
	}
	key, text, err := client.CreateKey(ctx, admin.NewKey{Name: c.Name, Models: c.Models.list, ExpiresAt: c.Expires.at(now), Explain: c.Explain, Team: c.Team.ref, Limits: c.limitsFlags.change(), Budgets: admin.BudgetsOf(budgets), Idempotency: c.Idempotency.change(), Strict: c.Strict})
	if err != nil {
		return usage(err)
	}
	if err := printSecret(sys, text); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(sys.stderr, "This is the key %s (id %s). It may use %s and expires %s. It is not shown again.\n",
		key.Name, key.ID, modelWords(key.Models), timeWords(key.ExpiresAt)); err != nil {
		return err
	}
	return warn(sys, key.Warnings)
}

// mintOffline makes a key that no store knows. Its digest in the config file admits it.
func (c keysCreateCmd) mintOffline(sys *system, now time.Time, budgets *budget.Policy) error {
	if c.adminFlags != (adminFlags{}) || c.Strict {
		return &exitError{2, errors.New("--offline asks no server: leave out --admin, --token-file, --config and --strict (weir check --strict knows the models)")}
	}
	draft := auth.Draft{Name: c.Name, Models: c.Models.list, ExpiresAt: c.Expires.at(now), Explain: c.Explain, Team: c.Team.ref, Limits: c.limitsFlags.limits(), Spending: budgets, Idempotency: c.Idempotency.keep}
	if err := draft.Check(now); err != nil {
		return &exitError{2, err}
	}
	_, text, err := auth.Mint(rand.Reader, "")
	if err != nil {
		return err
	}
	lines, err := configLines(draft, auth.DigestOf(text.Reveal()))
	if err != nil {
		return err
	}
	if err := printSecret(sys, text); err != nil {
		return err
	}
	_, err = fmt.Fprintf(sys.stderr, "This is the key %s. It is not shown again. It works once the config file has these lines and was reloaded:\n\n%s", c.Name, lines)
	return err
}

// configLines are what a config file needs for a key. JSON strings are YAML strings too; a $ is doubled,
// as the config would take ${ for a variable.
func configLines(draft auth.Draft, digest auth.Digest) (string, error) {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	quote := func(value any) (string, error) {
		b.Reset()
		err := encoder.Encode(value)
		return strings.ReplaceAll(strings.TrimSpace(b.String()), "$", "$$"), err
	}
	name, err := quote(draft.Name)
	models, listErr := quote(draft.Models)
	if err := errors.Join(err, listErr); err != nil {
		return "", err
	}
	line := fmt.Sprintf("keys:\n  - {name: %s, digest: %q", name, digest)
	if len(draft.Models) > 0 {
		line += ", models: " + models
	}
	if !draft.ExpiresAt.IsZero() {
		line += fmt.Sprintf(", expires: %q", draft.ExpiresAt.UTC().Format(time.RFC3339))
	}
	if draft.Team != "" {
		team, err := quote(draft.Team)
		if err != nil {
			return "", err
		}
		line += ", team: " + team
	}
	for _, limit := range []struct {
		name string
		n    int64
	}{{"rpm", draft.Limits.Requests}, {"tpm", draft.Limits.Tokens}, {"concurrent", draft.Limits.Concurrent}} {
		if limit.n > 0 {
			line += fmt.Sprintf(", %s: %d", limit.name, limit.n)
		}
	}
	line += budgetLines(draft.Spending)
	if draft.Idempotency > 0 {
		line += ", idempotency: " + admin.FormatDuration(draft.Idempotency)
	}
	if draft.Explain {
		line += ", explain: true"
	}
	return line + "}\n", nil
}

type keysListCmd struct {
	adminFlags
	formatFlag
}

func (keysListCmd) Help() string {
	return "Example:\n  weir keys list --format json"
}

func (c keysListCmd) Run(ctx context.Context, sys *system) error {
	client, err := c.client(sys)
	if err != nil {
		return err
	}
	keys, err := client.ListKeys(ctx)
	if err != nil {
		return usage(err)
	}
	if c.Format == formatJSON {
		err = printJSON(sys.stdout, keys)
	} else {
		err = c.print(sys.stdout, keys)
	}
	return errors.Join(err, warnUnsaved(sys.stderr, keys))
}

type keysShowCmd struct {
	adminFlags
	formatFlag
	Key string `arg:"" help:"Its id or its name."`
}

func (keysShowCmd) Help() string {
	return "Example:\n  weir keys show app"
}

func (c keysShowCmd) Run(ctx context.Context, sys *system) error {
	client, err := c.client(sys)
	if err != nil {
		return err
	}
	return c.printOne(sys)(client.ShowKey(ctx, c.Key))
}

type keysUpdateCmd struct {
	adminFlags
	formatFlag
	Key     string      `arg:"" help:"Its id or its name."`
	Name    *string     `placeholder:"NAME" help:"A new name."`
	Models  modelsFlag  `placeholder:"A,B-*" help:"The logical models it may see and call from now on; none lifts the limit: all."`
	Expires expiresFlag `placeholder:"WHEN" help:"When it ends, as for create; none: never."`
	Team    teamFlag    `placeholder:"TEAM" help:"The team that it belongs to from now on, by id or name; none: no team. What it spent stays with the team before."`
	limitsFlags
	budgetFlags
	Idempotency idempotencyFlag `placeholder:"24h" help:"How long answers to its requests with an Idempotency-Key are kept from now on, as for create; none: the header is refused."`
	Explain     *bool           `negatable:"" help:"Whether its requests may ask what was tried for them, as for create."`
	Strict      bool            `help:"Change nothing if one of --models matches no model today; else that is a warning."`
}

func (keysUpdateCmd) Help() string {
	return "What is not named stays as it is.\n\nExample:\n  weir keys update app --models 'fast,smart' --expires none"
}

func (c keysUpdateCmd) Run(ctx context.Context, sys *system) error {
	change := admin.KeyChange{Name: c.Name, Explain: c.Explain, Idempotency: c.Idempotency.change()}
	if c.Models.given {
		change.Models = &c.Models.list
	}
	if err := c.Expires.check(time.Now()); err != nil {
		return err
	}
	if c.Expires.given {
		at := c.Expires.at(time.Now())
		change.ExpiresAt = &at
	}
	if c.Team.given {
		change.Team = &c.Team.ref
	}
	change.Limits = c.limitsFlags.change()
	var err error
	if change.Budgets, err = c.budgetFlags.change(); err != nil {
		return err
	}
	if change == (admin.KeyChange{}) {
		return &exitError{2, errors.New("nothing to change: give --name, --models, --expires, --team, --rpm, --tpm, --concurrent, --budget, --reserve, --cut, --warn, --idempotency or --explain")}
	}
	client, err := c.client(sys)
	if err != nil {
		return err
	}
	change.Strict = c.Strict
	key, err := client.UpdateKey(ctx, c.Key, change)
	if err := c.printOne(sys)(key, err); err != nil {
		return err
	}
	return warn(sys, key.Warnings)
}

type keysRotateCmd struct {
	adminFlags
	Key   string    `arg:"" help:"Its id or its name."`
	Grace graceFlag `placeholder:"TIME" help:"How long the old secret keeps working, such as 1h or 7d. Default: not at all."`
}

func (keysRotateCmd) Help() string {
	return "The key keeps its id and its name. The new secret alone goes to standard output.\n\nExample:\n  KEY=$(weir keys rotate app --grace 1h)"
}

func (c keysRotateCmd) Run(ctx context.Context, sys *system) error {
	client, err := c.client(sys)
	if err != nil {
		return err
	}
	key, text, err := client.RotateKey(ctx, c.Key, c.Grace.wait)
	if err != nil {
		return usage(err)
	}
	if err := printSecret(sys, text); err != nil {
		return err
	}
	fate := "no longer works"
	if key.PreviousUntil != nil {
		fate = "works until " + timeWords(key.PreviousUntil)
	}
	_, err = fmt.Fprintf(sys.stderr, "This is the new secret of the key %s (id %s); the one before %s. It is not shown again.\n", key.Name, key.ID, fate)
	return err
}

type keysRevokeCmd struct {
	adminFlags
	formatFlag
	Key string `arg:"" help:"Its id or its name."`
	Now bool   `help:"Cut the key's running requests instead of letting them finish."`
}

func (keysRevokeCmd) Help() string {
	return "The key is refused from the moment this returns. If the store cannot be written, the command says so with the cause. The\nrunning Weir refuses the key anyway, and keeps trying to store the revocation.\n\nExample:\n  weir keys revoke app --now"
}

func (c keysRevokeCmd) Run(ctx context.Context, sys *system) error {
	client, err := c.client(sys)
	if err != nil {
		return err
	}
	return c.printOne(sys)(client.RevokeKey(ctx, c.Key, c.Now))
}

// printSecret is the one place where the program prints a key.
func printSecret(sys *system, text secret.Text) error {
	_, err := io.WriteString(sys.stdout, text.Reveal()+"\n")
	if err != nil {
		return fmt.Errorf("the key was made but could not be printed, revoke or rotate it: %w", err)
	}
	return nil
}

// usage gives errors about what was asked, rather than about what is there, the status of wrong usage.
func usage(err error) error {
	var refusal *admin.APIError
	if errors.As(err, &refusal) && refusal.Status == 400 {
		return &exitError{2, err}
	}
	return err
}
