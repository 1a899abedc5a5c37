package agents

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/sim"
)

// patience bounds an agent's run, and settling what is still on its way after it.
const (
	patience = 5 * time.Minute
	settling = 5 * time.Second
)

// stage is one run: an agent, the Weir that it calls, and the simulated provider that Weir calls.
type stage struct {
	*place

	agent    *agent
	program  string
	upstream *apptest.Upstream
	weir     *apptest.Weir
	env      []string // more of it
}

// setUp starts what the agent needs, with the rules of the target's model.
func setUp(t *testing.T, a *agent, d *target, rules func(p *place) []sim.Rule) *stage {
	t.Helper()
	home := t.TempDir()
	work := filepath.Join(home, "work")
	p := &place{home: home, work: work, file: filepath.Join(work, "task.txt"), picture: filepath.Join(work, "picture.png"), form: filepath.Join(home, "schema.json")}
	write(t, p.file, before+"\n")
	write(t, p.form, schema)
	draw(t, p.picture)
	script, err := json.Marshal(sim.Script{Key: "k", Rules: rules(p)})
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{place: p, agent: a, program: a.program(t), upstream: apptest.NewUpstream(t, script)}
	provider := fmt.Sprintf(d.provider, strings.TrimSuffix(s.upstream.URL(), "/v1"))
	s.weir = apptest.StartWith(t, "providers:\n  up: "+provider+"\nmodels:\n  \"*\": {targets: [\"up/"+d.model+"\"]}\n")
	p.url, p.key = s.weir.URL(), s.weir.NewKey(t, "all")
	if a.settings != nil {
		for path, text := range a.settings(p) {
			write(t, filepath.Join(home, path), text)
		}
	}
	if a.setup != nil {
		s.must(t, s.command(t.Context(), s.program, a.setup(p)...))
	}
	if a.tests != nil { // it takes the names of files from git
		s.must(t, s.command(t.Context(), "git", "init", "--quiet"))
		s.must(t, s.command(t.Context(), "git", "add", "task.txt"))
		s.must(t, s.command(t.Context(), "git", "commit", "--quiet", "-m", "Begin"))
	}
	return s
}

// command runs in the agent's folder, and is interrupted as Ctrl-C in a terminal does it: with all that it started.
func (s *stage) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.WaitDelay = s.work, settling
	group(cmd)
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + s.home, "TERM=dumb", "NO_COLOR=1", "NO_PROXY=127.0.0.1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
	}, append(s.agent.env(s.place), s.env...)...)
	return cmd
}

func (s *stage) must(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
}

// run runs the agent to its end.
func (s *stage) run(t *testing.T, prompt string, more ...string) (out string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	said, err := s.command(ctx, s.program, s.agent.ask(prompt, more...)...).CombinedOutput()
	return string(said), err
}

// interrupt runs the agent until the calls that the target got are enough, presses Ctrl-C, and waits for the agent's end.
func (s *stage) interrupt(t *testing.T, enough func(calls []sim.Served) bool) (out string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var said strings.Builder
	cmd := s.command(ctx, s.program, s.agent.ask(prompt)...)
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := s.upstream.Wait(ctx, enough); err != nil {
		t.Errorf("it did not come so far: %v", err)
	}
	if err := ctrlC(cmd); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); ctx.Err() != nil {
		t.Errorf("it did not end: %v", err)
	}
	return said.String()
}

// count waits until all is over, and returns how often the target was asked for a turn, and whether such a call ended because its caller left. What is asked
// beside, such as for a title, is held against the agent's aside.
func (s *stage) count(t *testing.T) (turns int, left bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), settling)
	defer cancel()
	all := 0
	err := s.upstream.Wait(ctx, func(calls []sim.Served) bool {
		turns, all = 0, 0
		for _, c := range calls {
			if !c.Done {
				return false
			}
			if c.Endpoint == "/models" {
				continue
			}
			if all++; s.isTurn(&c) {
				turns++
				left = left || c.ClientGone
			}
		}
		return true
	})
	if err != nil {
		t.Errorf("a call goes on after the agent's end: %v", err)
	}
	if all > turns+s.agent.aside {
		t.Errorf("the target was asked %d times, but %d times for a turn", all, turns)
	}
	return turns, left
}

// isTurn reports whether a call is for a turn of the session.
func (s *stage) isTurn(c *sim.Served) bool { return strings.Contains(string(c.Body), s.agent.main) }

// sent reports whether a call to the target had a text in its body.
func (s *stage) sent(text string) bool {
	return slices.ContainsFunc(s.upstream.Served(), func(c sim.Served) bool { return strings.Contains(string(c.Body), text) })
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// draw makes a picture.
func draw(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, image.NewGray(image.Rect(0, 0, 64, 64))); err != nil {
		t.Fatal(err)
	}
}
