package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/source"
)

// defaultConfig is read if it exists and nothing else is named.
const defaultConfig = "weir.yaml"

// defaultListen is where Weir listens for callers if nothing says otherwise.
const defaultListen = "127.0.0.1:8930"

// maxConfig bounds what is read from standard input; the loader refuses anything near it.
const maxConfig = 64 << 20

// configPath is where the config file is: the flag, else WEIR_CONFIG, else ./weir.yaml if it exists. It is "-" for
// standard input and "" if no file was found.
func configPath(flag string, sys *system) string {
	if flag != "" {
		return flag
	}
	if path, _ := sys.env("WEIR_CONFIG"); path != "" {
		return path
	}
	// A file that is there but cannot be read is an error to report, not a reason to start without it.
	if _, err := os.Stat(defaultConfig); errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return defaultConfig
}

func configLoader(sys *system) config.Loader {
	own, _ := sys.env("WEIR_LISTEN")
	return config.Loader{
		Kinds: catalog.ConfigKinds(), Known: catalog.Known, Env: sys.env, Own: cmp.Or(own, defaultListen),
		Sources: source.New(source.Options{}).Sources(context.Background()), // it ends by itself: secrets.timeout says when
		OurKey:  func(value string) bool { _, ours := auth.ParseKey(value); return ours },
	}
}

// adminLoader reads only what is needed to find the admin API and its token. Managing keys needs no provider
// credentials.
func adminLoader(sys *system) config.Loader {
	loader := configLoader(sys)
	loader.Only = []string{"admin", "data"}
	return loader
}

// readConfig loads the file at path, which configPath found. Its error is a config.Errors, or says why
// standard input could not be read.
func readConfig(loader config.Loader, path string, sys *system) (*config.Config, error) {
	if path != "-" {
		return loader.Load(path)
	}
	data, err := io.ReadAll(io.LimitReader(sys.stdin, maxConfig))
	if err != nil {
		return nil, fmt.Errorf("cannot read the config from standard input: %w", err)
	}
	return loader.Parse(path, data)
}

// loadConfig loads the config that a command works with. It reads the file that configPath finds, or else builds a
// config from the environment. WEIR_LISTEN, WEIR_ADMIN_LISTEN, WEIR_STORE and WEIR_DATA override either. Flags
// come after that, by Override. local are the kinds of local servers that were found; they count only if there is
// no config file.
func loadConfig(loader config.Loader, flag string, sys *system, local ...string) (*config.Config, error) {
	cfg, err := func() (*config.Config, error) {
		if path := configPath(flag, sys); path != "" {
			return readConfig(loader, path, sys)
		}
		return loader.Default(local...)
	}()
	if err != nil {
		return nil, &exitError{2, fmt.Errorf("the config cannot be used:\n%w", err)}
	}
	if err := cfg.Override(environmentOverrides(sys)); err != nil {
		return nil, &exitError{2, fmt.Errorf("a WEIR_… variable cannot be used: %w", err)}
	}
	return cfg, nil
}

func environmentOverrides(sys *system) config.Overrides {
	get := func(name string) string {
		value, _ := sys.env(name)
		return value
	}
	return config.Overrides{
		Listen: get("WEIR_LISTEN"), AdminListen: get("WEIR_ADMIN_LISTEN"), Store: get("WEIR_STORE"), Data: get("WEIR_DATA"),
	}
}

// localServers are the model servers that run on this machine.
func localServers(ctx context.Context, sys *system) []provider.Local {
	if sys.local == nil {
		return nil
	}
	return sys.local(ctx, configLoader(sys).Addresses())
}

// kindsOf are the kinds of the servers, as the config loader wants to know them.
func kindsOf(local []provider.Local) []string {
	kinds := make([]string, 0, len(local))
	for _, l := range local {
		kinds = append(kinds, l.Kind)
	}
	return kinds
}
