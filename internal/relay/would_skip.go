package relay

import (
	"context"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/fetch"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// CanServe reports whether a provider can be asked for an answer of the endpoint by a model of that name.
func CanServe(p *provider.Provider, in *dialect.Ingress, model string) bool {
	r := Request{Ingress: in}
	return p.CanName(model) && (p.Serves(in.Endpoint, model) || r.asChats(p, model))
}

// WouldSkip says why no call would be made for the request at one of a model's targets. Nothing is fetched: whatever a caller names
// is taken for an image.
func WouldSkip(req *Request, model *route.Model, target *route.Target) route.Skip {
	aside := *req
	aside.Images = anyImage{}
	r := &run{Request: &aside, ctx: context.Background()}
	if _, f := r.prepare(&route.Try{Target: target, Model: model}); f != nil {
		return f.skip
	}
	return route.NotSkipped
}

// anyImage replaces images that are not fetched.
type anyImage struct{}

// Image implements Images.
func (anyImage) Image(context.Context, string, fetch.Room) (fetch.Image, error) {
	return fetch.Image{Media: "image/png", Data: []byte("AA==")}, nil
}
