// Package capability knows the vendors' models: which parameters they refuse, how much they read and write, what they cost.
// It is a table of text, generated from public data and searched in place: nothing is decoded before it is needed.
// table.tsv says where the data comes from and under which licence.
package capability

import (
	"cmp"
	_ "embed" // the tables
	"slices"
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/money"
)

// Rows of 12 columns, sorted by the first two: vendor, model, name, params, abilities, context, input, output, efforts, budget, prices, fees.
//
//go:embed table.tsv
var table string

// Rows of three columns: vendors, the beginning of a model's name, params.
//
//go:embed families.tsv
var families string

// Ability is something that a model can do. What is not said of a model is unknown rather than impossible.
type Ability string

// The abilities.
const (
	Reasons     Ability = "reason"
	Toggles     Ability = "toggle" // its reasoning can be turned on and off
	Budgets     Ability = "budget" // its reasoning can be given a number of tokens
	Tools       Ability = "tools"
	Schema      Ability = "schema" // answers by a JSON schema
	Temperature Ability = "temperature"
	Files       Ability = "files" // files in a prompt, of one kind or another
	Images      Ability = "image" // the rest are what a prompt may hold besides text
	PDF         Ability = "pdf"
	Audio       Ability = "audio"
	Video       Ability = "video"
)

// Row is what is known of one model. What is not known is zero.
type Row struct {
	Vendor string
	Model  string // the name in the table, which may lack the date or the prefix of the one asked for
	Family bool   // no row of its own: this is what all whose names begin with Model have in common, which are the parameters alone

	Name      string // for people
	Context   int    // tokens of a request and its answer together
	MaxInput  int    // tokens of a request, where it has a limit of its own
	MaxOutput int    // tokens of an answer
	Abilities []Ability
	Efforts   []string // what reasoning_effort may be
	MinBudget int      // tokens of reasoning that can be asked for, where there is a bound
	MaxBudget int
	Price     *money.Price
}

// Can reports whether the model is known to have the ability.
func (r *Row) Can(a Ability) bool { return slices.Contains(r.Abilities, a) }

// tellSchema are the vendors for whose models the data says which follow a schema, and which do not. For other vendors it
// says so of hardly any that do.
const tellSchema = "amazon-bedrock,databricks,google,groq,openai,openrouter,xai"

// Lacks reports whether the model is known to lack the ability, as far as the data says what its prompts may hold and how it
// answers.
func (r *Row) Lacks(a Ability) bool {
	return !r.Family && len(r.Abilities) > 0 && !r.Can(a) && (a != Schema || listed(tellSchema, r.Vendor))
}

// Find returns what is known of a vendor's model. It uses its own row, that of the model that it is a dated or tuned
// version of, or its family's. Vendors are named as in the table.
func Find(vendor, model string) (Row, bool) {
	if line := find(vendor, model); line != "" {
		row := parse(line)
		if row.Model != model && ownPrice(model) {
			row.Price = nil
		}
		return row, true
	}
	if name, _ := family(vendor, bare(model)); name != "" {
		return Row{Vendor: vendor, Model: name, Family: true}, true
	}
	return Row{}, false
}

// find returns the model's line in the table, or "".
func find(vendor, model string) string {
	plain := untuned(model)
	names := [...]string{model, plain, undated(plain), bare(model), undated(bare(model))}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			continue
		}
		if line := search(vendor, name); line != "" {
			return line
		}
	}
	return ""
}

// ownPrice reports whether a name is that of a variant with a price of its own, which is not that of the model that it is a variant of: one that is
// tuned, or OpenRouter's for nothing and in batches.
func ownPrice(model string) bool {
	_, variant, _ := strings.Cut(model, ":")
	return strings.HasPrefix(model, "ft:") || variant == "free" || variant == "batch"
}

// untuned is the plain name in ft:gpt-4o:org::id, or before a suffix such as :free.
func untuned(model string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(model, "ft:"), ":")
	return name
}

// bare is an untuned name without everything up to its last slash.
func bare(model string) string {
	name := untuned(model)
	return name[strings.LastIndexByte(name, '/')+1:]
}

// undated is the name without a date at its end: gpt-5-2025-08-07, claude-sonnet-4-5-20250929, claude-opus-4@20250514.
func undated(name string) string {
	for _, form := range [...]string{"-0000-00-00", "-00000000", "@00000000"} {
		if n := len(name) - len(form); n > 0 && isLike(name[n:], form) {
			return name[:n]
		}
	}
	return name
}

// isLike reports whether s has digits where form has, and else what form has.
func isLike(s, form string) bool {
	for i := range len(s) {
		digit := s[i] >= '0' && s[i] <= '9'
		if form[i] == '0' && !digit || form[i] != '0' && s[i] != form[i] {
			return false
		}
	}
	return true
}

// search finds the line that begins with vendor and model. The table is sorted and its lines are of about one length.
func search(vendor, model string) string {
	low, high := 0, len(table) // both where lines begin
	for low < high {
		middle := low + (high-low)/2
		start := low + strings.LastIndexByte(table[low:middle], '\n') + 1
		length := strings.IndexByte(table[start:], '\n')
		line := table[start : start+length]
		switch order := compare(line, vendor, model); {
		case order == 0:
			return line
		case order < 0:
			low = start + length + 1
		default:
			high = start
		}
	}
	return ""
}

// compare orders a line against vendor and model. What is not a row comes before all of them.
func compare(line, vendor, model string) int {
	if strings.HasPrefix(line, "#") {
		return -1
	}
	v, rest, _ := strings.Cut(line, "\t")
	if order := strings.Compare(v, vendor); order != 0 {
		return order
	}
	m, _, _ := strings.Cut(rest, "\t")
	return strings.Compare(m, model)
}

// family returns the longest beginning of the name that has a row, and that row's params.
func family(vendor, name string) (beginning, params string) {
	for line := range strings.Lines(families) {
		vendors, rest, ok := strings.Cut(line, "\t")
		if !ok || strings.HasPrefix(line, "#") || !listed(vendors, vendor) {
			continue
		}
		prefix, letters, _ := strings.Cut(strings.TrimSuffix(rest, "\n"), "\t")
		if begins(name, prefix) && (params == "" || len(prefix) > len(beginning)) {
			beginning, params = prefix, letters
		}
	}
	return beginning, params
}

func listed(list, one string) bool {
	for item := range strings.SplitSeq(list, ",") {
		if item == one {
			return true
		}
	}
	return false
}

// begins reports whether the name begins with prefix and ends there, or goes on with another word.
func begins(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	return ok && (rest == "" || prefix == "" || !alphanumeric(rest[0]) || !alphanumeric(prefix[len(prefix)-1]))
}

func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// columns is how many columns a row of the table has.
const columns = 12

// parse reads a line of the table. A test holds that every line is well formed.
func parse(line string) Row {
	var c [columns]string
	for i := range c {
		c[i], line, _ = strings.Cut(line, "\t")
	}
	r := Row{
		Vendor: c[0], Model: c[1], Name: c[2],
		Context: number(c[5]), MaxInput: number(c[6]), MaxOutput: number(c[7]), Efforts: list(c[8]),
	}
	for _, a := range list(c[4]) {
		r.Abilities = append(r.Abilities, Ability(a))
	}
	lowest, highest, _ := strings.Cut(c[9], "-")
	r.MinBudget, r.MaxBudget = number(lowest), number(highest)
	r.Price = price(c[10], c[11])
	return r
}

// price reads the last two columns: the general rates first, then those of long prompts, the longer later. A price of zero means in the
// data that a model is not sold by the token, or that its price is unknown, so it is unknown here.
func price(column, fees string) *money.Price {
	var p *money.Price
	for step := range strings.SplitSeq(column, ";") {
		above, classes, _ := strings.Cut(step, ":")
		r, ok := rates(classes)
		switch {
		case !ok:
			return p
		case p == nil:
			searches, calls, _ := strings.Cut(fees, ",")
			p = &money.Price{Rates: r, Request: int64(number(calls))} // a thousand in millionths are one in billionths
			if searches != "" {
				p.Search = new(int64(number(searches)))
			}
		default:
			p.Long = append(p.Long, money.Step{Above: int64(number(above)), Rates: r})
		}
	}
	return p
}

// rates reads "input,output,cache read,cache write,reasoning,input audio,output audio,cache write for an hour,input image,output image". In all
// but the first two, zero and an empty value
// both mean that the class has no price of its own.
func rates(classes string) (r money.Rates, ok bool) {
	c := strings.Split(classes, ",")
	if len(c) < 2 || number(c[0]) == 0 || c[1] == "" {
		return r, false
	}
	r = money.Of(int64(number(c[0])), int64(number(c[1])))
	for i, class := range [...]*money.PerToken{&r.CacheRead, &r.CacheWrite, &r.Reasoning, &r.AudioIn, &r.AudioOut, &r.CacheWrite1h, &r.ImageIn, &r.ImageOut} {
		if i+2 < len(c) {
			*class = cmp.Or(int64(number(c[i+2])), money.Unset)
		}
	}
	return r.Set(), true
}

func number(s string) int {
	n, _ := strconv.Atoi(s) // empty where unknown
	return n
}

func list(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}
