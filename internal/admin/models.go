package admin

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/llm"
)

// Model is a logical model as the admin API shows it. What is not known is nil.
type Model struct {
	ID              string        `json:"id"`     // ends in * if it matches every name with that beginning
	Policy          string        `json:"policy"` // as the config spells it, like Sticky
	Sticky          string        `json:"sticky"`
	Fallbacks       []Fallback    `json:"fallbacks"`
	Targets         []ModelTarget `json:"targets"` // in the order of the config
	DisplayName     *string       `json:"display_name"`
	ContextLength   *int          `json:"context_length"`
	MaxOutputTokens *int          `json:"max_output_tokens"`
}

// Fallback names the models to go on with when a model has failed.
type Fallback struct {
	On []string `json:"on"` // for what
	To []string `json:"to"`
}

// ModelTarget is one target of a model.
type ModelTarget struct {
	Target     string  `json:"target"`      // provider/model, as the config names it
	Row        *string `json:"row"`         // the row in the table of known models, as vendor/model; nil if the model is unknown
	Family     bool    `json:"family"`      // the row is that of a family, because the model has no row of its own
	Overridden bool    `json:"overridden"`  // the config says what the model takes
	Priced     *bool   `json:"priced"`      // a price is known, by the config or the table; nil for a target that ends in *, whose models each have their own
	ModelsDown int     `json:"models_down"` // for a target that ends in *: how many of its models have a breaker that is not closed, for all keys or for some
	Health     *Health `json:"health"`      // nil if it is not known: where no Weir runs
}

// Health is the state of a target and of its provider's credentials.
type Health struct {
	Breaker            string     `json:"breaker"`
	OpenUntil          *time.Time `json:"open_until"`
	RestingUntil       *time.Time `json:"resting_until"`
	Full               bool       `json:"full"`       // it has as many requests as it may have, at once or in a minute
	FullUntil          *time.Time `json:"full_until"` // by what its vendor allows a minute; nil unless that is why it is full
	InFlight           int        `json:"in_flight"`
	Credentials        int        `json:"credentials"` // how many its provider has
	CredentialsParked  int        `json:"credentials_parked"`
	CredentialsResting int        `json:"credentials_resting"`
	CredentialsFreeAt  *time.Time `json:"credentials_free_at"` // nil if one can be used now
	RefusedFor         []string   `json:"refused_for"`         // names of the keys whose last request had all credentials refused
	DownFor            []string   `json:"down_for"`            // names of the keys for which alone the breaker is not closed
}

// modelPage is the list of models, which has one page only.
type modelPage struct {
	Data []Model `json:"data"`
	Next *string `json:"next"`
}

// listModels answers what a key may use, or, without one, what there is.
func (h *Handler) listModels(r *http.Request) (any, error) {
	if err := readQuery(r, "key"); err != nil {
		return nil, err
	}
	caller, err := h.caller(r)
	if err != nil {
		return nil, err
	}
	return modelPage{Data: append([]Model{}, h.Models(caller)...)}, nil // never null
}

// caller is the holder of the key that the query names; without one it is a caller that may use everything.
func (h *Handler) caller(r *http.Request) (*auth.Principal, error) {
	query := r.URL.Query()
	if !query.Has("key") {
		return &auth.Principal{}, nil
	}
	key, err := h.Keys.Show(query.Get("key"))
	if err != nil {
		return nil, err
	}
	if status := key.Status(h.Now()); status != auth.Active {
		return nil, &llm.Error{Kind: llm.Conflict, Param: "key", Message: fmt.Sprintf("The key %q (%s) is %s and cannot be used; weir keys list shows all keys.", key.Name, key.ID, strings.ReplaceAll(string(status), "_", " "))}
	}
	return h.Keys.Principal(key.ID)
}
