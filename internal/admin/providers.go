package admin

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/llm"
)

// Provider is a provider of the config, as the router knows it. What does not apply is nil.
type Provider struct {
	Provider    string           `json:"provider"`
	Kind        string           `json:"kind"`
	Targets     []ProviderTarget `json:"targets"`     // that models name, each once; never null
	Credentials []Credential     `json:"credentials"` // in the order of the config, without their values; never null
}

// ProviderTarget is a target of a provider.
type ProviderTarget struct {
	Target     string     `json:"target"`     // provider/model, as the config names it
	Models     []string   `json:"models"`     // that have it
	OpenSince  *time.Time `json:"open_since"` // when its breaker opened for all keys; nil if it is closed
	ModelsDown int        `json:"models_down"`
	Health
}

// Credential is one credential of a provider.
type Credential struct {
	Number int        `json:"number"` // from 0, as rows of the ledger have it
	State  string     `json:"state"`  // ready, parked or resting
	Reason *string    `json:"reason"` // why it is not ready
	Since  *time.Time `json:"since"`  // when it was parked
	Until  *time.Time `json:"until"`  // when it is tried again; nil if it may be now
}

// ProviderList has all providers of the config.
type ProviderList struct {
	Data []Provider `json:"data"`
	Next *string    `json:"next"` // there is one page
}

// fields are what the log has of the provider that an answer is about.
func (p Provider) fields() []any { return []any{"provider", p.Provider} }

func (h *Handler) listProviders(r *http.Request) (any, error) {
	if err := readQuery(r); err != nil {
		return nil, err
	}
	return ProviderList{Data: append([]Provider{}, h.Providers()...)}, nil
}

// resetProvider has a provider be tried again at once: all of it, or one target.
func (h *Handler) resetProvider(r *http.Request) (any, error) {
	var target string
	if err := readQuery(r); err != nil {
		return nil, err
	}
	if err := readObject(r, member{"target", &target}); err != nil {
		return nil, err
	}
	name := r.PathValue("provider")
	known, err := h.provider(name)
	if err != nil {
		return nil, err
	}
	if target != "" && !slices.ContainsFunc(known.Targets, func(t ProviderTarget) bool { return t.Target == target }) {
		return nil, &llm.Error{Kind: llm.NotFound, Param: "target", Message: fmt.Sprintf("No model has the target %q at this provider. GET /admin/v1/providers lists its targets.", llm.Clip(target))}
	}
	h.ResetProvider(name, target)
	return h.provider(name) // which a reload may have taken away meanwhile
}

// provider is the one with a name.
func (h *Handler) provider(name string) (Provider, error) {
	all := h.Providers()
	at := slices.IndexFunc(all, func(p Provider) bool { return p.Provider == name })
	if at < 0 {
		return Provider{}, &llm.Error{Kind: llm.NotFound, Message: fmt.Sprintf("The config in force has no provider %q. GET /admin/v1/providers lists them.", llm.Clip(name))}
	}
	return all[at], nil
}

// Providers lists the providers of the config, as the router of the Weir that is called knows them.
func (c *Client) Providers(ctx context.Context) ([]Provider, error) {
	var list ProviderList
	err := c.call(ctx, http.MethodGet, "/admin/v1/providers", nil, &list)
	return list.Data, err
}

// ResetProvider has a provider be tried again at once, or one of its targets alone, if target is not "".
func (c *Client) ResetProvider(ctx context.Context, provider, target string) (p Provider, err error) {
	body := struct {
		Target string `json:"target,omitempty"`
	}{target}
	err = c.call(ctx, http.MethodPost, "/admin/v1/providers/"+url.PathEscape(provider)+"/reset", body, &p)
	return p, err
}
