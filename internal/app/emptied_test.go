package app_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/auth"
)

// A deployment tool truncates the file before it writes it, and dies in between; or a disk is full. What is left is a config, and
// applied it would answer every request with 401 or 404: the one before stays in force.
func TestEmptiedConfigsAreRefused(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	path := filepath.Join(t.TempDir(), "weir.yaml")
	const key = "sk-of-the-config-file"
	good := strings.Replace(twoModels(up, "first"), strings.Repeat("ab", 32), strings.TrimPrefix(auth.DigestOf(key).String(), "sha256:"), 1)
	rewrite(t, path, good)
	w := apptest.Start(t, path)
	lines := strings.SplitAfter(strings.TrimSuffix(good, "\n"), "\n")
	refused := 0
	for n := range lines { // every cut at the end of a line
		rewrite(t, path, strings.Join(lines[:n], ""))
		if a := manage(t, w, "POST", "/admin/v1/reload", ""); a.status != 400 {
			t.Errorf("the first %d lines: %d %s", n, a.status, a.body)
			continue
		}
		refused++
		if a := post(t, w, key, "/v1/chat/completions", chatBody("chat")); a.status != 200 {
			t.Errorf("the first %d lines: a request was answered %d", n, a.status)
		}
		if valid := figure(t, w, "weir_config_valid"); valid != "0" {
			t.Errorf("the first %d lines: weir_config_valid is %q", n, valid)
		}
	}
	if got := strings.Count(w.Requests.String(), "the config was not reloaded"); got != refused {
		t.Errorf("%d lines in the log for %d refusals", got, refused)
	}
	rewrite(t, path, "")
	a := manage(t, w, "POST", "/admin/v1/reload", "")
	for _, words := range []string{"weir.yaml has no providers, and the config in force has 1 (up)", "no models, and the config in force has 2 (chat, slow)", "no keys", "empty: true"} {
		if !strings.Contains(a.body, words) {
			t.Errorf("%q is not in %s", words, a.body)
		}
	}

	// What goes away although something stays is listed. With a key in the store those of the file may all go.
	w.NewKey(t, "stored")
	rewrite(t, path, fmt.Sprintf("providers: {other: {kind: openai, base_url: %q, api_key: x}}\nmodels: {chat: {targets: [other/first]}}\n", up.URL()))
	if a := manage(t, w, "POST", "/admin/v1/reload", ""); a.status != 200 || !strings.Contains(a.body, `"removed":{"providers":["up"],"models":["slow"],"teams":[],"keys":["ci"]}`) {
		t.Errorf("%d %s", a.status, a.body)
	}
	logTells(t, w, `"removed_providers":["up"],"removed_models":["slow"],"removed_keys":["ci"]`)
	if a := manage(t, w, "GET", "/admin/v1/config", ""); a.body != `{"providers":["other"],"models":["chat"],"teams":[],"keys":[],"timezone":"UTC","url":"`+w.URL()+`"}`+"\n" {
		t.Errorf("%d %s", a.status, a.body)
	}

	rewrite(t, path, "empty: true\n")
	if a := manage(t, w, "POST", "/admin/v1/reload", ""); a.status != 200 || figure(t, w, "weir_config_valid") != "1" {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// The watched file behaves the same. Once it has not changed for a while, it is refused, once; the whole file that follows is
// applied.
func TestAnEmptiedFileIsNotAppliedByItself(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	path := filepath.Join(t.TempDir(), "weir.yaml")
	rewrite(t, path, twoModels(up, "first"))
	w := apptest.Start(t, path)
	key := w.NewKey(t, "key")
	rewrite(t, path, "")
	until(t, "the empty file is noticed", func() bool { return figure(t, w, "weir_config_valid") == "0" })
	if a := post(t, w, key, "/v1/chat/completions", chatBody("chat")); a.status != 200 {
		t.Errorf("%d %s", a.status, a.body)
	}
	rewrite(t, path, twoModels(up, "second"))
	until(t, "the whole file is in force", func() bool {
		return post(t, w, key, "/v1/chat/completions", chatBody("chat")).header.Get("Weir-Model") == "second"
	})
	if got := strings.Count(w.Requests.String(), "the config was not reloaded"); got != 1 {
		t.Errorf("%d lines in the log for one refusal", got)
	}
}
