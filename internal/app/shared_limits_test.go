package app_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/store/pgtest"
)

// twoWeirs are on one Postgres, with one config, and know a key of the first.
func twoWeirs(t *testing.T, config, limits string) (weirs [2]*apptest.Weir, key string) {
	t.Helper()
	config = "store: " + postgres.Database(t) + "\n" + config
	weirs = [2]*apptest.Weir{apptest.StartWith(t, config), apptest.StartWith(t, config)}
	key = newLimitedKey(t, weirs[0], "app", limits)
	for _, w := range []*apptest.Weir{weirs[1], weirs[0]} { // the first hears of the other when it asks how limits stand
		until(t, "both know the key with its limits", func() bool {
			return strings.Contains(manage(t, w, "GET", "/admin/v1/limits?key=app", "").body, `"remaining"`)
		})
	}
	return weirs, key
}

// Requests a minute count at both of two Weirs, which refuse what is beyond, and say what is left for both. While the database does not answer in time, each
// has its half, so that some more may pass on a busy machine; of two that counted apart, twice as many would.
func TestTwoWeirsCountOneMinute(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	weirs, key := twoWeirs(t, passAll(up, ""), `{"rpm":20,"tpm":1000000}`)
	const limit = 20
	began, served := time.Now(), 0
	for i := range 3 * limit {
		a := post(t, weirs[i%2], key, "/v1/chat/completions", chatBody("m"))
		left, err := strconv.Atoi(a.header.Get("X-Ratelimit-Remaining-Requests"))
		switch {
		case err != nil || left >= limit || a.header.Get("X-Ratelimit-Limit-Requests") != "20":
			t.Errorf("request %d: %v", i, a.header)
		case a.status == 200:
			served++
		case a.code() == "ledger_unavailable": // on a busy machine
		case a.status != 429 || a.code() != "rate_limit_exceeded" || a.header.Get("Retry-After") == "":
			t.Errorf("request %d: %d %v %s", i, a.status, a.header, a.body)
		}
	}
	again := int(time.Since(began)/(3*time.Second)) + 1
	if served < limit/2 || served > limit+again+limit/2 {
		t.Errorf("%d requests of %d a minute are served in %v", served, limit, time.Since(began))
	}
	for i, w := range weirs {
		until(t, fmt.Sprintf("Weir %d knows what both used", i), func() bool {
			used := usedOf(manage(t, w, "GET", "/admin/v1/limits?key=app", "").body, "rpm")
			return used >= min(served, limit)-again-int(time.Since(began)/(3*time.Second))
		})
	}
}

// A request that runs at one Weir has its place at the other, too, until it ends.
func TestTwoWeirsShareRequestsAtOnce(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(stalls))
	weirs, key := twoWeirs(t, passAll(up, ""), `{"concurrent":2}`)
	for i := range 10 { // one after the other, each at another Weir
		until(t, "a request is served", func() bool {
			a := post(t, weirs[i%2], key, "/v1/chat/completions", chatBody("m"))
			if a.status != 200 && a.code() != "rate_limit_exceeded" && a.code() != "ledger_unavailable" { // on a busy machine
				t.Fatalf("%d %s", a.status, a.body)
			}
			return a.status == 200
		})
	}
	first, second := openStream(t, weirs[0], key, "stall"), openStream(t, weirs[0], key, "stall")
	for range 3 {
		a := post(t, weirs[1], key, "/v1/chat/completions", chatBody("m"))
		if a.status == 200 || a.code() == "rate_limit_exceeded" && !strings.Contains(a.body, "the key app may have 2 requests at once, and has them running") {
			t.Errorf("a third request at once: %d %s", a.status, a.body)
		}
	}
	until(t, "the other shows both", func() bool {
		return strings.Contains(manage(t, weirs[1], "GET", "/admin/v1/limits?key=app", "").body, `"limit":"concurrent","most":2,"used":2,"remaining":0`)
	})
	_ = first.resp.Body.Close()
	until(t, "the other serves one", func() bool { return post(t, weirs[1], key, "/v1/chat/completions", chatBody("m")).status == 200 })
	_ = second.resp.Body.Close()
}

// What a vendor allows a target a minute is for all Weirs together, and of its requests at once each has its part.
func TestTwoWeirsShareWhatATargetMayHave(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(stalls))
	weirs, key := twoWeirs(t, passAll(up, "")+"  metered: {targets: [{provider: up, model: m, rpm: 10}]}\n"+
		"  narrow: {targets: [{provider: up, model: stall, concurrent: 2}], timeouts: {total: 30s}}\n", `{"rpm":1000}`)
	began := time.Now()
	for i := range 40 {
		post(t, weirs[i%2], key, "/v1/chat/completions", chatBody("metered"))
	}
	if n, most := calls(up, "m"), 10+int(time.Since(began)/(6*time.Second))+1+5; n < 5 || n > most {
		t.Errorf("the target got %d calls, and may have %d", n, most)
	}
	for _, w := range weirs {
		openStream(t, w, key, "narrow")
		if a := post(t, w, key, "/v1/chat/completions", chatBody("narrow"), "X-Request-Timeout", "1"); a.status != 503 && a.status != 504 {
			t.Errorf("beyond its part of the places: %d %s", a.status, a.body)
		}
	}
}

// While the database is cut off, a minute goes on where it was, and places for eight seconds. Callers are refused at once, by what is the matter. When it is back, what
// was used counts.
func TestLimitsInAnOutageOfPostgres(t *testing.T) {
	t.Parallel()
	proxy, url := pgtest.Behind(t, postgres.Database(t))
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, "store: "+url+"\n"+passAll(up, ""))
	minute, places := newLimitedKey(t, w, "minute", `{"rpm":10}`), newLimitedKey(t, w, "places", `{"concurrent":3000}`)
	send := func(key string) answer { return post(t, w, key, "/v1/chat/completions", chatBody("m")) }
	until(t, "the key with places is served", func() bool { return send(places).status == 200 })
	began, served := time.Now(), 0
	for range 4 {
		if send(minute).status == 200 {
			served++
		}
	}
	proxy.Cut()
	until(t, "the minute is used up", func() bool {
		a := send(minute)
		if a.status == 200 {
			served++
		}
		return a.status == 429 && a.code() == "rate_limit_exceeded" && a.header.Get("X-Ratelimit-Remaining-Requests") == "0"
	})
	if again := int(time.Since(began) / (6 * time.Second)); served < 8 || served > 10+again+5 { // on a busy machine the database may not answer in time before, too: what it granted then is lost
		t.Errorf("%d of 10 requests are served", served)
	}
	until(t, "the key with places is refused", func() bool {
		a := send(places)
		if a.status != 200 && (a.status != 503 || a.code() != "ledger_unavailable" || a.header.Get("Retry-After") != "1") {
			t.Fatalf("%d %v %s", a.status, a.header, a.body)
		}
		return a.status == 503
	})
	proxy.Heal()
	until(t, "the key with places is served again", func() bool { return send(places).status == 200 })
	a := manage(t, w, "GET", "/admin/v1/limits?key=minute", "")
	if used := usedOf(a.body, "rpm"); used < served-int(time.Since(began)/(6*time.Second))-1 {
		t.Errorf("%d were served, and the database knows %d: %s", served, used, a.body)
	}
}

// usedOf is what is used of a key's limit, by the admin API.
func usedOf(body, limit string) int {
	_, text, _ := strings.Cut(body, `"limit":"`+limit+`"`)
	_, text, _ = strings.Cut(text, `"used":`)
	text, _, _ = strings.Cut(text, ",")
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}
