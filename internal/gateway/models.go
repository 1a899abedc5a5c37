package gateway

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/table"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/memory"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// modelObject is OpenAI's model, with additional members that model pickers like.
type modelObject struct {
	ID              string `json:"id"`
	Object          string `json:"object"`
	Created         int64  `json:"created"`
	OwnedBy         string `json:"owned_by"`
	DisplayName     string `json:"display_name,omitempty"`
	ContextLength   int    `json:"context_length,omitempty"`
	MaxOutputTokens int    `json:"max_output_tokens,omitempty"`
}

type modelList struct {
	Object string        `json:"object"`
	Data   []modelObject `json:"data"`
}

// caller is authentication for endpoints without a body.
func (g *Gateway) caller(r *http.Request, ev *Event, endpoint string) (*auth.Principal, *llm.Error) {
	ev.Endpoint = endpoint
	caller, err := g.authenticate(r, ev)
	if err != nil {
		return nil, err
	}
	wishes, err := g.readHeaders(r, caller)
	if err == nil {
		err = wishes.notOnce()
	}
	if err == nil && wishes.explain {
		err = &llm.Error{Kind: llm.UnsupportedHeader, Param: "weir-explain", Message: "Weir-Explain works only on requests that are sent to a provider. Remove the header weir-explain."}
	}
	return caller, err
}

// listModels answers what the caller may use, from memory.
func (g *Gateway) listModels(w http.ResponseWriter, r *http.Request, ev *Event, snap *Snapshot) *llm.Error {
	caller, err := g.caller(r, ev, "models")
	if err != nil {
		return err
	}
	all := g.models(snap, caller)
	as := table.Models(clean(r.URL.EscapedPath()), r.Header)
	if as == nil {
		return answerJSON(w, r, ev, modelList{Object: "list", Data: all})
	}
	as.Errors.Identify(w.Header())
	list := make([]dialect.Model, len(all))
	for i := range all {
		list[i] = all[i].listed()
	}
	body, err := as.List(list, r.URL.Query())
	if err != nil {
		return err
	}
	return answer(w, r, ev, body)
}

// oneModel answers for a single id, which may hold slashes, raw or encoded.
func (g *Gateway) oneModel(w http.ResponseWriter, r *http.Request, ev *Event, snap *Snapshot, escaped string) *llm.Error {
	caller, err := g.caller(r, ev, "models")
	if err != nil {
		return err
	}
	id := unescape(escaped)
	resolved, ok := snap.visible(caller, id)
	if !ok {
		return modelNotFound(id)
	}
	if !strings.HasSuffix(resolved.Model.Name, "*") {
		return answerModel(w, r, ev, g.logical(snap, resolved.Model))
	}
	for _, p := range snap.Table.PassThroughs() {
		if p.Model != resolved.Model {
			continue
		}
		list, _ := g.lists(p.Provider)
		for _, info := range list {
			if name, ok := p.Logical(info.ID); ok && name == id {
				return answerModel(w, r, ev, snap.passedThrough(id, p.Provider, info, p.Takes))
			}
		}
	}
	// No provider lists it, but lists are not complete: a request for it would be tried.
	i := slices.IndexFunc(resolved.Targets, func(t route.Target) bool { return snap.Providers[t.Provider].CanName(t.Model) })
	if i < 0 {
		return modelNotFound(id)
	}
	target := resolved.Targets[i]
	return answerModel(w, r, ev, snap.passedThrough(id, target.Provider, provider.ModelInfo{ID: target.Model}, target.Takes))
}

// answerModel answers with one model, in the dialect of its client.
func answerModel(w http.ResponseWriter, r *http.Request, ev *Event, o modelObject) *llm.Error {
	as := table.Models(clean(r.URL.EscapedPath()), r.Header)
	if as == nil {
		return answerJSON(w, r, ev, o)
	}
	as.Errors.Identify(w.Header())
	return answer(w, r, ev, as.One(o.listed()))
}

// listed is the model for other dialects.
func (o *modelObject) listed() dialect.Model {
	return dialect.Model{ID: o.ID, DisplayName: o.DisplayName, Created: o.Created, ContextLength: o.ContextLength, MaxOutputTokens: o.MaxOutputTokens}
}

// models are all models that the caller may use, by id, each once.
func (g *Gateway) models(snap *Snapshot, caller *auth.Principal) []modelObject {
	all := []modelObject{} // never null
	for _, m := range snap.Table.Models() {
		if !strings.HasSuffix(m.Name, "*") && caller.Allows(m.Name) {
			all = append(all, g.logical(snap, m))
		}
	}
	for _, p := range snap.Table.PassThroughs() {
		list, _ := g.lists(p.Provider)
		for _, info := range list {
			name, ok := p.Logical(info.ID)
			if !ok {
				continue
			}
			// Another model may be meant by that name: an exact one, or a longer pattern.
			if resolved, ok := snap.visible(caller, name); ok && resolved.Model == p.Model {
				all = append(all, snap.passedThrough(name, p.Provider, info, p.Takes))
			}
		}
	}
	slices.SortStableFunc(all, func(a, b modelObject) int { return strings.Compare(a.ID, b.ID) })
	return slices.CompactFunc(all, func(a, b modelObject) bool { return a.ID == b.ID })
}

// Model is a logical model as operators see it.
type Model struct {
	ID              string // ends in * if it matches every name with that beginning
	Route           *route.Model
	Targets         []Standing // in the order of the config
	DisplayName     string
	ContextLength   int // in tokens; 0 where unknown, as MaxOutputTokens
	MaxOutputTokens int
}

// Standing is one target, its health, and what is known of its model.
type Standing struct {
	route.Sight
	Row    string // row in the table of capabilities, as vendor/model; or ""
	Family bool   // the row is that of the model's family, which only gives parameters
}

// Models are those that the caller may use, by id. They are what GET /v1/models lists, and the patterns, which allow
// more names than any list knows.
func (g *Gateway) Models(caller *auth.Principal) []Model {
	snap, now := g.snapshot.Load(), time.Now()
	listed := g.models(snap, caller)
	all := make([]Model, 0, len(listed))
	for _, o := range listed {
		resolved, _ := snap.visible(caller, o.ID) // what is listed can be called
		all = append(all, Model{o.ID, resolved.Model, snap.standings(&resolved, caller, now), o.DisplayName, o.ContextLength, o.MaxOutputTokens})
	}
	for _, m := range snap.Table.Models() {
		if strings.HasSuffix(m.Name, "*") && caller.Allows(m.Name) {
			of := snap.Table.Of(m)
			all = append(all, Model{m.Name, m, snap.standings(&of, caller, now), m.DisplayName, m.ContextLength, m.MaxOutputTokens})
		}
	}
	slices.SortStableFunc(all, func(a, b Model) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// standings are the health of a route's targets for a caller.
func (s *Snapshot) standings(r *route.Route, caller *auth.Principal, now time.Time) []Standing {
	all := make([]Standing, len(r.Targets))
	for _, sight := range r.Look(&route.Ask{Caller: route.Hash(caller.KeyID)}, now) {
		i := slices.IndexFunc(r.Targets, func(t route.Target) bool { return t.Provider == sight.Provider && t.Model == sight.Model })
		all[i].Sight = sight
		if row, ok := s.Providers[sight.Provider].About(sight.Model, sight.Like); ok {
			all[i].Row, all[i].Family = row.Vendor+"/"+row.Model, row.Family
		}
	}
	return all
}

// logical describes a configured model: with what the config says, else what its first target's provider says, else what is
// known of the target. A name for people is the target's own only if callers name the model as its provider does.
func (g *Gateway) logical(snap *Snapshot, m *route.Model) modelObject {
	target := m.Targets[0]
	o := modelObject{
		ID: m.Name, Object: "model", OwnedBy: "weir",
		DisplayName: m.DisplayName, ContextLength: m.ContextLength, MaxOutputTokens: m.MaxOutputTokens,
	}
	if t := target.Takes; t != nil {
		o.ContextLength, o.MaxOutputTokens = cmp.Or(o.ContextLength, t.Context), cmp.Or(o.MaxOutputTokens, t.MaxOutput)
	}
	list, _ := g.lists(target.Provider)
	i, found := slices.BinarySearchFunc(list, target.Model, func(info provider.ModelInfo, id string) int { return strings.Compare(info.ID, id) })
	if found {
		o.Created = list[i].Created
		o.ContextLength = cmp.Or(o.ContextLength, list[i].ContextLength)
		o.MaxOutputTokens = cmp.Or(o.MaxOutputTokens, list[i].MaxOutputTokens)
	}
	return snap.complete(o, target)
}

// complete adds what is known of an object's target.
func (s *Snapshot) complete(o modelObject, target route.Target) modelObject {
	p := s.Providers[target.Provider]
	if p == nil {
		return o
	}
	known, _ := p.About(target.Model, target.Like)
	o.ContextLength = cmp.Or(o.ContextLength, known.Context)
	o.MaxOutputTokens = cmp.Or(o.MaxOutputTokens, known.MaxOutput)
	if o.ID == target.Model || strings.HasSuffix(o.ID, "/"+target.Model) {
		o.DisplayName = cmp.Or(o.DisplayName, known.Name)
	}
	return o
}

func (s *Snapshot) passedThrough(name, owner string, info provider.ModelInfo, takes *llm.Takes) modelObject {
	o := modelObject{
		ID: name, Object: "model", Created: info.Created, OwnedBy: owner,
		DisplayName: info.DisplayName, ContextLength: info.ContextLength, MaxOutputTokens: info.MaxOutputTokens,
	}
	if takes != nil {
		o.ContextLength, o.MaxOutputTokens = cmp.Or(takes.Context, o.ContextLength), cmp.Or(takes.MaxOutput, o.MaxOutputTokens)
	}
	return s.complete(o, route.Target{Provider: owner, Model: info.ID})
}

func answerJSON(w http.ResponseWriter, r *http.Request, ev *Event, value any) *llm.Error {
	body, err := json.Marshal(value)
	if err != nil {
		return llm.AsError(err)
	}
	return answer(w, r, ev, body)
}

// answer sends a body of JSON.
func answer(w http.ResponseWriter, r *http.Request, ev *Event, body []byte) *llm.Error {
	if len(body) > memory.PerRequest && !ev.hold.Take(int64(len(body))) { // a list may wait for its reader, too
		return overloaded()
	}
	h := w.Header()
	h["Content-Type"] = []string{"application/json"}
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the client is gone if this fails
	}
	return nil
}
