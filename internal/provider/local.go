package provider

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dial"
)

// localPatience is how long a server on this machine may take to say which models it has.
const localPatience = 200 * time.Millisecond

// Local is a model server found on this machine.
type Local struct {
	Kind  string
	Model string // one of its models, or ""
}

// FindLocal returns the local servers that answer with a list of models, in the order of the table. It asks the usual
// address of each kind, or the one named in its place. It asks all at once and takes a fifth of a second at most.
func FindLocal(ctx context.Context, addresses map[string]string) []Local {
	return findLocal(ctx, catalog.Kinds(), addresses)
}

func findLocal(ctx context.Context, table []catalog.Kind, addresses map[string]string) []Local {
	ctx, cancel := context.WithTimeout(ctx, localPatience)
	defer cancel()
	var mu sync.Mutex // guards found
	var found []Local
	var wg sync.WaitGroup
	for _, k := range table {
		if !k.Keyless || k.BaseURL == "" {
			continue
		}
		wg.Go(func() {
			// Loopback is asked directly, whatever proxy the environment names.
			p, err := NewWith(config.Provider{Name: k.Name, Kind: k.Name, BaseURL: cmp.Or(addresses[k.Name], k.BaseURL)}, Identity{UserAgent: "weir"}, dial.New(nil), direct)
			if err != nil {
				return
			}
			defer p.Close()
			list, err := p.Models(ctx)
			if err != nil {
				return
			}
			one := Local{Kind: k.Name}
			for _, m := range list { // the line to try is a chat, which an embedder cannot answer
				if one.Model == "" && !strings.Contains(m.ID, "embed") {
					one.Model = m.ID
				}
			}
			mu.Lock()
			found = append(found, one)
			mu.Unlock()
		})
	}
	wg.Wait()
	slices.SortFunc(found, func(a, b Local) int { return position(table, a.Kind) - position(table, b.Kind) })
	return found
}

func position(table []catalog.Kind, name string) int {
	return slices.IndexFunc(table, func(k catalog.Kind) bool { return k.Name == name })
}
