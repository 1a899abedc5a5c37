package passthrough

import (
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/sse"
	"github.com/weirproxy/weir/internal/llm"
)

// The endpoints of OpenAI's API that callers of Weir have.
var (
	Chat        = ingress(llm.Chat)
	Completions = ingress(llm.Completions)
	Embeddings  = ingress(llm.Embeddings)
)

func ingress(e llm.Endpoint) *dialect.Ingress {
	return &dialect.Ingress{
		Name: e.String(), Path: e.Path()[1:], Endpoint: e, Dialect: llm.OpenAI,
		Parse: func(raw []byte, o dialect.ParseOptions) (dialect.Request, *llm.Error) {
			r, err := parseRequestFor(o.Model, o.Room, e, raw, o.MaxDepth)
			if err != nil {
				return nil, err
			}
			return r, nil
		},
		Framing: dialect.Framing{KeepAlive: sse.KeepAlive, Done: "data: [DONE]\n\n", Error: dialect.ErrorEvent},
		Errors:  &dialect.Own,
	}
}

// Walk implements dialect.Passing.
func (r *Request) Walk(c *dialect.Changes, echo string) dialect.Walk {
	return &Stream{AskedUsage: c.AskUsage, WantUsage: r.WantUsage, EchoModel: echo, Legacy: r.Endpoint == llm.Completions}
}
