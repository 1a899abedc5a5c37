package app_test

import (
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// A scraper gets the metrics and the health of Weir, and no way to make a key.
func TestTheMetricsListenerHasFiguresAlone(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, passAll(up, "")+"metrics: {listen: \"0.0.0.0:0\"}\n")
	ask := func(method, path, host, token string) answer {
		r := request(t, method, w.MetricsURL()+path, "", "Authorization", token)
		r.Host = host
		return do(t, http.DefaultClient, r)
	}
	right := "Bearer " + w.AdminToken().Reveal()
	for path, status := range map[string]int{
		"/metrics": 200, "/healthz": 200, "/health": 200, "/readyz": 200,
		"/": 404, "/admin/v1/keys": 404, "/admin/v1/reload": 404, "/admin/v1/openapi.json": 404, "/v1/models": 404, "/metrics/x": 404,
	} {
		for _, host := range []string{"weir.monitoring.svc:9100", "localhost"} {
			if a := ask("GET", path, host, right); a.status != status {
				t.Errorf("GET %s of %s: %d %s", path, host, a.status, a.body)
			}
		}
	}
	if a := ask("GET", "/metrics", "weir", ""); a.status != 200 || !strings.Contains(a.body, "\nweir_config_valid 1\n") {
		t.Errorf("%d %.200s", a.status, a.body)
	}
	for _, path := range []string{"/metrics", "/healthz"} {
		if a := ask("POST", path, "weir", right); a.status != 405 {
			t.Errorf("POST %s: %d", path, a.status)
		}
	}
	if figure(t, w, "weir_config_valid") != "1" {
		t.Error("the admin listener has the figures no more")
	}
}

func TestTheMetricsListenerAsksForTheTokenIfToldTo(t *testing.T) {
	t.Parallel()
	w := apptest.StartWith(t, passAll(apptest.NewUpstream(t, nil), "")+"metrics: {listen: \"127.0.0.1:0\", token: true}\n")
	if a := do(t, http.DefaultClient, request(t, "GET", w.MetricsURL()+"/metrics", "")); a.status != 401 {
		t.Errorf("without a token: %d", a.status)
	}
	if a := do(t, http.DefaultClient, request(t, "GET", w.MetricsURL()+"/metrics", "", "Authorization", "Bearer "+w.AdminToken().Reveal())); a.status != 200 {
		t.Errorf("with it: %d", a.status)
	}
	r := request(t, "GET", w.MetricsURL()+"/metrics", "", "Authorization", "Bearer "+w.AdminToken().Reveal())
	r.Host = "evil.example"
	if a := do(t, http.DefaultClient, r); a.status != 421 {
		t.Errorf("on loopback by another name: %d", a.status)
	}
}

// A change of the listener waits for a restart, and is named.
func TestTheMetricsListenerNeedsARestart(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	path := filepath.Join(t.TempDir(), "weir.yaml")
	rewrite(t, path, passAll(up, ""))
	w := apptest.Start(t, path)
	for text, want := range map[string]string{
		"metrics: {listen: \"127.0.0.1:0\"}\n": `"needs_restart":["metrics"]`, "metrics: {token: true}\n": `"needs_restart":["metrics"]`,
	} {
		rewrite(t, path, passAll(up, "")+text)
		if a := manage(t, w, "POST", "/admin/v1/reload", ""); a.status != 200 || !strings.Contains(a.body, want) {
			t.Errorf("%q: %d %s", text, a.status, a.body)
		}
		rewrite(t, path, passAll(up, ""))
		manage(t, w, "POST", "/admin/v1/reload", "")
	}
}

// Connections that are opened and left do not keep the scraper out.
func TestAFloodOfTheMetricsListener(t *testing.T) {
	t.Parallel()
	w := apptest.StartWith(t, passAll(apptest.NewUpstream(t, nil), "")+"metrics: {listen: \"127.0.0.1:0\"}\n")
	address := strings.TrimPrefix(w.MetricsURL(), "http://")
	for range 200 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		_, _ = fmt.Fprintf(conn, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n")
	}
	for range 3 {
		if a := do(t, &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, request(t, "GET", w.MetricsURL()+"/metrics", "")); a.status != 200 {
			t.Errorf("%d", a.status)
		}
	}
}
