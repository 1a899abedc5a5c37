package admin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
)

// Attempt is one call to an upstream as the admin API shows it. What a call did not have is nil.
type Attempt struct {
	Seq      int64     `json:"seq"` // rises with time; with the instance it names the row
	Instance string    `json:"instance"`
	Adjusts  *int64    `json:"adjusts"` // the call that this row corrects
	Reason   *string   `json:"reason"`  // of a correction
	Request  string    `json:"request"`
	ClientID *string   `json:"client_id"` // the caller's own id of the request; the id of a correction
	Try      int       `json:"try"`       // the attempt, from 1
	Call     int       `json:"call"`      // the call among those of its request, from 0
	Started  time.Time `json:"started"`

	Key     string   `json:"key"`
	KeyName string   `json:"key_name"` // "" if it is unknown
	Team    *string  `json:"team"`
	Tags    []string `json:"tags"` // name=value; never null

	Model         string  `json:"model"`
	Provider      string  `json:"provider"`
	Upstream      string  `json:"upstream"`       // the provider's own name of the model
	UpstreamModel *string `json:"upstream_model"` // as the answer names it
	UpstreamID    *string `json:"upstream_id"`
	Credential    int     `json:"credential"` // the number of the provider's credential, from 0

	Status  *int     `json:"status"` // of the upstream's answer
	Outcome string   `json:"outcome"`
	Flags   []string `json:"flags"`  // never null
	Source  string   `json:"source"` // of the tokens: provider, counted or reserved

	Tokens
	Searches int64   `json:"searches"`
	Tier     *string `json:"tier"`

	Cost       int64   `json:"cost_nanodollars"`
	CostSource string  `json:"cost_source"`        // price, provider, unpriced or fixed
	Listed     int64   `json:"listed_nanodollars"` // what it costs by the target's price
	Held       int64   `json:"held_nanodollars"`
	Price      *string `json:"price"` // the id of the target's price

	FirstMicros *int64 `json:"first_us"` // to the first content
	TookMicros  int64  `json:"took_us"`
	OwnMicros   int64  `json:"own_us"` // what Weir itself took before

	Skipped []string `json:"skipped"` // the targets that were passed over before, as in groq/llama down, as far as the row has room; never null
}

// Tokens are those of one call. What is not called input or output alone is a part of one of these.
type Tokens struct {
	Input        int64 `json:"input_tokens"`
	AudioIn      int64 `json:"audio_input_tokens"`
	ImageIn      int64 `json:"image_input_tokens"`
	CacheRead    int64 `json:"cache_read_tokens"`
	CacheWrite   int64 `json:"cache_write_tokens"`    // for whatever time
	CacheWrite1h int64 `json:"cache_write_1h_tokens"` // of these, for an hour
	Output       int64 `json:"output_tokens"`
	Reasoning    int64 `json:"reasoning_tokens"`
	AudioOut     int64 `json:"audio_output_tokens"`
	ImageOut     int64 `json:"image_output_tokens"`
}

// attemptPage is a page of rows, the newest first.
type attemptPage struct {
	Data []Attempt `json:"data"`
	Next *string   `json:"next"`
}

// Verification is what adding up the rows has shown.
type Verification struct {
	Rows        int64        `json:"rows"` // that were added up
	Hours       int64        `json:"hours"`
	Days        int64        `json:"days"`
	Tags        int64        `json:"tags"`
	Journal     int64        `json:"journal"`     // rows of the journal that were looked for in the store
	Pending     int64        `json:"pending"`     // rows of the journal that were waiting to be shipped, and were left out
	Differences []Difference `json:"differences"` // at most 1,000; never null
	Found       int64        `json:"found"`       // how many differences there are
}

// Difference is a line of the sums that is not what its rows add up to.
type Difference struct {
	Table string         `json:"table"` // the store's table of sums, or journal
	Line  string         `json:"line"`
	Sums  ledger.Figures `json:"sums"`
	Rows  ledger.Figures `json:"rows"`
}

// mostDifferences is how many differences a verification lists.
const mostDifferences = 1000

// usage answers what was used, in groups.
func (h *Handler) usage(r *http.Request) (any, error) {
	if err := readQuery(r, "by", "since", "until", "key", "team", "model", "top"); err != nil {
		return nil, err
	}
	query, err := h.withIDs(r)
	if err != nil {
		return nil, err
	}
	q, err := ledger.AskUsage(query, h.Now(), ledger.Groupings[:]...)
	if err != nil {
		return nil, asked(err)
	}
	if len(q.Groups()) > 1 || q.By == ledger.ByHour {
		q.Most = ledger.MostLines
	}
	lines, err := h.Reports.Usage(r.Context(), q)
	if err != nil {
		return nil, tooLong(err)
	}
	return q.Page(lines, h.nameOf), nil
}

// tooLong says what to do about a question that takes too long, or has too long an answer.
func tooLong(err error) error {
	switch {
	case errors.Is(err, ledger.ErrTooManyLines):
		return &llm.Error{
			Kind: llm.InvalidValue, Param: "by",
			Message: fmt.Sprintf("The report has more than %d lines. Ask for a shorter span, for one grouping, for one model or target, or, of usage, for the top groups (top=20).", ledger.MostLines),
		}
	case !errors.Is(err, ledger.ErrTooLong):
		return err
	}
	return &llm.Error{Kind: llm.Overloaded, Message: "The report takes too long. Ask for a shorter span (since, until), or later.", Cause: err}
}

// asked is what is wrong with a question, as a refusal.
func asked(err error) error {
	var wrong *ledger.AskError
	if !errors.As(err, &wrong) {
		return err
	}
	return &llm.Error{Kind: llm.InvalidValue, Param: wrong.Param, Message: wrong.Message}
}

// withIDs is the query with the ids of the key and the team that it names by id or name. Those that have left the config have rows all the same.
func (h *Handler) withIDs(r *http.Request) (url.Values, error) {
	query := r.URL.Query()
	for param, id := range map[string]func(ref string) (string, error){
		"key":  func(ref string) (string, error) { key, err := h.Keys.Show(ref); return key.ID, err },
		"team": func(ref string) (string, error) { team, err := h.Keys.ShowTeam(ref); return team.ID, err },
	} {
		ref := query.Get(param)
		if ref == "" || strings.HasPrefix(ref, auth.FileID("")) {
			continue
		}
		known, err := id(ref)
		if err != nil {
			return nil, err
		}
		query.Set(param, known)
	}
	return query, nil
}

// nameOf says how a key or a team is called.
func (h *Handler) nameOf(by ledger.Grouping, id string) string {
	if by == ledger.ByTeam {
		return h.teamName(id)
	}
	return h.keyName(id)
}

func (h *Handler) teamName(id string) string {
	team, err := h.Keys.ShowTeam(id)
	if err != nil || team.ID != id {
		return ""
	}
	return team.Name
}

func (h *Handler) keyName(id string) string {
	key, err := h.Keys.Show(id)
	if err != nil || key.ID != id {
		return ""
	}
	return key.Name
}

// attempts answers rows, the newest first.
func (h *Handler) attempts(r *http.Request) (any, error) {
	if err := readQuery(r, "key", "team", "model", "request", "flag", "since", "until", "cursor", "limit"); err != nil {
		return nil, err
	}
	query, err := h.withIDs(r)
	if err != nil {
		return nil, err
	}
	q, err := ledger.AskRows(query, h.Now())
	if err != nil {
		return nil, asked(err)
	}
	rows, more, err := h.Reports.Rows(r.Context(), q)
	if err != nil {
		return nil, tooLong(err)
	}
	page := attemptPage{Data: make([]Attempt, 0, len(rows)), Next: ledger.Next(rows, more)}
	for i := range rows {
		page.Data = append(page.Data, h.showCall(&rows[i]))
	}
	return page, nil
}

func showAttempt(r *ledger.Row) Attempt {
	u := &r.Usage
	shown := Attempt{
		Seq: int64(r.Seq), Instance: r.Instance, Adjusts: unlessZero(int64(r.Adjusts)), Request: "req_" + r.Request, ClientID: unlessZero(r.ClientID), Try: r.Try, Call: r.Call, Started: r.Started,
		Key: r.Key, Team: unlessZero(r.Team), Tags: []string{},
		Model: r.Model, Provider: r.Provider, Upstream: r.Upstream, UpstreamModel: unlessZero(r.UpstreamModel), UpstreamID: unlessZero(r.UpstreamID), Credential: r.Credential,
		Status: unlessZero(r.Status), Outcome: r.Outcome, Flags: append([]string{}, r.Flags.Names()...), Source: r.Source.String(),
		Tokens: Tokens{
			Input: u.Input(), AudioIn: u.AudioIn, ImageIn: u.ImageIn, CacheRead: u.CacheRead, CacheWrite: u.CacheWrites(), CacheWrite1h: u.CacheWrite1h,
			Output: u.Output(), Reasoning: u.Reasoning, AudioOut: u.AudioOut, ImageOut: u.ImageOut,
		},
		Searches: u.Searches, Tier: unlessZero(u.Tier), Cost: r.Cost, CostSource: r.CostSource.String(), Listed: r.Listed, Held: r.Hold,
		FirstMicros: unlessZero(r.First.Microseconds()), TookMicros: r.Took.Microseconds(), OwnMicros: r.Own.Microseconds(),
		Skipped: append([]string{}, r.Passed()...),
	}
	if r.Adjusts != 0 {
		shown.Reason = unlessZero(r.Reason)
	}
	for _, tag := range r.Tags {
		shown.Tags = append(shown.Tags, tag.String())
	}
	if r.Price != 0 {
		id := fmt.Sprintf("%016x", uint64(r.Price))
		shown.Price = &id
	}
	return shown
}

// unlessZero is nil for what a call did not have.
func unlessZero[T comparable](value T) *T {
	var zero T
	if value == zero {
		return nil
	}
	return &value
}

// verifyTimeout is far more than ten million rows need.
const verifyTimeout = 10 * time.Minute

// verify adds up all rows again. That reads the whole ledger, so it goes on for one caller at a time.
func (h *Handler) verify(r *http.Request) (any, error) {
	if err := readQuery(r); err != nil {
		return nil, err
	}
	if !h.verifying.TryLock() {
		return nil, &llm.Error{Kind: llm.Conflict, Message: "The ledger is being verified for another caller. Ask again when that has ended."}
	}
	defer h.verifying.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), verifyTimeout) // r's context ends when no body has come for a while
	defer cancel()
	return h.verification(ctx)
}

func (h *Handler) verification(ctx context.Context) (Verification, error) {
	v := Verification{Differences: []Difference{}}
	differ := func(d ledger.Difference) {
		if v.Found++; v.Found <= mostDifferences {
			v.Differences = append(v.Differences, Difference{d.Table, d.Line, ledger.Figures(d.Sums), ledger.Figures(d.Rows)})
		}
	}
	done, err := h.Reports.Verify(ctx, differ)
	if err == nil && h.Journal != nil {
		v.Journal, v.Pending, err = h.Journal(ctx, differ)
	}
	v.Rows, v.Hours, v.Days, v.Tags = done.Rows, done.Hours, done.Days, done.Tags
	return v, err
}
