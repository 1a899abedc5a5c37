package provider

import (
	"strings"

	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/dialect"
)

// history is what a model takes of the earlier turns of a chat: what its kind does, or that of the model which like names.
// Where it is not known who answers, nothing is known of it.
func (p *Provider) history(like string) dialect.History {
	var h dialect.History
	if name, _, ok := strings.Cut(like, "/"); ok {
		h = catalog.HistoryOf(name)
	} else if p.table == "" {
		return h
	} else {
		h = p.kind.History
	}
	h.System = h.System || p.apiVersion != "" // Azure's dated APIs are older than the role developer, which means the same
	return h
}
