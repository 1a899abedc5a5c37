package alert

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// Event says that a share of a budget is spent, or all of it.
type Event struct {
	Time    time.Time
	Of      string // whose the budget is: key or team
	OwnerID string
	Name    string // of the owner
	Budget  string // as users write it
	Unit    string // of Limit and Used: nanodollars or tokens
	Period  string // hour, day, week, month or total
	Limit   int64
	Used    int64
	Percent int
	Reset   time.Time // zero for a budget that is never reset
}

// The types of events.
const (
	shareSpent = "budget.share_spent"
	usedUp     = "budget.used_up"
)

// id names what an event says. It is the same for each process that finds it out, so that a receiver can tell that it knows it.
func (e *Event) id() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{
		e.Of, e.OwnerID, e.Unit, e.Period, strconv.FormatInt(e.Limit, 10), strconv.Itoa(e.Percent), strconv.FormatInt(e.Reset.Unix(), 10),
	}, "\x00")))
	return "evt_" + base64.RawURLEncoding.EncodeToString(sum[:18])
}

// payload is the body of a webhook. docs/guides/alerts.md describes it; members are only added.
type payload struct {
	ID        string `json:"id"`
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"`
	Data      data   `json:"data"`
}

type data struct {
	Of      string  `json:"of"`
	ID      string  `json:"id"`
	Name    string  `json:"name"`
	Budget  string  `json:"budget"`
	Unit    string  `json:"unit"`
	Period  string  `json:"period"`
	Limit   int64   `json:"limit"`
	Used    int64   `json:"used"`
	Percent int     `json:"percent"`
	Reset   *string `json:"reset"`
}

// body is the event as it is sent.
func (e *Event) body() []byte {
	p := payload{
		ID: e.id(), Type: shareSpent, Timestamp: e.Time.UTC().Format(time.RFC3339Nano),
		Data: data{Of: e.Of, ID: e.OwnerID, Name: e.Name, Budget: e.Budget, Unit: e.Unit, Period: e.Period, Limit: e.Limit, Used: e.Used, Percent: e.Percent},
	}
	if e.Percent >= 100 {
		p.Type = usedUp
	}
	if !e.Reset.IsZero() {
		reset := e.Reset.Format(time.RFC3339)
		p.Data.Reset = &reset
	}
	text, _ := json.Marshal(&p) // texts and numbers can always be written
	return text
}
