package admin

import (
	"net/http"
	"time"
)

// Settings are the config in force and what became of it. What is not known or does not apply is nil.
type Settings struct {
	Version      string    `json:"version"`       // of Weir
	File         *string   `json:"file"`          // the config file; nil without one
	Loaded       time.Time `json:"loaded_at"`     // when the config in force was read
	Reload       *Reload   `json:"reload"`        // the last one since the start
	NeedsRestart []string  `json:"needs_restart"` // settings that differ from those that this Weir runs with, and wait for a restart; never null
	Warnings     []string  `json:"warnings"`      // what the config says and hardly means; never null
	Values       []Setting `json:"values"`        // never null
	Store        StoreInfo `json:"store"`
}

// Setting is one value of the config.
type Setting struct {
	Name   string  `json:"name"`   // as in limits.body
	Value  *string `json:"value"`  // as it is written, variables included; a hidden one is "set" or "unset", nil is no value
	Hidden bool    `json:"hidden"` // it is a secret, or may hold one
	From   *string `json:"from"`   // FILE:LINE:COLUMN, a variable of the environment, or a flag; nil is the default
}

// Reload is what became of a reload of the config.
type Reload struct {
	At      time.Time `json:"at"`
	Error   *string   `json:"error"`   // nil if it was applied
	Removed Contents  `json:"removed"` // what the config before had
}

// StoreInfo is the store of this Weir.
type StoreInfo struct {
	Kind     string `json:"kind"`      // sqlite or postgres
	Place    string `json:"place"`     // its file, or its host and database
	Bytes    *int64 `json:"bytes"`     // its size on disk; nil while it cannot be asked
	KeepDays int    `json:"keep_days"` // how long rows of single calls are kept
}

// showSettings answers what the config in force says, with where each value is from.
func (h *Handler) showSettings(r *http.Request) (any, error) {
	if err := readQuery(r); err != nil {
		return nil, err
	}
	return h.Settings(r.Context()), nil
}
