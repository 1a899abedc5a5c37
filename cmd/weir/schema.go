package main

import (
	"fmt"

	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/config"
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
	schema, err := config.Schema(catalog.ConfigKinds())
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(sys.stdout, "%s\n", schema)
	return err
}
