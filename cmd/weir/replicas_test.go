package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// Only a store on Postgres has replicas. What is wrong with it is said without its password.
func TestReplicasCommand(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "weir.yaml")
	for store, want := range map[string]string{
		"sqlite:x.db": "only a store on Postgres has replicas",
		"postgres://weir:sesame@127.0.0.1:1/weir": "postgres://127.0.0.1:1/weir",
	} {
		writeTest(t, path, "store: "+store+"\nproviders:\n  a: {kind: openai, api_key: \"${MISSING}\"}\n")
		for _, args := range [][]string{{"replicas", "list", "-c", path}, {"replicas", "forget", "x", "-c", path}} {
			if did := runIn(t, folder, nil, "", args...); did.code != 1 || !strings.Contains(did.stderr, want) || strings.Contains(did.stderr, "sesame") {
				t.Errorf("%v: %+v, want it to say %q", args, did, want)
			}
		}
	}
}
