package app_test

import (
	"net/http"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// The listener of the real program answers to its own names only, the figures included.
func TestTheAdminListenerAnswersToItsNames(t *testing.T) {
	t.Parallel()
	w := apptest.StartWith(t, passAll(apptest.NewUpstream(t, nil), "")+"admin: {url: \"https://weir-admin.example.com\"}\n")
	for host, status := range map[string]int{"evil.example": 421, "weir-admin.example.com": 200, "localhost:1": 200, w.AdminAddr(): 200} {
		for _, path := range []string{"/metrics", "/admin/v1/keys"} {
			r := request(t, "GET", w.AdminURL()+path, "", "Authorization", "Bearer "+w.AdminToken().Reveal())
			r.Host = host
			if a := do(t, http.DefaultClient, r); a.status != status {
				t.Errorf("%s of %s: %d %s", path, host, a.status, a.body)
			}
		}
	}
}
