package agents

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/weirproxy/weir/internal/sim"
)

var update = flag.Bool("update", false, "write the results into docs/reference/agents.md")

// feature is what is tried with each agent at each target. Its cell of the page says how often the target was asked.
type feature struct {
	name, heading string
	try           func(t *testing.T, a *agent, d *target) (cell string)
}

// features are the columns of the page.
var features = []feature{
	{"loop", "loop", loop},
	{"image", "image", sees},
	{"structured", "structured", forms},
	{"overloaded-once", "overloaded once", func(t *testing.T, a *agent, d *target) string { return once(t, a, d, d.overload) }},
	{"failing-once", "500 once", func(t *testing.T, a *agent, d *target) string { return once(t, a, d, 500) }},
	{"overloaded", "overloaded", func(t *testing.T, a *agent, d *target) string { return always(t, a, d, d.overload) }},
	{"failing", "500", func(t *testing.T, a *agent, d *target) string { return always(t, a, d, 500) }},
	{"cut", "cut once", cut},
	{"hangup", "Ctrl-C", hangUp},
}

const (
	spoken                = "First of all I say something that takes quite a few words, so that a stream of it can end within."
	pngBegins, jpegBegins = "iVBORw0KGgo", "/9j/" // in base64
	// repeats is how often an agent asks before it is stopped, if it cannot be set to give up soon.
	repeats = 3
)

// rules answer by what the conversation has in it by now: the last step first.
func (a *agent) rules(p *place) []sim.Rule {
	rules := []sim.Rule{{Match: sim.Match{Contains: printed}, Text: farewell}}
	for _, step := range a.steps {
		rules = append(rules, step(p))
	}
	return rules
}

// ends are rules by which the turn ends at once, after another.
func ends(rule sim.Rule) func(*place) []sim.Rule {
	return func(*place) []sim.Rule { return []sim.Rule{rule, {Text: farewell}} }
}

// loop reads the file, edits it, runs the command and answers.
func loop(t *testing.T, a *agent, d *target) string {
	s := setUp(t, a, d, a.rules)
	out, err := s.run(t, prompt, a.tests...)
	text, readErr := os.ReadFile(s.file)
	if err != nil || readErr != nil || strings.TrimSpace(string(text)) != after || !strings.Contains(out, farewell) {
		t.Errorf("%v %v: the file says %q, the agent:\n%s", err, readErr, text, out)
	}
	turns, _ := s.count(t)
	if turns != len(a.steps)+1 {
		t.Errorf("the target was asked %d times, not %d", turns, len(a.steps)+1)
	}
	return works(turns)
}

// sees has a picture that the agent is given or reads. It need not arrive byte for byte: agents make it smaller.
func sees(t *testing.T, a *agent, d *target) string {
	s := setUp(t, a, d, func(p *place) []sim.Rule {
		q := *p
		q.file = p.picture
		return []sim.Rule{{Match: sim.Match{Contains: pngBegins}, Text: farewell}, {Match: sim.Match{Contains: jpegBegins}, Text: farewell}, a.steps[len(a.steps)-1](&q)}
	})
	var more []string
	if a.shows != nil {
		more = a.shows(s.place)
	}
	out, err := s.run(t, a.mention+prompt, more...)
	if err != nil || !strings.Contains(out, farewell) {
		t.Errorf("%v, the agent:\n%s", err, out)
	}
	turns, _ := s.count(t)
	return works(turns)
}

// forms has an answer of a form.
func forms(t *testing.T, a *agent, d *target) string {
	s := setUp(t, a, d, func(*place) []sim.Rule {
		if a.form == nil {
			return []sim.Rule{{Text: formed}}
		}
		return []sim.Rule{{Match: sim.Match{Contains: "good morning"}, Text: farewell}, a.form()}
	})
	out, err := s.run(t, prompt, a.forms(s.place)...)
	answered := strings.Contains(out, "good morning") || strings.Contains(out, `"greeting_of_weir":"simulated"`) // which the simulated model says in a form
	if err != nil || !answered || !s.sent("greeting_of_weir") {
		t.Errorf("%v, the agent:\n%s", err, out)
	}
	turns, _ := s.count(t)
	return works(turns)
}

// once has an upstream that refuses the first call of a turn, which the agent repeats.
func once(t *testing.T, a *agent, d *target, status int) string {
	s := setUp(t, a, d, ends(sim.Rule{Match: sim.Match{Contains: a.main, Times: 1}, Status: status}))
	out, err := s.run(t, prompt)
	if err != nil || !strings.Contains(out, farewell) {
		t.Errorf("%v, the agent:\n%s", err, out)
	}
	turns, _ := s.count(t)
	return works(turns)
}

// always has an upstream that refuses every call of a turn. Its own words are shown in the end. Agents that go on for long are stopped before.
func always(t *testing.T, a *agent, d *target, status int) string {
	s := setUp(t, a, d, ends(sim.Rule{Match: sim.Match{Contains: a.main}, Status: status}))
	if a.patience == nil {
		s.interrupt(t, func(calls []sim.Served) bool {
			n := 0
			for _, c := range calls {
				if s.isTurn(&c) {
					n++
				}
			}
			return n >= repeats
		})
		s.count(t)
		return "again"
	}
	env, settings := a.patience(s.place)
	s.env = env
	for path, text := range settings {
		write(t, filepath.Join(s.home, path), text)
	}
	out, _ := s.run(t, prompt)
	if !strings.Contains(out, "This model is not available now") || strings.Contains(out, farewell) {
		t.Errorf("the agent does not say what is wrong:\n%s", out)
	}
	turns, _ := s.count(t)
	return fmt.Sprintf("shown %d", turns)
}

// cut has a stream that ends within, once. The agent asks again, or says so.
func cut(t *testing.T, a *agent, d *target) string {
	s := setUp(t, a, d, ends(sim.Rule{Match: sim.Match{Contains: a.main, Times: 1}, Text: spoken, Cut: &d.begun}))
	out, err := s.run(t, prompt)
	turns, _ := s.count(t)
	switch {
	case err == nil && strings.Contains(out, farewell):
		return works(turns)
	case strings.Contains(out, "ended its stream before the answer was complete"):
		return fmt.Sprintf("shown %d", turns)
	}
	t.Errorf("neither an answer nor an error: %v, the agent:\n%s", err, out)
	return ""
}

// hangUp has a user who leaves in the middle of a stream, which ends upstream. Nothing is asked after that.
func hangUp(t *testing.T, a *agent, d *target) string {
	s := setUp(t, a, d, ends(sim.Rule{Match: sim.Match{Contains: a.main}, Text: spoken, Stall: (*sim.Point)(&d.begun)}))
	out := s.interrupt(t, func(calls []sim.Served) bool {
		for _, c := range calls {
			if s.isTurn(&c) && c.Events >= d.begun && !c.Done {
				return true
			}
		}
		return false
	})
	turns, left := s.count(t)
	if !left {
		t.Errorf("the stream that was left did not end upstream:\n%s", out)
	}
	return works(turns)
}

func works(turns int) string { return fmt.Sprintf("✓ %d", turns) }

// together is how many agents run at a time.
const together = 2

// TestAgents tries all features.
func TestAgents(t *testing.T) {
	slots := make(chan struct{}, together)
	var mu sync.Mutex
	results := table{} // guarded by mu
	if *update {
		t.Cleanup(func() { rewrite(t, results) })
	}
	for i := range agents {
		a := &agents[i]
		t.Run(a.name, func(t *testing.T) {
			if !*update {
				t.Cleanup(func() { compare(t, a, results) })
			}
			a.program(t)
			for j := range targets {
				d := &targets[j]
				t.Run(d.name, func(t *testing.T) {
					for _, f := range features {
						if a.lacks[f.name] != "" {
							continue
						}
						t.Run(f.name, func(t *testing.T) {
							t.Parallel()
							slots <- struct{}{}
							defer func() { <-slots }()
							cell := f.try(t, a, d)
							mu.Lock()
							defer mu.Unlock()
							results[[3]string{a.name, d.name, f.name}] = cell
						})
					}
				})
			}
		})
	}
}
