package config

import (
	"time"

	"github.com/weirproxy/weir/internal/budget"
)

// Team is a team of the config file: keys that have what they may use in common.
type Team struct {
	// The team's name in logs and lists; its id is `cfg-` and the name. Unique, printable, no spaces, at most 256 bytes.
	Name string `yaml:"name" jsonschema:"required" example:"research"`

	// The logical models that the team's keys may use, as for a key. A key with models of its own may use what both allow. Absent means
	// all models, later ones included. Example: `[fast, "embed-*"]`.
	Models []string `yaml:"models"`

	// How many requests a minute all its keys may send together. All may come at once; each comes back after its part of the minute, so
	// that no minute sees twice as many. Absent means any number. Example: `600`.
	RPM int `yaml:"rpm"`

	// How many tokens a minute the prompts and answers of all its keys may have together. A prompt counts with its estimate and the
	// answer's maximum at first, and with what was used in the end. Absent means any number. Example: `1000000`.
	TPM int `yaml:"tpm"`

	// How many requests all its keys may have running at once. One more is refused. Absent means any number. Example: `20`.
	Concurrent int `yaml:"concurrent"`

	Spending `yaml:",inline"`
}

// Spending is what a key, or all keys of a team together, may spend.
type Spending struct {
	// So much in a period, in dollars (`usd`) or tokens (`tok`, `ktok`, `Mtok`), by `hour`, `day`, `week`, `month` or in `total`, at most
	// one of a unit and period. Absent means no budget. Example: `[50usd/month, 2Mtok/day]`.
	Budgets []budget.Spec `yaml:"budgets"`

	// What a call holds of the budgets while it runs. `strict`: the most that it can take, so that no budget is ever exceeded.
	// `expected`: what is usual, so that more calls pass at once. Absent means `expected`.
	Reserve Reserve `yaml:"reserve"`

	// End a stream with an error when its budget has no room for more of it. Default `false`.
	Cut bool `yaml:"cut"`

	// The shares of a budget at which to warn in the log, and by `alerts`, once in a period, at most eight. That all of it is spent is said
	// in any case. Example: `[50%, 90%]`.
	Warn []Share `yaml:"warn"`
}

// PriceUnknown is what becomes of a call whose price is unknown.
type PriceUnknown struct {
	// What such a call is charged, in dollars, unless the provider states what it bills. Example: `0.05`.
	Hold *Dollars `yaml:"hold"`

	// Free says that the short form is free.
	Free bool `yaml:"-"`
}

// ModelLimits are the limits of a model, for all callers together.
type ModelLimits struct {
	// Requests a minute, as for a team. Absent means any number. Example: `600`.
	RPM int `yaml:"rpm"`

	// Tokens a minute, as for a team. Absent means any number. Example: `1000000`.
	TPM int `yaml:"tpm"`

	// Requests at once, as for a team. Absent means any number. Example: `20`.
	Concurrent int `yaml:"concurrent"`
}

// Key is an API key of the config file, known by its digest only.
type Key struct {
	// The key's name in logs and lists; its id is `cfg-` and the name. Unique, printable, no spaces, at most 256 bytes.
	Name string `yaml:"name" jsonschema:"required" example:"ci"`

	// `sha256:` and the 64 hex digits of the SHA-256 of the whole key.
	Digest Digest `yaml:"digest" jsonschema:"required" example:"'sha256:…'"`

	// The logical models that the key may use; `*` matches any run of characters, anywhere. Absent means all models,
	// later ones included. Example: `[fast, "embed-*"]`.
	Models []string `yaml:"models"`

	// When the key stops working: a date (its first moment, UTC) or an RFC 3339 date-time. Absent means
	// never. Example: `2027-01-31` or `2027-01-31T12:00:00Z`.
	Expires time.Time `yaml:"expires"`

	// The key's team: the name of one in `teams`. Absent means none. Example: `research`.
	Team string `yaml:"team"`

	// How many requests a minute the key may send, as for a team. Absent means any number. Example: `60`.
	RPM int `yaml:"rpm"`

	// How many tokens a minute its prompts and answers may have, as for a team. Absent means any number. Example: `100000`.
	TPM int `yaml:"tpm"`

	// How many of its requests may run at once, as for a team. Absent means any number. Example: `4`.
	Concurrent int `yaml:"concurrent"`

	Spending `yaml:",inline"`

	// How long answers to its requests with an `Idempotency-Key` are kept, from `1m` to `720h`. A repeat gets the kept answer, and is
	// neither sent to a provider nor charged. Absent refuses the header, and keeps no answers. Example: `24h`.
	Idempotency Duration `yaml:"idempotency"`

	// Its requests may ask, by the header `Weir-Explain: true`, what was tried for them. Default `false`.
	Explain bool `yaml:"explain"`
}
