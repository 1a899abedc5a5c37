package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/weirproxy/weir/internal/admin"
)

const (
	formatJSON = "json"
	formatCSV  = "csv"
)

// formatFlag is how a command prints keys.
type formatFlag struct {
	Format string `enum:"table,json,csv" default:"table" help:"How to print: table, json or csv."`
}

// printOne returns a function that takes what a call of the admin API returns.
func (f formatFlag) printOne(sys *system) func(admin.Key, error) error {
	return func(key admin.Key, err error) error {
		if err != nil {
			return usage(err)
		}
		keys := []admin.Key{key}
		if f.Format == formatJSON {
			err = printJSON(sys.stdout, key)
		} else {
			err = f.print(sys.stdout, keys)
		}
		return errors.Join(err, warnUnsaved(sys.stderr, keys))
	}
}

// warnUnsaved says of each key whose revocation the store lacks what that means, and what to do.
func warnUnsaved(w io.Writer, keys []admin.Key) error {
	var errs []error
	for _, key := range keys {
		if key.Unsaved == nil {
			continue
		}
		restart := "A restart refuses it as well, because the data folder has a note of it."
		if !key.Unsaved.SurvivesRestart {
			restart = "It works again if Weir ends before it is saved, because no note could be written into the data folder either."
		}
		_, err := fmt.Fprintf(w, "The key %s (id %s) is revoked: this Weir refuses it. The store does not have that yet: %s.\n%s Mend the cause; Weir goes on trying, and weir keys list shows when it is saved.\n",
			key.Name, key.ID, key.Unsaved.Reason, restart)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// print writes keys as a table for people or as CSV, whose column names are the members of the JSON.
func (f formatFlag) print(w io.Writer, keys []admin.Key) error {
	if f.Format == formatCSV {
		rows := [][]string{{"id", "name", "status", "models", "team", "rpm", "tpm", "concurrent", "budgets", "reserve", "cut", "warn", "idempotency", "created_at", "expires_at", "revoked_at", "previous_until", "source", "explain", "unsaved"}}
		for _, key := range keys {
			rows = append(rows, []string{
				key.ID, key.Name, string(key.Status), strings.Join(key.Models, ","), teamName(key), numberCell(key.RPM), numberCell(key.TPM), numberCell(key.Concurrent), budgetWords(key.Budgets.Budgets), reserveCell(&key.Budgets), cutCell(&key.Budgets), shareWords(key.Warn), idempotencyCell(key.Idempotency), timeCell(key.CreatedAt),
				timeCell(key.ExpiresAt), timeCell(key.RevokedAt), timeCell(key.PreviousUntil), string(key.Source), strconv.FormatBool(key.Explain), unsavedReason(key),
			})
		}
		return admin.WriteCSV(w, rows)
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "ID\tNAME\tSTATUS\tMODELS\tTEAM\tLIMITS\tCREATED\tEXPIRES\tSOURCE") // Flush returns the errors of all
	for _, key := range keys {
		created := "-"
		if key.CreatedAt != nil {
			created = timeCell(key.CreatedAt)
		}
		status := string(key.Status)
		if key.Unsaved != nil {
			status += ", not saved"
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", key.ID, key.Name, status, modelWords(key.Models), cmp.Or(teamName(key), "-"), keyWords(&key), created, timeWords(key.ExpiresAt), key.Source)
	}
	return out.Flush()
}

// teamName is the name of a key's team, else its id, "" for none.
func teamName(key admin.Key) string {
	for _, name := range []*string{key.Team, key.TeamID} {
		if name != nil {
			return *name
		}
	}
	return ""
}

// limitWords are limits and budgets in a table, such as rpm 60,concurrent 4,50usd/month.
func limitWords(l admin.Limits, b *admin.Budgets) string {
	var words []string
	for _, one := range []struct {
		name string
		n    *int64
	}{{"rpm", l.RPM}, {"tpm", l.TPM}, {"concurrent", l.Concurrent}} {
		if one.n != nil {
			words = append(words, fmt.Sprintf("%s %d", one.name, *one.n))
		}
	}
	for _, spec := range b.Budgets {
		words = append(words, spec.String())
	}
	return cmp.Or(strings.Join(words, ","), "-")
}

// keyWords are a key's limits and budgets in a table, and how long its answers are kept.
func keyWords(key *admin.Key) string {
	words := limitWords(key.Limits, &key.Budgets)
	switch kept := idempotencyCell(key.Idempotency); {
	case kept == "":
		return words
	case words == "-":
		return "idempotency " + kept
	default:
		return words + ",idempotency " + kept
	}
}

// idempotencyCell is how long answers are kept in CSV, "" for not at all.
func idempotencyCell(kept *string) string {
	if kept == nil {
		return ""
	}
	return *kept
}

// numberCell is a number in CSV, "" for none.
func numberCell(n *int64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatInt(*n, 10)
}

func unsavedReason(key admin.Key) string {
	if key.Unsaved == nil {
		return ""
	}
	return key.Unsaved.Reason
}

func printJSON(w io.Writer, value any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(escaped(text.Bytes()))
	return err
}

// escaped is JSON without what a terminal would obey and encoding/json leaves as it is: it stands in strings alone, where \u means the same.
func escaped(text []byte) []byte {
	obeyed := func(r rune) bool { return r >= 0x7f && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) }
	if bytes.IndexFunc(text, obeyed) < 0 {
		return text
	}
	var out []byte
	for _, r := range string(text) {
		if !obeyed(r) {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			out = fmt.Appendf(out, `\u%04x`, unit)
		}
	}
	return out
}

func modelWords(models []string) string {
	if len(models) == 0 {
		return "all models"
	}
	return strings.Join(models, ",")
}

func timeWords(t *time.Time) string {
	if t == nil {
		return "never"
	}
	return timeCell(t)
}

func timeCell(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
