package ledgertest

import (
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/sim"
)

// account is one of each kind of call, which agrees on both sides.
func account() (served []sim.Served, rows []ledger.Row) {
	row := func(client, answer string, status int, u llm.Usage, flags ledger.Flags, source ledger.Source) {
		rows = append(rows, ledger.Row{
			Intent:     ledger.Intent{ClientID: client, Hold: 50_000},
			Settlement: ledger.Settlement{Status: status, Flags: flags, Source: source, Usage: u, Cost: 1000*u.Input() + 2000*u.Output(), UpstreamID: answer},
		})
	}
	served = []sim.Served{
		{Client: "well", AnswerID: "1", Status: 200, Told: &sim.Told{Prompt: 3, Completion: 4}, Completed: true},
		{Client: "twice", AnswerID: "2", Status: 429},
		{Client: "twice", AnswerID: "3", Status: 200, Told: &sim.Told{Prompt: 5, Completion: 6}, Completed: true},
		{Client: "left", AnswerID: "4", Status: 200, ClientGone: true},
		{Client: "killed", AnswerID: "5", Status: 200, ClientGone: true},
		{Client: "silent", AnswerID: "6", Status: 200, Completed: true},
		{AnswerID: "7", Status: 200, Completed: true},
	}
	row("well", "1", 200, llm.Usage{Fresh: 3, Text: 4}, 0, ledger.Reported)
	row("twice", "2", 429, llm.Usage{}, 0, ledger.Reported)
	row("twice", "3", 200, llm.Usage{Fresh: 5, Text: 6}, ledger.Retry, ledger.Reported)
	row("left", "4", 200, llm.Usage{Fresh: 9, Text: 1}, ledger.Cancelled, ledger.Counted)
	row("killed", "", 0, llm.Usage{Fresh: 50}, ledger.Orphaned, ledger.Reserved)
	row("killed", "", 0, llm.Usage{Fresh: 50}, ledger.Orphaned, ledger.Reserved) // it never left
	row("nobody", "", 0, llm.Usage{}, ledger.Unsent, ledger.Reported)
	row("silent", "6", 200, llm.Usage{Fresh: 2, Text: 2}, 0, ledger.Counted)
	return served, rows
}

func TestCompare(t *testing.T) {
	t.Parallel()
	price := money.Plain(1_000_000, 2_000_000)
	served, rows := account()
	want := Sums{Calls: 4, Input: 8, Output: 10, Cost: 28_000}
	if res := Compare(served, rows, price); len(res.Wrong) > 0 || res.Billed != want || res.Taken != want || res.Orphaned != 2 || res.Estimated != 2 {
		t.Errorf("%+v", res)
	}
	for name, spoil := range map[string]func(served *[]sim.Served, rows *[]ledger.Row){
		"a row is lost":             func(_ *[]sim.Served, rows *[]ledger.Row) { *rows = (*rows)[1:] },
		"a row is there twice":      func(_ *[]sim.Served, rows *[]ledger.Row) { *rows = append(*rows, (*rows)[0]) },
		"an orphan is lost":         func(_ *[]sim.Served, rows *[]ledger.Row) { *rows = append((*rows)[:4:4], (*rows)[6:]...) },
		"a call was made up":        func(served *[]sim.Served, _ *[]ledger.Row) { *served = (*served)[1:] },
		"another client's":          func(_ *[]sim.Served, rows *[]ledger.Row) { (*rows)[0].ClientID = "twice" },
		"a token too many":          func(_ *[]sim.Served, rows *[]ledger.Row) { (*rows)[0].Usage.Text++ },
		"a billionth too much":      func(_ *[]sim.Served, rows *[]ledger.Row) { (*rows)[0].Cost++ },
		"a negative cost":           func(_ *[]sim.Served, rows *[]ledger.Row) { (*rows)[0].Cost = -1 },
		"another status":            func(_ *[]sim.Served, rows *[]ledger.Row) { (*rows)[1].Status = 500 },
		"a refusal costs":           func(_ *[]sim.Served, rows *[]ledger.Row) { (*rows)[1].Usage.Fresh, (*rows)[1].Cost = 1, 1000 },
		"counted without need":      func(_ *[]sim.Served, rows *[]ledger.Row) { (*rows)[0].Source = ledger.Counted },
		"counted without a flag":    func(_ *[]sim.Served, rows *[]ledger.Row) { (*rows)[3].Flags = 0 },
		"an orphan costs otherwise": func(_ *[]sim.Served, rows *[]ledger.Row) { (*rows)[4].Cost-- },
	} {
		served, rows := account()
		if spoil(&served, &rows); len(Compare(served, rows, price).Wrong) == 0 {
			t.Errorf("%s: nobody noticed", name)
		}
	}
}

func TestReadLog(t *testing.T) {
	t.Parallel()
	all, err := ReadLog(strings.NewReader(`{"id":1,"client":"a","told":{"prompt":2,"completion":3}}` + "\n" + `{"id":2}` + "\n"))
	if err != nil || len(all) != 2 || all[0].Client != "a" || *all[0].Told != (sim.Told{Prompt: 2, Completion: 3}) || all[1].Told != nil {
		t.Errorf("%+v, %v", all, err)
	}
	if _, err := ReadLog(strings.NewReader(`{"id":1`)); err == nil {
		t.Error("a torn line is read")
	}
}
