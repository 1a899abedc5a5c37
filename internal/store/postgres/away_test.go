package postgres

import (
	"net"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/store/pgtest"
)

// A database that cannot be reached, or not be written at the moment, is away. One that is asked for wrongly is not, however long one waits.
func TestWhatIsAway(t *testing.T) {
	t.Parallel()
	url := server.Own(t)
	proxy, cut := pgtest.Behind(t, url)
	proxy.Cut()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	edit(t, url, `DROP ROLE IF EXISTS crowded; CREATE ROLE crowded LOGIN CONNECTION LIMIT 0`)
	for url, away := range map[string]bool{
		cut: true,
		"postgres://weir@" + free.Addr().String() + "/weir?sslmode=disable": true,
		url + "&default_transaction_read_only=on":                           true,
		strings.Replace(url, "weir@", "crowded@", 1):                        true,
		strings.Replace(url, "/test", "/missing", 1):                        false,
		strings.Replace(url, "weir@", "stranger@", 1):                       false,
	} {
		db, err := Open(t.Context(), Options{URL: secret.New(url), Pool: 2})
		if err == nil {
			t.Errorf("%s was opened: %v", url, db.Close())
			continue
		}
		if Away(err) != away {
			t.Errorf("%s is away: %v, want %v: %v", url, !away, away, err)
		}
	}
}

// A store that was away fails every statement at once, until it has begun.
func TestAStoreBeginsLater(t *testing.T) {
	t.Parallel()
	db, err := Later(Options{URL: secret.New(server.Database(t)), Pool: 10})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	read := func() error {
		_, err := db.ChangesSince(t.Context(), 0, nil, nil)
		return err
	}
	if err := read(); err == nil || !strings.Contains(err.Error(), "has not been reached since the start") {
		t.Error(err)
	}
	if err := Begin(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if err := read(); err != nil {
		t.Error(err)
	}
}
