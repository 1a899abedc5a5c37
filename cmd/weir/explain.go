package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/weirproxy/weir/internal/admin"
)

type explainCmd struct {
	adminFlags
	formatFlag
	Model string `arg:"" help:"The model, as a caller names it."`
	Key   string `placeholder:"KEY" help:"For a request with the key of this id or name. Default: one that may use every model."`
	Body  string `placeholder:"FILE" help:"The request, as a caller would send it: what it needs, and how long its prompt is, decides among targets. - is standard input."`
}

func (explainCmd) Help() string {
	return `Asks a running Weir which targets it would try for a request now, in which order, which it would skip and why, and
what it falls back on; then the limits and budgets that apply, and whether one would refuse the request. No provider is called and
nothing is changed.

Examples:
  weir explain smart
  weir explain smart --key app --body request.json --format json`
}

// Run prints what would become of the request.
func (c explainCmd) Run(ctx context.Context, sys *system) error {
	client, err := c.client(sys)
	if err != nil {
		return err
	}
	body, err := c.body(sys)
	if err != nil {
		return &exitError{2, err}
	}
	e, err := client.Explain(ctx, c.Model, c.Key, body)
	if err != nil {
		return usage(err)
	}
	switch c.Format {
	case formatJSON:
		return printJSON(sys.stdout, e)
	case formatCSV:
		return explainCSV(sys.stdout, e)
	}
	if err := explainTable(sys.stdout, e, time.Now()); err != nil {
		return err
	}
	if body == nil {
		_, err = fmt.Fprintln(sys.stderr, "This is for any chat. For one request, give it with --body FILE: targets that cannot serve it are then skipped.")
	}
	return err
}

// body returns the request, or nil without one.
func (c explainCmd) body(sys *system) ([]byte, error) {
	var body []byte
	var err error
	switch c.Body {
	case "":
		return nil, nil
	case "-":
		body, err = io.ReadAll(sys.stdin)
	default:
		body, err = os.ReadFile(c.Body)
	}
	if err != nil {
		return nil, fmt.Errorf("--body: %w", err)
	}
	if len(body) == 0 {
		return nil, errors.New("--body: there is nothing in it; a request is a JSON object")
	}
	return body, nil
}

// explainTable prints the explanation for people: a line for each model, then its targets.
func explainTable(w io.Writer, e admin.Explanation, now time.Time) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if e.Refused != nil {
		fmt.Fprintf(out, "It would be refused now. %s\n\n", *e.Refused)
	}
	for i, p := range e.Plans {
		if i > 0 {
			fmt.Fprintf(out, "\nthen, on %s, ", strings.Join(p.On, ", "))
		}
		fmt.Fprintf(out, "%s: %s", p.Route, policyWords(p))
		if i == 0 {
			fmt.Fprintf(out, "; at most %d attempts%s", e.MaxAttempts, hedgeWords(e.Hedge))
		}
		fmt.Fprintln(out, "\nTURN\tTARGET\tCOST\tIN FLIGHT\tCREDENTIALS\tWHY") // Flush returns the errors of all
		for _, t := range p.Targets {
			credentials := strconv.Itoa(t.Credentials)
			if t.CredentialsParked > 0 {
				credentials += fmt.Sprintf(", %d parked", t.CredentialsParked)
			}
			if t.CredentialsResting > 0 {
				credentials += fmt.Sprintf(", %d at their limit", t.CredentialsResting)
			}
			fmt.Fprintf(out, "%s\t%s\t%s\t%d\t%s\t%s\n", turnWord(t, "-"), t.Target, costWord(t), t.InFlight, credentials, why(t, now))
		}
	}
	if len(e.Limits)+len(e.Budgets) > 0 {
		fmt.Fprintln(out)
	}
	return cmp.Or(out.Flush(), usesTables(w, e.Limits, e.Budgets))
}

// policyWords describes what orders the targets.
func policyWords(p admin.Plan) string {
	words := "policy " + p.Policy
	if p.Drawn {
		words += ", drawn again for each request"
	}
	switch {
	case p.Sticks:
		words += "; the first by sticky " + p.Sticky
	case p.Sticky != "none":
		words += "; sticky " + p.Sticky + " finds nothing in this request"
	}
	return words
}

// hedgeWords describes what is done about a slow stream.
func hedgeWords(h *admin.Hedge) string {
	switch {
	case h == nil:
		return ""
	case h.Target == nil:
		return "; no second target can be asked when one is slow"
	case h.LateMS == nil:
		return "; " + *h.Target + " is asked as well for streams that are late, once it is known when they are"
	default:
		return fmt.Sprintf("; %s is asked as well for a stream without content after %dms", *h.Target, *h.LateMS)
	}
}

func turnWord(t admin.Prospect, never string) string {
	if t.Turn == nil {
		return never
	}
	return strconv.Itoa(*t.Turn)
}

// costWord is what the request would cost, in dollars.
func costWord(t admin.Prospect) string {
	if t.Cost == nil {
		return "-"
	}
	millionths := (*t.Cost + 500) / 1000
	return fmt.Sprintf("$%d.%06d", millionths/1e6, millionths%1e6)
}

// why says what is wrong with a target, or nothing if it is healthy.
func why(t admin.Prospect, now time.Time) string {
	switch {
	case t.Skip != nil:
		return skipWords(*t.Skip, t, now)
	case t.Probe:
		return "it failed before: this request would probe whether it is well"
	case t.RestingUntil != nil:
		return "it asked to be left alone for another " + left(*t.RestingUntil, now)
	case t.Last:
		return "it fails for other keys: it is tried when no other target, and no fallback, is left"
	case len(t.RefusedFor) > 0:
		return "its provider refused all credentials " + forKeys(t.RefusedFor)
	case len(t.DownFor) > 0:
		return "it failed too often " + forKeys(t.DownFor)
	case t.CredentialsFreeAt != nil:
		return "no credential is free; one is tried all the same"
	default:
		return ""
	}
}

func skipWords(skip string, t admin.Prospect, now time.Time) string {
	switch skip {
	case "no_images":
		return "it reads no images"
	case "no_audio":
		return "it takes no audio"
	case "no_files":
		return "it reads no files"
	case "no_tools":
		return "it calls no tools"
	case "no_schema":
		return "it does not answer by a schema"
	case "no_prefill":
		return "it does not go on with an answer that was begun"
	case "prompt_too_long":
		return "the prompt is too long for it"
	case "no_endpoint":
		return "its provider does not have this endpoint, or no such model"
	case "unsendable":
		return "something in the request has no place there, or would be lost, which strict mode forbids"
	case "full":
		if t.FullUntil != nil {
			return "it has as many requests as its vendor allows a minute, for another " + left(*t.FullUntil, now)
		}
		return "it has as many requests as it may have"
	case "budget", "no_price":
		if t.Barred != nil {
			return *t.Barred
		}
		return skip
	case "no_credential":
		return "its provider refused all credentials"
	case "down":
		if t.OpenUntil != nil {
			return "it failed too often; its breaker is open for another " + left(*t.OpenUntil, now)
		}
		return "it failed too often; another request is probing whether it is well"
	default:
		return skip
	}
}

// left is the time until then, rounded up to what a person wants to know.
func left(until, now time.Time) string {
	return max(until.Sub(now).Round(100*time.Millisecond), 100*time.Millisecond).String()
}

// explainCSV has a row for each target. Its columns are named as the members of the JSON.
func explainCSV(w io.Writer, e admin.Explanation) error {
	rows := [][]string{{
		"route", "on", "policy", "sticky", "target", "turn", "skip", "breaker", "open_until", "probe", "resting_until", "full_until", "in_flight",
		"credentials", "credentials_parked", "credentials_resting", "credentials_free_at", "refused_for", "down_for", "last", "price_input", "price_cache_read", "price_cache_write", "price_cache_write_1h",
		"price_input_audio", "price_input_image", "price_output", "price_reasoning", "price_output_audio", "price_output_image", "price_request_nanodollars",
		"cost_nanodollars",
	}}
	for _, p := range e.Plans {
		for _, t := range p.Targets {
			skip := ""
			if t.Skip != nil {
				skip = *t.Skip
			}
			price := make([]string, 12)
			if p := t.Price; p != nil {
				for i, class := range [...]int64{
					p.Fresh, p.CacheRead, p.CacheWrite, p.CacheWrite1h, p.AudioIn, p.ImageIn, p.Text, p.Reasoning, p.AudioOut, p.ImageOut, p.Request,
				} {
					price[i] = strconv.FormatInt(class, 10)
				}
			}
			if t.Cost != nil {
				price[11] = strconv.FormatInt(*t.Cost, 10)
			}
			rows = append(rows, append([]string{
				p.Route, strings.Join(p.On, ","), p.Policy, p.Sticky, t.Target, turnWord(t, ""), skip, t.Breaker, timeCell(t.OpenUntil),
				strconv.FormatBool(t.Probe), timeCell(t.RestingUntil), timeCell(t.FullUntil), strconv.Itoa(t.InFlight), strconv.Itoa(t.Credentials),
				strconv.Itoa(t.CredentialsParked), strconv.Itoa(t.CredentialsResting), timeCell(t.CredentialsFreeAt),
				strings.Join(t.RefusedFor, ","), strings.Join(t.DownFor, ","), strconv.FormatBool(t.Last),
			}, price...))
		}
	}
	return admin.WriteCSV(w, rows)
}
