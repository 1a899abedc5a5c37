package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// The schema is brought up to date without the credentials that the rest of the config names.
func TestMigrateCommand(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "weir.yaml")
	writeTest(t, path, "store: sqlite:x.db\nproviders:\n  a: {kind: openai, api_key: \"${MISSING}\"}\n")
	for _, want := range []string{"/x.db: ", "/x.db: 0 steps taken, schema "} {
		if did := runIn(t, folder, nil, "", "migrate", "--config", path); did.code != 0 || !strings.Contains(did.stdout, want) {
			t.Errorf("%+v, want it to say %q", did, want)
		}
	}
	writeTest(t, path, "store: postgres://weir:sesame@127.0.0.1:1/weir\n")
	if did := runIn(t, folder, nil, "", "migrate", "--config", path); did.code != 1 || !strings.Contains(did.stderr, "postgres://127.0.0.1:1/weir") || strings.Contains(did.stderr, "sesame") {
		t.Errorf("%+v", did)
	}
	doctor, _ := examined(t, folder, nil, "store: postgres://weir:sesame@127.0.0.1:1/weir\n")
	if got := about(doctor, "store"); !strings.Contains(got, "cannot be reached") || strings.Contains(got, "sesame") {
		t.Error(got)
	}
}
