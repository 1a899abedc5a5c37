package main

import (
	"fmt"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/provider"
)

type schemaCmd struct{}

func (schemaCmd) Help() string {
	return `Editors check weir.yaml as you type if its first line is
  # yaml-language-server: $schema=./weir.schema.json

Example:
  weir schema > weir.schema.json`
}

// Run prints the JSON Schema of the config file.
func (schemaCmd) Run(sys *system) error {
	schema, err := config.Schema(provider.ConfigKinds())
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(sys.stdout, "%s\n", schema)
	return err
}
