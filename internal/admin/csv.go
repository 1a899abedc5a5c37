package admin

import (
	"encoding/csv"
	"io"
	"strings"
	"unicode"
)

// WriteCSV writes rows as CSV, the first of which names the columns.
func WriteCSV(w io.Writer, rows [][]string) error {
	out := csv.NewWriter(w)
	for _, row := range rows {
		safe := make([]string, len(row))
		for i, cell := range row {
			safe[i] = harmless(cell)
		}
		if err := out.Write(safe); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// harmless is a cell that no spreadsheet takes for a formula. Callers choose tags and ids, and upstreams name models, so a cell may begin like
// one. An apostrophe before it makes it a text. So does one after a semicolon or a tab, at which spreadsheets of some languages begin another
// cell. Numbers stay as they are.
func harmless(cell string) string {
	if isNumber(cell) {
		return cell
	}
	var safe strings.Builder
	done, begins := 0, true
	cell = strings.Map(shownInCSV, cell)
	for i, r := range cell {
		if begins && strings.ContainsRune(formulas, r) {
			safe.WriteString(cell[done:i] + "'")
			done = i
		}
		begins = r == ';' || r == '\t'
	}
	return safe.String() + cell[done:]
}

// shownInCSV has control characters seen, which a terminal would obey. White space may be in a reason.
func shownInCSV(r rune) rune {
	if unicode.IsControl(r) && !strings.ContainsRune("\t\r\n", r) {
		return unicode.ReplacementChar
	}
	return r
}

// formulas are the characters that formulas begin with, and white space that may come before them. Some spreadsheets take the wide forms for the plain ones.
const formulas = "=+-@\t\r\n＝＋－＠"

// isNumber reports whether a cell is a number as Weir prints it.
func isNumber(cell string) bool {
	digits := strings.TrimPrefix(cell, "-")
	return digits != "" && strings.Trim(digits, "0123456789.") == ""
}
