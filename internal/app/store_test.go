package app_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/app"
	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/store/pgtest"
)

var postgres pgtest.Server

// Two Weirs on one Postgres have the same keys and one ledger: a key that one makes works at the other, and does no longer when the other
// has revoked it.
func TestTwoWeirsShareAPostgres(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	config := "store: " + postgres.Database(t) + "\n" + passAll(up, "")
	one, other := apptest.StartWith(t, config), apptest.StartWith(t, config)
	key := one.NewKey(t, "app")
	body := chatBody("gpt-4o-mini")
	until(t, "the other knows the key", func() bool { return post(t, other, key, "/v1/chat/completions", body).status == 200 })
	if a := post(t, one, key, "/v1/chat/completions", body); a.status != 200 {
		t.Fatal(a.body)
	}
	until(t, "the ledger has both calls", func() bool {
		return strings.Contains(manage(t, one, "GET", "/admin/v1/usage?by=key", "").body, `"requests":2`)
	})
	if a := manage(t, one, "GET", "/admin/v1/verify", ""); a.status != 200 || !strings.Contains(a.body, `"differences":[]`) {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := manage(t, other, "DELETE", "/admin/v1/keys/app", ""); a.status != 200 {
		t.Fatal(a.status, a.body)
	}
	until(t, "the first refuses the key", func() bool { return post(t, one, key, "/v1/chat/completions", body).status == 401 })
	if a := manage(t, one, "GET", "/admin/v1/backup", ""); !strings.Contains(a.body, "pg_dump") {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// Migrating makes the tables once, in either database, and serving begins from there.
func TestMigrate(t *testing.T) {
	t.Parallel()
	for _, at := range []config.Store{
		{Path: filepath.Join(t.TempDir(), "new", "weir.db")},
		{URL: secret.New(postgres.Database(t)), Pool: 2},
	} {
		first, schema, err := app.Migrate(t.Context(), at)
		if err != nil || first != schema.Known || first == 0 || schema.Waiting != "" {
			t.Errorf("%v: %d steps of %+v, %v", at, first, schema, err)
		}
		if again, same, err := app.Migrate(t.Context(), at); err != nil || again != 0 || same != schema {
			t.Errorf("%v: again %d steps of %+v, %v", at, again, same, err)
		}
		if same, err := app.Schema(t.Context(), at); err != nil || same != schema || same.Applied != same.Known {
			t.Errorf("%v: schema %+v, %v", at, same, err)
		}
	}
}
