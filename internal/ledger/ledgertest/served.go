// Package ledgertest joins what simulated providers served with the rows of a ledger, call by call, and names what does not agree. It is test
// support. The calls are joined by the ids of the answers, and counted by the clients' own ids of their requests.
package ledgertest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/sim"
)

// ReadLog reads the log file of a simulated provider whose script has a log_header.
func ReadLog(r io.Reader) (all []sim.Served, err error) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		var s sim.Served
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, lines.Err()
}

// Sums are what the settled calls took and cost, in the words of the provider, on both sides. They are equal if nothing is wrong.
type Sums struct {
	Calls         int
	Input, Output int64
	Cost          money.Nano
}

// Result is what Compare finds.
type Result struct {
	Served, Rows  int
	Orphaned      int // rows of calls that Weir did not see the end of
	Estimated     int // rows that Weir counted, wholly or in part
	Billed, Taken Sums
	Wrong         []string // what does not agree
}

func (r *Result) wrong(format string, args ...any) {
	r.Wrong = append(r.Wrong, fmt.Sprintf(format, args...))
}

// unseen are the flags of rows whose call may never have reached its provider.
const unseen = ledger.Orphaned | ledger.Unsent | ledger.Cancelled | ledger.HedgeLoser | ledger.InDoubt | ledger.TimedOut

// ended are the flags of rows whose call did not come to its end: what such a call took was counted, at least its end.
const ended = ledger.Cancelled | ledger.Cut | ledger.Truncated | ledger.TimedOut | ledger.InDoubt | ledger.HedgeLoser

// Compare compares all calls that providers served with all rows. The price is that of every target.
//
// Calls of no client are Weir's own, for lists of models, and cost nothing.
//
//   - For each client's id there is a row for every call that was served, and no other row but of calls that may never have left.
//   - A call that ended well has the usage that its provider reported, in every class, and costs that to a billionth of a dollar.
//   - A row with less than that has a flag that says why, and what its provider saw agrees with the flag.
func Compare(served []sim.Served, rows []ledger.Row, price *money.Price) Result {
	served = slices.DeleteFunc(slices.Clone(served), func(s sim.Served) bool { return s.Client == "" }) // lists of models
	res := Result{Served: len(served), Rows: len(rows)}
	byAnswer := map[string]*sim.Served{}
	calls := map[string]int{}
	for i := range served {
		s := &served[i]
		calls[s.Client]++
		if s.AnswerID != "" {
			byAnswer[s.AnswerID] = s
		}
	}
	certain, possible := map[string]int{}, map[string]int{}
	for i := range rows {
		row := &rows[i]
		if possible[row.ClientID]++; row.Flags&unseen == 0 || row.Status != 0 {
			certain[row.ClientID]++
		}
		call := byAnswer[row.UpstreamID]
		if row.UpstreamID == "" {
			call = nil
		}
		res.row(row, call, price)
	}
	clients := map[string]bool{}
	for _, of := range []map[string]int{calls, possible} {
		for client := range of {
			clients[client] = true
		}
	}
	for _, client := range slices.Sorted(maps.Keys(clients)) {
		if n := calls[client]; n > possible[client] || n < certain[client] {
			res.wrong("%q: %d calls were served, and there are %d rows, %d of them of calls that were surely made", client, n, possible[client], certain[client])
		}
	}
	if res.Billed != res.Taken {
		res.wrong("providers served %+v, and the rows have %+v", res.Billed, res.Taken)
	}
	return res
}

// row compares one row with its call, nil if it has no answer.
func (r *Result) row(row *ledger.Row, call *sim.Served, price *money.Price) {
	name := fmt.Sprintf("row %d of %q (%s, status %d, flags %b)", row.Seq, row.ClientID, row.Outcome, row.Status, row.Flags)
	switch {
	case row.Cost < 0:
		r.wrong("%s: it costs %d", name, row.Cost)
	case row.Flags&ledger.Orphaned != 0:
		r.Orphaned++
		if row.Source != ledger.Reserved || row.Cost != row.Hold {
			r.wrong("%s: an orphan is not charged what was held", name)
		}
		return
	case row.Status != 0 && call == nil:
		r.wrong("%s: no provider gave the answer %q", name, row.UpstreamID)
		return
	case call != nil && call.Status != row.Status:
		r.wrong("%s: its provider answered %d", name, call.Status)
	case call != nil && call.Client != row.ClientID:
		r.wrong("%s: its call was made for %q", name, call.Client)
	}
	if charge := price.Charge(&row.Usage, false); row.Cost != charge.Cost {
		r.wrong("%s: %+v costs %d, not %d", name, row.Usage, charge.Cost, row.Cost)
	}
	if row.Source != ledger.Reported || row.Flags&ended != 0 && (call == nil || !call.Completed) {
		r.Estimated++
		r.explained(name, row, call)
		return
	}
	told := llm.Usage{}
	if call != nil && call.Told != nil {
		told = llm.Usage{Fresh: int64(call.Told.Prompt), Text: int64(call.Told.Completion)}
	}
	if row.Usage.Input() != told.Input() || row.Usage.Output() != told.Output() {
		r.wrong("%s: it has %d and %d tokens, and its provider reported %d and %d", name, row.Usage.Input(), row.Usage.Output(), told.Input(), told.Output())
	}
	r.Billed.add(&told, price)
	r.Taken.add(&row.Usage, nil)
	r.Taken.Cost += row.Cost
}

// explained checks that a row that was counted says why.
func (r *Result) explained(name string, row *ledger.Row, call *sim.Served) {
	switch {
	case row.Flags&ended == 0 && call != nil && call.Completed && call.Told != nil:
		r.wrong("%s: it was counted, though its provider reported %+v to the end", name, *call.Told)
	case row.Flags&ended == 0 && (call == nil || !call.Completed):
		r.wrong("%s: it was counted, and no flag says why", name)
	}
}

func (s *Sums) add(u *llm.Usage, price *money.Price) {
	s.Calls++
	s.Input += u.Input()
	s.Output += u.Output()
	if price != nil {
		s.Cost += price.Charge(u, false).Cost
	}
}
