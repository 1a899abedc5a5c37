package app

import (
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// table is the table of cfg's models, with what is known of their targets and what they fall back on.
func table(cfg *config.Config, made providers, board *route.Board) *route.Table {
	all := models(cfg, made)
	t := route.NewTable(all, board, made.know)
	for i := range cfg.Models {
		f := &cfg.Models[i].Fallbacks
		if len(f.To) == 0 {
			continue
		}
		fallback := route.Fallback{}
		for _, cause := range f.On {
			fallback.On |= causes(cause)
		}
		for _, name := range f.To {
			fallback.To = append(fallback.To, named(t, name))
		}
		all[i].Fallbacks = []route.Fallback{fallback}
	}
	return t
}

func causes(c config.Cause) route.Causes {
	switch c {
	case "rate_limit":
		return route.OnRateLimit
	case "context":
		return route.OnContext
	case "content_filter":
		return route.OnContentFilter
	default:
		return route.OnError
	}
}

// named is the model that serves a name, which the config has checked: of a pattern what it is for that name.
func named(t *route.Table, name string) *route.Model {
	r, _ := t.Resolve(name)
	if r.Model.Name == name {
		return r.Model
	}
	model := *r.Model
	model.Name, model.Targets = name, r.Targets
	return &model
}

// know completes what is known of a target by the table of capabilities. What the config says counts more.
func (p providers) know(t *route.Target) {
	p.look(t)
	t.Facts.Correct(t.Takes)
}

// look completes it by the table, but for a price.
func (p providers) look(t *route.Target) {
	if p[t.Provider].provider.Schemaless() {
		t.Facts.Lacks |= llm.TakesSchema
	}
	row, ok := p[t.Provider].provider.About(t.Model, t.Like)
	if !ok || row.Family {
		return
	}
	facts := &t.Facts
	facts.Lacks |= provider.Lacks(&row)
	facts.Context, facts.MaxInput, facts.MaxOutput = row.Context, row.MaxInput, row.MaxOutput
	if facts.Price == nil {
		facts.Price = row.Price
	}
}
