package config

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/secret"
)

// Store is where everything is kept that changes while Weir runs: a SQLite file, or a Postgres database.
type Store struct {
	Path string      // of the SQLite file; "" for a Postgres database
	URL  secret.Text // of the Postgres database; it may hold a password
	Pool int         // how many connections to the database there are at most
}

// String is where the store is, without who connects.
func (s Store) String() string {
	if s.Path != "" {
		return s.Path
	}
	u, err := url.Parse(s.URL.Reveal())
	if err != nil { // it was parsed before
		return "postgres"
	}
	return (&url.URL{Scheme: "postgres", Host: u.Host, Path: u.Path}).String()
}

// defaultPool is how many connections there are unless the URL says.
const defaultPool = 10

// Reports have connections of their own, so that they keep nothing waiting.
const minPool, maxPool = 2, 1000

func defaultStore(data string) Store { return Store{Path: filepath.Join(data, "weir.db")} }

// UnmarshalText parses a store. Its errors do not show the text, which may hold a password.
func (s *Store) UnmarshalText(text []byte) (err error) {
	switch path, ok := strings.CutPrefix(string(text), "sqlite:"); {
	case ok && (path == "" || strings.HasPrefix(path, "//") || strings.HasPrefix(path, ":") || strings.ContainsAny(path, "?#\x00")):
		return errors.New("must be sqlite: and the path of a file, such as sqlite:./weir-data/weir.db: no //, no :memory:, no options")
	case ok:
		*s = Store{Path: path}
		return nil
	}
	if !strings.HasPrefix(string(text), "postgres://") && !strings.HasPrefix(string(text), "postgresql://") {
		return errors.New("must be sqlite:PATH or postgres://USER@HOST/DATABASE; no other kind is supported")
	}
	u, err := url.Parse(string(text))
	if err != nil {
		return errors.New("is not a URL such as postgres://USER@HOST/DATABASE: characters other than letters and digits of a password are written as % and two digits")
	}
	*s, err = postgresStore(u)
	return err
}

// postgresParameters are those that the URL of a database may have, with what each may be.
var postgresParameters = map[string]func(string) error{
	"sslmode":              among("disable", "allow", "prefer", "require", "verify-ca", "verify-full"),
	"sslrootcert":          something,
	"sslcert":              something,
	"sslkey":               something,
	"host":                 absolutePath,
	"target_session_attrs": among("any", "read-write", "primary", "prefer-standby", "read-only", "standby"),
	"pool":                 poolSize,
}

// filesOfPostgres are the parameters that name files.
var filesOfPostgres = [...]string{"sslrootcert", "sslcert", "sslkey"}

func postgresStore(u *url.URL) (Store, error) {
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return Store{}, errors.New("has parameters that are no name=value")
	}
	for _, name := range sortedKeys(query) { // unknown ones are not shown: they may be a piece of a password
		check, known := postgresParameters[name]
		switch {
		case !known:
			return Store{}, fmt.Errorf("has an unknown parameter%s", suggest(name, sortedKeys(postgresParameters), "the parameters are"))
		case len(query[name]) > 1:
			return Store{}, fmt.Errorf("has the parameter %s twice", name)
		}
		if err := check(query.Get(name)); err != nil {
			return Store{}, fmt.Errorf("has a %s that %w", name, err)
		}
	}
	switch {
	case u.Host == "" && query.Get("host") == "":
		return Store{}, errors.New("names no host: write postgres://USER@HOST/DATABASE")
	case strings.Trim(u.Path, "/") == "":
		return Store{}, errors.New("names no database: write postgres://USER@HOST/DATABASE")
	case u.Fragment != "":
		return Store{}, errors.New("has a #: write it as %23")
	}
	s := Store{Pool: defaultPool}
	if n, err := strconv.Atoi(query.Get("pool")); err == nil {
		s.Pool = n
	}
	query.Del("pool") // Weir's own
	u.RawQuery = query.Encode()
	s.URL = secret.New(u.String())
	return s, nil
}

func sortedKeys[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func among(words ...string) func(string) error {
	return func(text string) error {
		if slices.Contains(words, text) {
			return nil
		}
		return fmt.Errorf("must be one of %s", strings.Join(words, ", "))
	}
}

func something(text string) error {
	if text == "" {
		return errors.New("is empty")
	}
	return nil
}

func absolutePath(text string) error {
	if !strings.HasPrefix(text, "/") {
		return errors.New("must be the folder of a socket, such as /var/run/postgresql; other hosts go before the database")
	}
	return nil
}

func poolSize(text string) error {
	if n, err := strconv.Atoi(text); err != nil || n < minPool || n > maxPool {
		return fmt.Errorf("must be from %d to %d connections", minPool, maxPool)
	}
	return nil
}

// moved is the store with its relative paths made absolute.
func (s Store) moved(absolute func(string) string) Store {
	if s.Path != "" {
		s.Path = absolute(s.Path)
		return s
	}
	u, err := url.Parse(s.URL.Reveal())
	if err != nil { // it was parsed before
		return s
	}
	query := u.Query()
	for _, name := range filesOfPostgres {
		if path := query.Get(name); path != "" && path != "system" { // a word of sslrootcert
			query.Set(name, absolute(path))
		}
	}
	u.RawQuery = query.Encode()
	s.URL = secret.New(u.String())
	return s
}

func (d *decoder) checkStorage(c *Config) {
	if d.usable(&c.StaleKeys) && c.StaleKeys < seconds(1) {
		d.errorf(d.where(&c.StaleKeys), "stale_keys must be at least 1s, such as 1h")
	}
	c.Data = d.path(c.Data)
	if d.usable(&c.LostAfter) && c.LostAfter != 0 && c.LostAfter < seconds(60) {
		d.errorf(d.where(&c.LostAfter), "lost_after must be at least 1m, such as 10m, or 0 for never")
	}
	if !d.given(&c.Store) {
		c.Store = defaultStore(c.Data)
		return
	}
	c.Store, c.storeSet = c.Store.moved(d.path), true
}

// warnStore reports a password that others on this machine can read.
func (d *decoder) warnStore(c *Config) {
	if c.Store.Path != "" || !d.given(&c.Store) || runtime.GOOS == "windows" { // which has no such bits
		return
	}
	written, replaced := d.source[&c.Store]
	if !replaced {
		written = c.Store.URL.Reveal()
	}
	if u, err := url.Parse(variables.ReplaceAllString(written, "")); err == nil && u.User != nil {
		password, _ := u.User.Password()
		info, err := os.Stat(c.Path)
		if password != "" && err == nil && info.Mode().Perm()&0o077 != 0 {
			d.warnf(d.where(&c.Store), "store holds a password, and others on this machine can read this file: chmod 600 it, or write ${VAR} or ${file:PATH} for the password")
		}
	}
}

// variables finds what is replaced by what is not in the file.
var variables = regexp.MustCompile(`\$\{[^}]*\}`)
