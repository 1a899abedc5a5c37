package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/weirproxy/weir/internal/importer"
	"github.com/weirproxy/weir/internal/secret"
)

// compareFlags are how an import is tried beside the gateway that it is from.
type compareFlags struct {
	Compare string   `placeholder:"URL" help:"Write nothing, and compare the models that the gateway running there lists with those of the result, or of --with."`
	With    string   `placeholder:"URL" help:"With --compare: a running Weir, such as http://127.0.0.1:8930, in place of the result."`
	Call    []string `placeholder:"MODEL" sep:"none" help:"With --compare and --with: send a short chat to this model at both, and show what comes back. It costs what it costs. May be repeated."`
	Key     string   `name:"key-variable" placeholder:"NAME" default:"WEIR_COMPARE_KEY" help:"With --compare: the variable that has the API key for both (default: WEIR_COMPARE_KEY)."`
}

// compareTimeout bounds one call of a comparison, and compareBody what is read of its answer.
const (
	compareTimeout = 2 * time.Minute
	compareBody    = 8 << 20
)

// check refuses flags that have no effect.
func (f compareFlags) check(keys string) error {
	switch {
	case f.Compare == "" && (f.With != "" || len(f.Call) > 0):
		return errors.New("--with and --call are for --compare URL, which is missing")
	case f.Compare != "" && keys != "":
		return errors.New("--compare writes nothing: leave out --keys")
	case len(f.Call) > 0 && f.With == "":
		return errors.New("--call sends a chat to both: name the running Weir with --with URL")
	}
	return nil
}

// side is one of the two that are compared.
type side struct {
	name, base string
	key        secret.Text
	http       *http.Client
}

// run compares, and fails if the new side lacks a model of the old.
func (f compareFlags) run(ctx context.Context, draft *importer.Draft, sys *system) error {
	key, _ := sys.env(f.Key)
	client := &http.Client{Timeout: compareTimeout}
	before, err := f.side("old", f.Compare, key, client)
	if err != nil {
		return err
	}
	listed, err := before.models(ctx)
	if err != nil {
		return err
	}
	serves := func(model string) bool { return draft.Serves(model) != nil }
	var after *side
	var now []string
	if f.With != "" {
		if after, err = f.side("new", f.With, key, client); err != nil {
			return err
		}
		if now, err = after.models(ctx); err != nil {
			return err
		}
		serves = func(model string) bool { return slices.Contains(now, model) }
	} else {
		for _, m := range draft.Models {
			now = append(now, m.Name)
		}
	}
	missing, err := tellModels(sys.stdout, listed, now, serves)
	if err != nil {
		return err
	}
	for _, model := range f.Call {
		if err := tellCalls(ctx, sys.stdout, model, before, after); err != nil {
			return err
		}
	}
	if missing > 0 {
		return fmt.Errorf("%s of the old side %s missing in the new: the report says why", count(missing, "model"), map[bool]string{true: "is", false: "are"}[missing == 1])
	}
	return nil
}

// side checks an address, to which /v1 may belong or not.
func (f compareFlags) side(name, address, key string, client *http.Client) (*side, error) {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, &exitError{2, fmt.Errorf("the %s side has a URL such as http://127.0.0.1:4000, without a user name", name)}
	}
	return &side{name, strings.TrimSuffix(strings.TrimRight(u.String(), "/"), "/v1") + "/v1", secret.New(key), client}, nil
}

// tellModels writes both lists side by side, and returns how many models of the old one the new side does not serve.
func tellModels(w io.Writer, before, now []string, serves func(string) bool) (missing int, err error) {
	all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(before, now))))
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, err = fmt.Fprintln(table, "MODEL\tOLD\tNEW")
	for _, model := range all {
		there, here := "-", "-"
		if slices.Contains(before, model) {
			there = "listed"
		}
		switch {
		case slices.Contains(now, model):
			here = "listed"
		case serves(model):
			here = "served by a pattern"
		case there == "listed":
			here = "missing"
			missing++
		}
		if err == nil {
			_, err = fmt.Fprintf(table, "%q\t%s\t%s\n", model, there, here)
		}
	}
	return missing, errors.Join(err, table.Flush())
}

// tellCalls sends a short chat to both sides, and writes what came back.
func tellCalls(ctx context.Context, w io.Writer, model string, sides ...*side) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, err := fmt.Fprintf(table, "\nCALL %q\tSTATUS\tTOOK\tMODEL\tPROMPT\tANSWER\tENDED\n", model)
	for _, s := range sides {
		line := s.chat(ctx, model)
		if err == nil {
			_, err = fmt.Fprintf(table, "%s\t%s\n", s.name, line)
		}
	}
	return errors.Join(err, table.Flush())
}

// models are the models that a side lists.
func (s *side) models(ctx context.Context) ([]string, error) {
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	status, err := s.call(ctx, http.MethodGet, "/models", nil, &list)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the %s side: %w", s.name, err)
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return nil, fmt.Errorf("the %s side refuses the key: set the variable that --key-variable names to one that it takes", s.name)
	case status != http.StatusOK:
		return nil, fmt.Errorf("the %s side answered %d to GET /v1/models: is the URL right?", s.name, status)
	}
	names := make([]string, 0, len(list.Data))
	for _, m := range list.Data {
		names = append(names, m.ID)
	}
	return names, nil
}

// chat makes one call, and says what came back.
func (s *side) chat(ctx context.Context, model string) string {
	var answer struct {
		Model   string `json:"model"`
		Choices []struct {
			FinishReason string `json:"finish_reason"`
		} `json:"choices"`
		Usage struct {
			Prompt     int64 `json:"prompt_tokens"`
			Completion int64 `json:"completion_tokens"`
		} `json:"usage"`
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	body, err := json.Marshal(struct {
		Model    string    `json:"model"`
		Messages []message `json:"messages"`
	}{model, []message{{"user", "Answer with the word OK."}}})
	if err != nil {
		return err.Error()
	}
	began := time.Now()
	status, err := s.call(ctx, http.MethodPost, "/chat/completions", body, &answer)
	took := time.Since(began).Round(time.Millisecond)
	switch {
	case err != nil:
		return fmt.Sprintf("-\t%s\t%v", took, err)
	case status != http.StatusOK:
		return fmt.Sprintf("%d\t%s\t%.100q", status, took, answer.Error.Message)
	}
	ended := "-"
	if len(answer.Choices) > 0 {
		ended = fmt.Sprintf("%q", answer.Choices[0].FinishReason)
	}
	return fmt.Sprintf("%d\t%s\t%q\t%d\t%d\t%s", status, took, answer.Model, answer.Usage.Prompt, answer.Usage.Completion, ended)
}

// call makes one call and reads its answer, if that is JSON.
func (s *side) call(ctx context.Context, method, path string, body []byte, into any) (status int, err error) {
	req, err := http.NewRequestWithContext(ctx, method, s.base+path, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	if !s.key.IsZero() {
		req.Header.Set("Authorization", "Bearer "+s.key.Reveal())
	}
	resp, err := s.http.Do(req)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	text, err := io.ReadAll(io.LimitReader(resp.Body, compareBody))
	if err != nil {
		return 0, err
	}
	if err := json.Unmarshal(text, into); err != nil && resp.StatusCode == http.StatusOK {
		return 0, errors.New("it answered with something else than JSON: is the URL right?")
	}
	return resp.StatusCode, nil
}
