package app_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
)

const (
	alertSecret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"
	alertKey    = "012345678901234567890123"
)

// webhook is one that a receiver got, with what it answered.
type webhook struct {
	ID   string
	Type string
	Data struct {
		Of, ID, Name, Budget, Unit, Period string
		Limit, Used, Percent               int64
		Reset                              *time.Time
	}
	signed bool
	status int
}

// receiver gets webhooks on a port of its own.
type receiver struct {
	*httptest.Server
	mu  sync.Mutex
	got []webhook
}

func newReceiver(t *testing.T, answer func(n int, w http.ResponseWriter, r *http.Request) (status int)) *receiver {
	t.Helper()
	v := &receiver{}
	v.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var hook webhook
		if err := json.Unmarshal(body, &hook); err != nil || hook.ID != r.Header.Get("webhook-id") {
			t.Errorf("%v: %s", err, body)
		}
		mac := hmac.New(sha256.New, []byte(alertKey))
		_, _ = io.WriteString(mac, r.Header.Get("webhook-id")+"."+r.Header.Get("webhook-timestamp")+"."+string(body))
		hook.signed = r.Header.Get("webhook-signature") == "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil))
		v.mu.Lock()
		defer v.mu.Unlock()
		hook.status = answer(len(v.got)+1, w, r)
		v.got = append(v.got, hook)
		w.WriteHeader(hook.status)
	}))
	t.Cleanup(func() {
		v.CloseClientConnections()
		v.Close()
	})
	return v
}

// all are the webhooks that came so far.
func (v *receiver) all() []webhook {
	v.mu.Lock()
	defer v.mu.Unlock()
	return append([]webhook(nil), v.got...)
}

func takes(int, http.ResponseWriter, *http.Request) int { return http.StatusNoContent }

// alerting is a config with alerts.
func alerting(up *apptest.Upstream, to string) string {
	return "alerts: {url: \"" + to + "\", secret: " + alertSecret + "}\n" + priced(up, "")
}

// A receiver gets each share of a key's and its team's budget once, signed, and that all is used up. Neither a restart nor a reload repeats one.
func TestAlerts(t *testing.T) {
	t.Parallel()
	up, v := apptest.NewUpstream(t, nil), newReceiver(t, takes)
	path := filepath.Join(t.TempDir(), "weir.yaml") // beside it is the data folder
	if err := os.WriteFile(path, []byte(alerting(up, v.URL+"/hook?of=weir")), 0o600); err != nil {
		t.Fatal(err)
	}
	var key string
	t.Run("before", func(t *testing.T) { //nolint:paralleltest // one start after the other
		w := apptest.Start(t, path)
		if a := manage(t, w, "POST", "/admin/v1/teams", `{"name":"research","budgets":["1000tok/total"],"warn":[50]}`); a.status != 200 {
			t.Fatal(a.body)
		}
		key = newLimitedKey(t, w, "app", `{"team":"research","budgets":["0.002usd/month"]}`)
		spendAll(t, w, key)
		until(t, "the receiver has that the key's budget is used up", func() bool { return len(v.all()) >= 1 })
		until(t, "it is counted", func() bool { return figure(t, w, `weir_alerts_total{outcome="sent"}`) == "1" })
		if _, err := w.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
		post(t, w, key, "/v1/chat/completions", fewTokens)
	})
	first := v.all()[0]
	if d := first.Data; !first.signed || first.Type != "budget.used_up" || d.Of != "key" || d.Name != "app" || d.ID == "" || d.Budget != "0.002usd/month" || d.Unit != "nanodollars" ||
		d.Period != "month" || d.Limit != 2_000_000 || d.Used < d.Limit || d.Percent != 100 || d.Reset == nil {
		t.Errorf("%+v", first)
	}
	w := apptest.Start(t, path)
	if a := manage(t, w, "PATCH", "/admin/v1/keys/app", `{"budgets":null}`); a.status != 200 {
		t.Fatal(a.body)
	}
	spendAll(t, w, key)
	until(t, "the receiver has the team's", func() bool { return len(v.all()) >= 3 })
	for i, hook := range v.all()[1:] {
		if d := hook.Data; !hook.signed || d.Of != "team" || d.Name != "research" || d.Unit != "tokens" || d.Reset != nil || d.Percent != int64(50+50*i) {
			t.Errorf("%+v", hook)
		}
	}
	if n := len(v.all()); n != 3 {
		t.Errorf("%d webhooks", n)
	}
}

// A receiver that fails twice gets the same webhook a third time.
func TestAnAlertIsSentAgain(t *testing.T) {
	t.Parallel()
	up, v := apptest.NewUpstream(t, nil), newReceiver(t, func(n int, _ http.ResponseWriter, _ *http.Request) int {
		if n <= 2 {
			return http.StatusServiceUnavailable
		}
		return http.StatusOK
	})
	w := apptest.StartWith(t, alerting(up, v.URL))
	spendAll(t, w, newLimitedKey(t, w, "app", `{"budgets":["30tok/day"]}`))
	until(t, "it is taken", func() bool { return figure(t, w, `weir_alerts_total{outcome="sent"}`) == "1" })
	all := v.all()
	if len(all) != 3 || all[0].ID != all[2].ID || !all[2].signed {
		t.Errorf("%+v", all)
	}
}

// A redirect is not followed. A reload has what waits go elsewhere.
func TestARedirectedAlert(t *testing.T) {
	t.Parallel()
	other := newReceiver(t, takes)
	up, v := apptest.NewUpstream(t, nil), newReceiver(t, func(_ int, w http.ResponseWriter, _ *http.Request) int {
		w.Header().Set("Location", other.URL)
		return http.StatusPermanentRedirect
	})
	path := filepath.Join(t.TempDir(), "weir.yaml")
	write := func(to string) {
		if err := os.WriteFile(path, []byte(alerting(up, to)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(v.URL + "/not-for-the-log")
	w := apptest.Start(t, path)
	spendAll(t, w, newLimitedKey(t, w, "app", `{"budgets":["30tok/day"]}`))
	logTells(t, w, "redirects are not followed")
	if len(other.all()) != 0 {
		t.Error("a redirect was followed")
	}
	write(other.URL + "/not-for-the-log")
	if _, err := w.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	until(t, "the other receiver has it", func() bool { return len(other.all()) == 1 })
	if all := other.all(); !all[0].signed || strings.Contains(w.Requests.String(), "not-for-the-log") {
		t.Errorf("%+v", all)
	}
}

// While a receiver hangs, requests are served, and Weir stops without waiting for it.
func TestAReceiverThatHangs(t *testing.T) {
	t.Parallel()
	called := make(chan struct{})
	up, v := apptest.NewUpstream(t, nil), newReceiver(t, func(_ int, _ http.ResponseWriter, r *http.Request) int {
		close(called)
		<-r.Context().Done()
		return http.StatusOK
	})
	w := apptest.StartWith(t, alerting(up, v.URL))
	key := newLimitedKey(t, w, "app", `{"budgets":["30tok/day"]}`)
	spendAll(t, w, key)
	<-called
	if a := post(t, w, w.NewKey(t, "other"), "/v1/chat/completions", fewTokens); a.status != 200 {
		t.Errorf("%d %s", a.status, a.body)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.Stop(ctx); err != nil {
		t.Error(err)
	}
	logTells(t, w, "an alert was not delivered before Weir stopped")
}
