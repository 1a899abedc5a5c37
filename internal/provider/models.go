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
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/catalog"
)

// ModelInfo is one entry of a provider's own model list; what the provider does not report is zero.
type ModelInfo struct {
	ID              string `json:"id"`
	Created         int64  `json:"created,omitempty"` // Unix seconds
	DisplayName     string `json:"display_name,omitempty"`
	ContextLength   int    `json:"context_length,omitempty"`
	MaxOutputTokens int    `json:"max_output_tokens,omitempty"`
}

// Bounds on a model list. The longest known has some hundred entries and less than a megabyte.
const (
	maxModelList = 4 << 20
	maxModels    = 10_000
	maxModelID   = 256 // bytes; no longer one can be asked for
)

// ErrNoModelList is returned for providers whose API cannot list the models that can be called.
var ErrNoModelList = errors.New("this provider's API has no list of models")

// Models fetches the provider's own list of models, sorted by id, each once. It costs nothing.
func (p *Provider) Models(ctx context.Context) ([]ModelInfo, error) {
	if p.apiVersion != "" || p.kind.Models == catalog.NoModels { // dated, it would list base models, while deployments are what can be called
		return nil, ErrNoModelList
	}
	resp, err := p.askModels(ctx, p.headers[0].whole)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("GET %s answered %d", p.modelsURL().Path, resp.StatusCode)
	}
	return readModels(resp)
}

// askModels calls for the model list with the headers of a call. The caller closes the answer.
func (p *Provider) askModels(ctx context.Context, header http.Header) (*http.Response, error) {
	u := p.modelsURL()
	req := &http.Request{Method: http.MethodGet, URL: u, Host: u.Host, Header: header.Clone()}
	req.Header.Del("Content-Type")
	if err := p.authorize(ctx, req, nil); err != nil {
		return nil, err
	}
	resp, err := p.connections.transport().RoundTrip(req.WithContext(ctx))
	if err != nil {
		return nil, Wordless(err)
	}
	return resp, nil
}

// readModels reads the list in an answer.
func readModels(resp *http.Response) ([]ModelInfo, error) {
	if err := decompress(resp); err != nil {
		return nil, err
	}
	return parseModels(io.LimitReader(resp.Body, maxModelList))
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
	MaxInput         looseInteger `json:"max_input_tokens"`   // Anthropic, as the two below
	CreatedAt        looseText    `json:"created_at"`
	InputLimit       looseInteger `json:"inputTokenLimit"` // Google, as the three below
	OutputLimit      looseInteger `json:"outputTokenLimit"`
	Title            looseText    `json:"displayName"`
	Methods          looseTexts   `json:"supportedGenerationMethods"`
	MaxTokens        looseInteger `json:"max_tokens"`
	MaxOutput        looseInteger `json:"max_completion_tokens"`
	Endpoints        looseTexts   `json:"endpoints"` // Cohere, whose models have a name and no id
}

// callable reports whether the model is one for an endpoint that Weir has.
func (m listedModel) callable() bool {
	calls := slices.Concat(m.Endpoints, m.Methods)
	known := func(call string) bool {
		return slices.Contains([]string{"chat", "embed", "generateContent", "embedContent"}, call)
	}
	return len(calls) == 0 || slices.ContainsFunc(calls, known)
}

// looseTexts is a list of strings, or empty if the vendor put something else there.
type looseTexts []string

// UnmarshalJSON implements json.Unmarshaler.
func (l *looseTexts) UnmarshalJSON(raw []byte) error {
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		*l = list
	}
	return nil
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
	var n float64 // Cohere's are written as such
	if json.Unmarshal(raw, &n) == nil && n > 0 && n < 1<<53 {
		*l = looseInteger(n)
	}
	return nil
}

// parseModels reads {"data":[…]}, Cohere's and Google's {"models":[…]}, or the bare array that Together answers. The entries are read one by one, because what
// they hold besides is of any size.
func parseModels(body io.Reader) ([]ModelInfo, error) {
	d := json.NewDecoder(body)
	list := []ModelInfo{}
	there, err := enterList(d)
	for err == nil && there && d.More() {
		var m listedModel
		if err = d.Decode(&m); err == nil && len(list) == maxModels {
			return nil, fmt.Errorf("the model list has more than %d models", maxModels)
		}
		m.ID = cmp.Or(m.ID, strings.TrimPrefix(string(m.Name), "models/")) // Google's names are paths
		if err == nil && m.ID != "" && len(m.ID) <= maxModelID && m.callable() {
			list = append(list, m.info())
		}
	}
	if err == nil && there {
		_, err = d.Token() // the end of the list
	}
	if err != nil {
		return nil, fmt.Errorf("the model list is not understood, or larger than %d bytes: %w", maxModelList, err)
	}
	slices.SortFunc(list, func(a, b ModelInfo) int { return cmp.Compare(a.ID, b.ID) })
	return slices.CompactFunc(list, func(a, b ModelInfo) bool { return a.ID == b.ID }), nil
}

// enterList goes to the first entry of the list and reports whether there is a list.
func enterList(d *json.Decoder) (bool, error) {
	at, err := d.Token()
	if err == nil && at == json.Delim('{') {
		for at = nil; err == nil && d.More(); {
			var name json.Token
			if name, err = d.Token(); err == nil && (name == "data" || name == "models") {
				at, err = d.Token()
				break
			}
			var other json.RawMessage
			if err == nil {
				err = d.Decode(&other)
			}
		}
	}
	if err == nil && at != nil && at != json.Delim('[') {
		return false, errors.New("it is something else")
	}
	return at != nil, err
}

// info is what is kept of an entry.
func (m listedModel) info() ModelInfo {
	info := ModelInfo{
		ID: m.ID, Created: int64(m.Created), MaxOutputTokens: int(cmp.Or(m.MaxOutput, m.MaxTokens, m.OutputLimit)),
		ContextLength: int(cmp.Or(m.ContextLength, m.ContextWindow, m.MaxContextLength, m.MaxModelLen, m.MaxInput, m.InputLimit)),
		DisplayName:   string(cmp.Or(m.DisplayName, m.Title, m.Name)),
	}
	if at, err := time.Parse(time.RFC3339, string(m.CreatedAt)); err == nil && info.Created == 0 {
		info.Created = max(at.Unix(), 0)
	}
	if info.DisplayName == info.ID || len(info.DisplayName) > maxModelID {
		info.DisplayName = ""
	}
	return info
}

// ModelListTimeout bounds one fetch of a model list.
const ModelListTimeout = 20 * time.Second
