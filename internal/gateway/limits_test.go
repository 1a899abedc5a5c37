package gateway

import (
	"testing"

	"github.com/weirproxy/weir/internal/route"
)

// What is usual of a model is known for as long as the config has the model.
func TestUsualIsForgottenWithItsModel(t *testing.T) {
	t.Parallel()
	stays, goes := &route.Model{Name: "stays"}, &route.Model{Name: "goes"}
	g := New(Options{Snapshot: &Snapshot{Table: route.NewTable([]*route.Model{stays, goes}, nil, nil)}})
	for _, m := range []*route.Model{stays, goes} {
		for range 20 {
			g.limits.of(m).Note(10)
		}
	}
	g.Apply(&Snapshot{Table: route.NewTable([]*route.Model{stays}, nil, nil)})
	if n := len(g.limits.usual); n != 1 || g.limits.of(stays).Tokens() > 20 {
		t.Errorf("%d models are known, and an answer of one has %d tokens", n, g.limits.of(stays).Tokens())
	}
}
