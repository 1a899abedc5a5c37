package admin_test

import (
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/admin"
)

// A reload may take a provider away while it is being reset: then the answer is about none, and not about another one.
func TestAProviderThatLeavesWhileItIsReset(t *testing.T) {
	t.Parallel()
	for _, after := range [][]admin.Provider{{}, {{Provider: "other"}}, {{Provider: "third"}, {Provider: "other"}}} {
		list := []admin.Provider{{Provider: "first"}, {Provider: "gone", Targets: []admin.ProviderTarget{{Target: "gone/m"}}}}
		s := newServer(t, func(o *admin.Options) {
			o.Providers = func() []admin.Provider { return list }
			o.ResetProvider = func(string, string) { list = after }
		})
		got := s.do("POST", "/admin/v1/providers/gone/reset", `{"target":"gone/m"}`)
		if got.status != 404 || !strings.Contains(got.body, `no provider \"gone\"`) {
			t.Errorf("%v: %d %s", after, got.status, got.body)
		}
	}
}
