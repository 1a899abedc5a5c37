package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/budget"
)

// budgetLines are budgets as the config file has them, after other members of a mapping.
func budgetLines(p *budget.Policy) string {
	if p == nil {
		return ""
	}
	line := ", budgets: [" + budgetWords(p.Budgets) + "]"
	if p.Strict {
		line += ", reserve: strict"
	}
	if p.Cut {
		line += ", cut: true"
	}
	if len(p.Warn) > 0 {
		line += ", warn: [" + shareWords(p.Warn) + "]"
	}
	return line
}

// budgetWords are budgets in a list.
func budgetWords(specs []budget.Spec) string {
	words := make([]string, len(specs))
	for i, spec := range specs {
		words[i] = spec.String()
	}
	return strings.Join(words, ",")
}

// shareWords are percentages in a list.
func shareWords(shares []int) string {
	words := make([]string, len(shares))
	for i, share := range shares {
		words[i] = strconv.Itoa(share) + "%"
	}
	return strings.Join(words, ",")
}

// reserveCell is what calls hold in CSV, "" without budgets.
func reserveCell(b *admin.Budgets) string {
	if b.Reserve == nil {
		return ""
	}
	return *b.Reserve
}

// cutCell says in CSV whether streams are ended, "" without budgets.
func cutCell(b *admin.Budgets) string {
	if b.Reserve == nil {
		return ""
	}
	return strconv.FormatBool(b.Cut)
}

// budgetTable writes how budgets stand for people.
func budgetTable(w io.Writer, budgets []admin.BudgetUse) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "OF\tNAME\tBUDGET\tUSED\tHELD\tREMAINING\tRESET\tFORECAST") // Flush returns the errors of all
	for i := range budgets {
		b := &budgets[i]
		forecast := "-"
		if b.Forecast != nil {
			forecast = b.Amount(*b.Forecast)
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", b.Of, b.Name, b.Budget, b.Amount(b.Used), b.Amount(b.Held), b.Amount(b.Remaining), timeWords(b.Reset), forecast)
	}
	return out.Flush()
}
