package relay

import (
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/dialect/refusal"
	"github.com/weirproxy/weir/internal/dialect/table"
	"github.com/weirproxy/weir/internal/llm"
)

// codecs and embedders are those of all dialects.
var codecs, embedders = everyOf(table.Codec), everyOf(table.Embedder)

func everyOf[T any](of func(llm.Dialect) *T) map[llm.Dialect]*T {
	all := map[llm.Dialect]*T{}
	for d := range llm.Dialect(20) {
		if one := of(d); one != nil {
			all[d] = one
		}
	}
	return all
}

// own is how errors of the caller's own dialect are read.
var own = new(refusal.Vendor)

// ingressOf is the row that a request was parsed by.
func ingressOf(r dialect.Request) *dialect.Ingress { return table.At(r.Scan().Endpoint.Path()[1:]) }

// scanned is a request with only this known.
func scanned(s dialect.Scanned) *passthrough.Request { return &passthrough.Request{Scanned: s} }
