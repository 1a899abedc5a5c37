package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/weirproxy/weir/internal/admin"
)

type modelsCmd struct {
	adminFlags
	formatFlag
	Key string `placeholder:"KEY" help:"The models that the key with this id or name sees. Default: all."`
}

func (modelsCmd) Help() string {
	return `Asks a running Weir over its admin API. The list is what GET /v1/models answers to that key, each model with its targets
in the order of the config; weir explain tells in which they would be tried. A name that ends in * is there too: every name
that begins so can be called.

Examples:
  weir models
  weir models --key app --format json`
}

// Run prints the models.
func (c modelsCmd) Run(ctx context.Context, sys *system) error {
	client, err := c.client(sys)
	if err != nil {
		return err
	}
	models, err := client.ListModels(ctx, c.Key)
	if err != nil {
		return usage(err)
	}
	switch c.Format {
	case formatJSON:
		return printJSON(sys.stdout, models)
	case formatCSV:
		return modelsCSV(sys.stdout, models)
	}
	out := tabwriter.NewWriter(sys.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "MODEL\tTARGETS\tCONTEXT\tMAX OUTPUT") // Flush returns the errors of all
	for _, m := range models {
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", m.ID, strings.Join(m.Targets, ", "), tokens(m.ContextLength, "-"), tokens(m.MaxOutputTokens, "-"))
	}
	return out.Flush()
}

// modelsCSV names its columns as the JSON its members.
func modelsCSV(w io.Writer, models []admin.Model) error {
	rows := [][]string{{"id", "targets", "display_name", "context_length", "max_output_tokens"}}
	for _, m := range models {
		name := ""
		if m.DisplayName != nil {
			name = *m.DisplayName
		}
		rows = append(rows, []string{m.ID, strings.Join(m.Targets, ","), name, tokens(m.ContextLength, ""), tokens(m.MaxOutputTokens, "")})
	}
	return csv.NewWriter(w).WriteAll(rows)
}

func tokens(n *int, unknown string) string {
	if n == nil {
		return unknown
	}
	return strconv.Itoa(*n)
}
