package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestOverride(t *testing.T) {
	t.Parallel()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	at := func(path string) string { return filepath.Join(here, path) }
	for _, c := range []struct {
		name, file string
		o          Overrides
		want       [4]string // listen, admin listen, store, data
	}{
		{"nothing", "", Overrides{}, [4]string{"127.0.0.1:8930", "127.0.0.1:8931", "/etc/weir/weir-data/weir.db", "/etc/weir/weir-data"}},
		{"all", "", Overrides{Listen: ":1", AdminListen: "[::1]:2", Store: "sqlite:x.db", Data: "y"}, [4]string{":1", "[::1]:2", at("x.db"), at("y")}},
		{"store follows data", "data: d", Overrides{Data: "/y"}, [4]string{"127.0.0.1:8930", "127.0.0.1:8931", "/y/weir.db", "/y"}},
		{"a store that is set stays", "store: sqlite:s.db", Overrides{Data: "/y"}, [4]string{"127.0.0.1:8930", "127.0.0.1:8931", "/etc/weir/s.db", "/y"}},
		{"an exposed admin listener by choice", "admin: {insecure: true}", Overrides{AdminListen: ":2"}, [4]string{"127.0.0.1:8930", ":2", "/etc/weir/weir-data/weir.db", "/etc/weir/weir-data"}},
		{"free ports", "", Overrides{Listen: "127.0.0.1:0", AdminListen: "127.0.0.1:0"}, [4]string{"127.0.0.1:0", "127.0.0.1:0", "/etc/weir/weir-data/weir.db", "/etc/weir/weir-data"}},
	} {
		cfg := parse(t, c.file)
		if err := cfg.Override(c.o); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := [4]string{cfg.Listen.Addr, cfg.Admin.Listen.Addr, cfg.Store.Path, cfg.Data}; got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestOverrideRefuses(t *testing.T) {
	t.Parallel()
	for want, o := range map[string]Overrides{
		`listen "8930" must be host:port`:                              {Listen: "8930"},
		`admin listen "http://x" must`:                                 {AdminListen: "http://x"},
		`admin listen "0.0.0.0:8931" is not loopback`:                  {AdminListen: "0.0.0.0:8931"},
		"listen and admin.listen are the same address":                 {Listen: "127.0.0.1:8931"},
		"store must be sqlite:PATH or postgres://USER@HOST/DATABASE":   {Store: "mysql://u:p@h/d"},
		"store names no database":                                      {Store: "postgres://u:p@h"},
		"store must be sqlite: and the path of a file, such as sqlite": {Store: "sqlite://x.db"},
	} {
		cfg := parse(t, "")
		o.Data = "/elsewhere"
		if err := cfg.Override(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
		if !reflect.DeepEqual(cfg, parse(t, "")) {
			t.Errorf("%+v: refused, but changed the config", o)
		}
	}
}

func TestLoopback(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]bool{
		"127.0.0.1:1": true, "127.9.9.9:1": true, "[::1]:1": true, "localhost:1": true, "[::ffff:127.0.0.1]:1": true,
		":1": false, "0.0.0.0:1": false, "[::]:1": false, "10.0.0.1:1": false, "example.com:1": false, "localhost.example.com:1": false,
	} {
		if loopback(addr) != want {
			t.Errorf("loopback(%s) = %v", addr, !want)
		}
	}
}
