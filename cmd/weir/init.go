package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/config"
)

// schemaFile is written next to the config file, for editors.
const schemaFile = "weir.schema.json"

type initCmd struct {
	Output string `placeholder:"FILE" default:"weir.yaml" help:"Where to write the config file (default: weir.yaml). weir.schema.json is written to the same folder."`
	Force  bool   `help:"Replace the file if it exists."`
}

func (initCmd) Help() string {
	return `Every provider whose *_API_KEY variable is set and every model server that runs on this machine (Ollama, LM Studio,
vLLM, llama.cpp at their usual ports) is in the file; the others are there as comments. The file
names the variables, never their values. Without any, it holds the built-in simulated provider.

Examples:
  weir init
  weir init --output /etc/weir/weir.yaml`
}

// Run writes the config file and its schema, and says what to do next.
func (c initCmd) Run(ctx context.Context, sys *system) error {
	if c.Output == "-" {
		return &exitError{2, errors.New("--output needs a file: the JSON Schema is written next to it")}
	}
	loader := configLoader(sys)
	text := loader.Starter("./"+schemaFile, kindsOf(localServers(ctx, sys))...)
	// What cannot be served is not worth writing: a key in the environment may be unusable.
	cfg, err := loader.Parse(c.Output, text)
	if err != nil {
		return fmt.Errorf("a config file for this environment would not be valid, so weir init did not write it:\n%w", err)
	}
	schema, err := config.Schema(catalog.ConfigKinds())
	if err != nil {
		return err
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if c.Force {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	if err := writeFile(c.Output, flags, text); errors.Is(err, fs.ErrExist) {
		return &exitError{2, fmt.Errorf("%s exists already: write elsewhere with --output, or replace it with --force", c.Output)}
	} else if err != nil {
		return err
	}
	beside := filepath.Join(filepath.Dir(c.Output), schemaFile)
	if err := writeFile(beside, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, append(schema, '\n')); err != nil {
		return err
	}
	_, err = fmt.Fprintf(sys.stdout, "Wrote %s (%s) and %s.\nStart with: %s\n",
		c.Output, count(len(cfg.Providers), "provider"), beside, c.serve())
	return err
}

// serve is the command that uses the file.
func (c initCmd) serve() string {
	if filepath.Clean(c.Output) == defaultConfig {
		return "weir serve"
	}
	return fmt.Sprintf("weir serve --config %q", c.Output)
}

func writeFile(path string, flags int, data []byte) error {
	f, err := os.OpenFile(path, flags, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}
