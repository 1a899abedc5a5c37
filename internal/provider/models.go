package provider

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"
)

// ModelInfo is one entry of a provider's own model list; what the provider does not tell is zero.
type ModelInfo struct {
	ID              string `json:"id"`
	Created         int64  `json:"created,omitempty"` // Unix seconds
	DisplayName     string `json:"display_name,omitempty"`
	ContextLength   int    `json:"context_length,omitempty"`
	MaxOutputTokens int    `json:"max_output_tokens,omitempty"`
}

// maxModelList bounds the body of a model list.
const maxModelList = 16 << 20

// ErrNoModelList is returned for providers whose API cannot list the models that can be called.
var ErrNoModelList = errors.New("this provider's API has no list of models")

// Models fetches the provider's own list of models, sorted by id, each once. It costs nothing.
func (p *Provider) Models(ctx context.Context) ([]ModelInfo, error) {
	if p.apiVersion != "" { // it would list base models, while deployments are what can be called
		return nil, ErrNoModelList
	}
	u := *p.base
	u.Path += cmp.Or(p.kind.models, "/models")
	req := &http.Request{Method: http.MethodGet, URL: &u, Host: u.Host, Header: p.headers[0].Clone()}
	req.Header.Del("Content-Type")
	resp, err := p.transport.RoundTrip(req.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("GET %s answered %d", u.Path, resp.StatusCode)
	}
	if err := decompress(resp); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxModelList))
	if err != nil {
		return nil, err
	}
	return parseModels(body)
}

// listedModel is the union of what vendors put into an entry.
type listedModel struct {
	ID               string       `json:"id"`
	Created          looseInteger `json:"created"`
	Name             looseText    `json:"name"`
	DisplayName      looseText    `json:"display_name"`
	ContextLength    looseInteger `json:"context_length"`     // OpenRouter, Together, Fireworks
	ContextWindow    looseInteger `json:"context_window"`     // Groq
	MaxContextLength looseInteger `json:"max_context_length"` // Mistral, LM Studio
	MaxModelLen      looseInteger `json:"max_model_len"`      // vLLM
	MaxOutput        looseInteger `json:"max_completion_tokens"`
}

// looseText is a string, or empty if the vendor put something else there.
type looseText string

// UnmarshalJSON implements json.Unmarshaler.
func (l *looseText) UnmarshalJSON(raw []byte) error {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		*l = looseText(s)
	}
	return nil
}

// looseInteger is a number, or 0 if the vendor put something else there.
type looseInteger int

// UnmarshalJSON implements json.Unmarshaler.
func (l *looseInteger) UnmarshalJSON(raw []byte) error {
	var n int
	if json.Unmarshal(raw, &n) == nil && n > 0 {
		*l = looseInteger(n)
	}
	return nil
}

// parseModels reads {"data":[…]}, or the bare array that Together answers.
func parseModels(body []byte) ([]ModelInfo, error) {
	var wrapped struct {
		Data []listedModel `json:"data"`
	}
	err := json.Unmarshal(body, &wrapped)
	if err != nil {
		if json.Unmarshal(body, &wrapped.Data) != nil {
			return nil, fmt.Errorf("the model list is not understood: %w", err)
		}
	}
	list := make([]ModelInfo, 0, len(wrapped.Data))
	for _, m := range wrapped.Data {
		if m.ID == "" {
			continue
		}
		info := ModelInfo{
			ID: m.ID, Created: int64(m.Created), MaxOutputTokens: int(m.MaxOutput),
			ContextLength: int(cmp.Or(m.ContextLength, m.ContextWindow, m.MaxContextLength, m.MaxModelLen)),
			DisplayName:   string(cmp.Or(m.DisplayName, m.Name)),
		}
		if info.DisplayName == info.ID {
			info.DisplayName = ""
		}
		list = append(list, info)
	}
	slices.SortFunc(list, func(a, b ModelInfo) int { return cmp.Compare(a.ID, b.ID) })
	return slices.CompactFunc(list, func(a, b ModelInfo) bool { return a.ID == b.ID }), nil
}

// ModelListTimeout bounds one fetch of a model list.
const ModelListTimeout = 20 * time.Second
