package matrix

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/sim"
)

// patience bounds a program's run, so that one which hangs ends with its output and not with the whole matrix.
const patience = 4 * time.Minute

// What a program says of a feature.
const (
	works  = "ok"
	fails  = "failed"
	absent = "absent"
)

// result is what a program printed.
type result struct {
	Client   string `json:"client"`
	Version  string `json:"version"`
	Language string `json:"language"`

	features map[string]outcome
}

type outcome struct {
	Feature string `json:"feature"`
	Result  string `json:"result"`
	Note    string `json:"note"`
}

// run installs the client, runs its program and checks what it says.
func (c client) run(t *testing.T) *result {
	t.Helper()
	command, dir := c.install(t)
	upstream := apptest.NewUpstream(t, script())
	weir := apptest.StartWith(t, config(upstream.URL()))
	_, unknown, err := auth.Mint(rand.Reader, "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = dir
	cmd.WaitDelay = 10 * time.Second
	cmd.Env = environment(
		"WEIR_BASE_URL="+weir.URL()+"/v1", "WEIR_KEY="+weir.NewKey(t, "all"), "WEIR_SCOPED_KEY="+weir.NewKey(t, "scoped", "chat"),
		"WEIR_BAD_KEY="+unknown.Reveal(), "WEIR_IMAGE="+picture, "WEIR_TEMP="+t.TempDir(),
		"PYTHONWARNINGS=ignore", "PYTHONDONTWRITEBYTECODE=1", "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, left, err := runAndWatch(ctx, cmd, upstream)
	if err != nil {
		t.Errorf("%s: %v", strings.Join(command, " "), err)
	}
	r, wrong := c.read(stdout)
	for _, w := range append(wrong, c.judge(r)...) {
		t.Error(w)
	}
	checkUpstream(t, r, upstream, left)
	t.Logf("%s %s, %s: %s", r.Client, r.Version, r.Language, r.tally())
	if t.Failed() {
		t.Logf("its output:\n%s\nits errors:\n%s", stdout, stderr.Bytes())
	}
	return r
}

// environment is this process's without what clients would read of it, and more.
func environment(more ...string) []string {
	own := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "OPENAI_") || strings.HasPrefix(v, "WEIR_")
	})
	return append(own, more...)
}

// runAndWatch runs the program. It reports whether the upstream has seen the end of the abandoned stream by the time
// that the program's output ends. The program's own end closes the connection too, a little later.
func runAndWatch(ctx context.Context, cmd *exec.Cmd, upstream *apptest.Upstream) (stdout []byte, left bool, err error) {
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, false, err
	}
	if err := cmd.Start(); err != nil {
		return nil, false, err
	}
	defer context.AfterFunc(ctx, func() { _ = pipe.Close() })() // what the program itself started may hold it open
	stdout, err = io.ReadAll(pipe)
	left = hungUp(upstream.Served())
	return stdout, left, errors.Join(err, cmd.Wait())
}

func hungUp(served []sim.Served) bool {
	return slices.ContainsFunc(served, func(call sim.Served) bool { return call.Model == "endless" && call.ClientGone })
}

// read reads a program's lines, and returns what is wrong with them.
func (c client) read(stdout []byte) (r *result, wrong []string) {
	r = &result{features: map[string]outcome{}}
	for line := range bytes.Lines(stdout) {
		var err error
		switch {
		case bytes.HasPrefix(line, []byte(`{"client"`)):
			err = json.Unmarshal(line, r)
		case bytes.HasPrefix(line, []byte(`{"feature"`)):
			var o outcome
			if err = json.Unmarshal(line, &o); err == nil {
				err = o.check(r)
				r.features[o.Feature] = o
			}
		}
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("%q: %v", line, err))
		}
	}
	if r.Client != c.program || r.Version == "" || r.Language == "" {
		wrong = append(wrong, fmt.Sprintf("it calls itself %q, version %q, with %q", r.Client, r.Version, r.Language))
	}
	return r, wrong
}

// judge returns which features are not as they should be.
func (c client) judge(r *result) (wrong []string) {
	for _, feature := range features() {
		o, ok := r.features[feature]
		why := reason(c.name(), feature)
		switch {
		case !ok:
			wrong = append(wrong, feature+": it says nothing")
		case o.Result == fails && why == "":
			wrong = append(wrong, feature+": "+o.Note)
		case o.Result != fails && why != "":
			wrong = append(wrong, feature+": it no longer fails; take it out of the known failures: "+why)
		}
	}
	return wrong
}

// tally counts the features by result.
func (r *result) tally() string {
	count := map[string]int{}
	for _, o := range r.features {
		count[o.Result]++
	}
	return fmt.Sprintf("%d features work, %d are absent, %d fail", count[works], count[absent], count[fails])
}

func (o outcome) check(r *result) error {
	switch _, again := r.features[o.Feature]; {
	case !slices.Contains(features(), o.Feature):
		return fmt.Errorf("no such feature")
	case again:
		return fmt.Errorf("the feature came before")
	case o.Result != works && o.Result != fails && o.Result != absent:
		return fmt.Errorf("no such result")
	case o.Result == absent && o.Note == "":
		return fmt.Errorf("a feature that is absent needs a note")
	}
	return nil
}

// reason is why a feature is known to fail, empty if it is not.
func reason(client, feature string) string {
	for _, k := range known {
		if k.client == client && k.feature == feature {
			return k.why
		}
	}
	return ""
}

// checkUpstream checks what only the upstream's log shows.
func checkUpstream(t *testing.T, r *result, upstream *apptest.Upstream, left bool) {
	t.Helper()
	served := upstream.Served()
	if r.features["cancel"].Result == works && !left {
		t.Error("cancel: the stream that was left did not end upstream while the program ran")
	}
	if r.features["image"].Result == works && !slices.ContainsFunc(served, func(s sim.Served) bool { return hasPicture(s.Body) }) {
		t.Error("image: it did not arrive upstream as it was")
	}
	for _, call := range served {
		if call.Authorization.Reveal() != upstreamKey {
			t.Errorf("call %d to %s carries another credential than Weir's own", call.ID, call.Target)
		}
	}
}

// hasPicture reports whether a chat's body has the picture as the URL of a part of type image_url.
func hasPicture(body []byte) bool {
	var chat struct {
		Messages []struct {
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
	}
	if json.Unmarshal(body, &chat) != nil {
		return false
	}
	for _, m := range chat.Messages {
		var parts []struct {
			Type  string `json:"type"`
			Image struct {
				URL string `json:"url"`
			} `json:"image_url"`
		}
		if json.Unmarshal(m.Content, &parts) != nil { // plain text
			continue
		}
		for _, part := range parts {
			if part.Type == "image_url" && part.Image.URL == picture {
				return true
			}
		}
	}
	return false
}
