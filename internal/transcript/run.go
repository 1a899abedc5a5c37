package transcript

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// defaultConfig is the config of a story that brings none.
const defaultConfig = `providers:
  sim: {kind: openai, base_url: "{{sim}}", api_key: upstream-key}
models:
  chat: {targets: [sim/sim-chat]}
  embed: {targets: [sim/sim-embed]}
`

// deadURL is a base URL that refuses connections: nothing listens on the port of the long-gone tcpmux service.
const deadURL = "http://127.0.0.1:1/v1"

// runner runs one story. It is used by one goroutine.
type runner struct {
	t         testing.TB
	story     *story
	program   Program
	dir       string
	upstreams map[string]Upstream
	instance  Instance
	vars      map[string]string
	current   *exchange
	faults    []fault
}

// fault is something that is not as the story says.
type fault struct {
	line int
	err  error
}

func newRunner(t testing.TB, s *story, p Program) *runner {
	t.Helper()
	return &runner{t: t, story: s, program: p, dir: t.TempDir(), upstreams: map[string]Upstream{}, vars: map[string]string{}}
}

func (r *runner) run() {
	r.t.Helper()
	if err := r.prepare(); err != nil {
		r.t.Fatalf("%s: %v", r.story.file, err)
	}
	defer func() {
		if r.current != nil {
			r.current.close()
		}
	}()
	for i := 0; i < len(r.story.steps); i++ {
		st := r.story.steps[i]
		times := 1
		if st.request != nil {
			n, err := st.request.times()
			if err != nil {
				r.t.Fatalf("%s:%d: %v", r.story.file, st.line, err)
			}
			times = n
		}
		for range times - 1 { // the last round is the ordinary one below
			r.step(st)
			if i+1 < len(r.story.steps) && r.story.steps[i+1].response != nil {
				r.step(r.story.steps[i+1])
			}
		}
		r.step(st)
	}
}

// times is the number in @times, 1 without.
func (q *requestStep) times() (int, error) {
	for _, f := range q.flags {
		if n, ok := strings.CutPrefix(f, "times "); ok {
			return strconv.Atoi(n)
		}
	}
	return 1, nil
}

// step runs one statement, and ends the story if a check fails.
func (r *runner) step(st step) {
	r.t.Helper()
	switch {
	case st.request != nil:
		r.fault(st.line, r.request(st))
	case st.response != nil:
		r.response(st.response)
	default:
		r.fault(st.line, r.command(st.command))
	}
	if len(r.faults) > 0 {
		r.t.Fatal(r.report(st))
	}
}

func (r *runner) fault(line int, err error) {
	if err != nil {
		r.faults = append(r.faults, fault{line: line, err: err})
	}
}

var upstreamName = regexp.MustCompile(`\{\{(sim\d*)(?:\.root)?\}\}`)

// prepare starts the upstreams that the story names, writes its files and starts Weir.
func (r *runner) prepare() error {
	if _, ok := r.story.sections["weir.yaml"]; !ok {
		r.story.sections["weir.yaml"] = defaultConfig
	}
	r.vars["dir"], r.vars["dead"] = r.dir, deadURL
	scripts := map[string]bool{}
	for name, text := range r.story.sections {
		for _, m := range upstreamName.FindAllStringSubmatch(text, -1) {
			r.upstreams[m[1]] = nil
		}
		if base, ok := strings.CutSuffix(name, ".json"); ok && upstreamName.MatchString("{{"+base+"}}") {
			r.upstreams[base] = nil
			scripts[name] = true
		}
	}
	for name := range r.upstreams {
		up := r.program.Upstream(r.t, []byte(r.story.sections[name+".json"]))
		r.upstreams[name], r.vars[name], r.vars[name+".root"] = up, up.URL(), strings.TrimSuffix(up.URL(), "/v1")
	}
	for name, text := range r.story.sections {
		if scripts[name] {
			continue
		}
		text, err := r.expand(text)
		if err != nil {
			return fmt.Errorf("-- %s --: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(r.dir, filepath.Base(name)), []byte(text), 0o600); err != nil {
			return err
		}
	}
	r.instance = r.program.Start(r.t, Setup{Dir: r.dir, Config: filepath.Join(r.dir, "weir.yaml")})
	r.vars["admin"] = r.instance.AdminToken()
	r.vars["addr"] = r.instance.Addr()
	return nil
}

var (
	placeholder = regexp.MustCompile(`\{\{([^{}]+)\}\}`)
	repeat      = regexp.MustCompile(`^repeat (\d+) (.+)$`)
)

// expand replaces the placeholders of s. {{key}} is made when it is first asked for.
func (r *runner) expand(s string) (string, error) {
	var failed error
	out := placeholder.ReplaceAllStringFunc(s, func(m string) string {
		name := m[2 : len(m)-2]
		if again := repeat.FindStringSubmatch(name); again != nil {
			n, err := strconv.Atoi(again[1])
			if err != nil {
				failed = err
				return m
			}
			return strings.Repeat(again[2], n)
		}
		if v, ok := r.vars[name]; ok {
			return v
		}
		if name == "key" && r.instance != nil {
			r.vars["key"] = r.instance.NewKey(r.t, "key", nil)
			return r.vars["key"]
		}
		failed = fmt.Errorf("nothing is known as %s", m)
		return m
	})
	return out, failed
}

func (r *runner) expandAll(list []string) ([]string, error) {
	out := make([]string, len(list))
	for i, s := range list {
		var err error
		if out[i], err = r.expand(s); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// request sends a request; the one before is over.
func (r *runner) request(st step) error {
	q := *st.request
	for _, list := range []*[]string{&q.raw, &q.headers, &q.body} {
		expanded, err := r.expandAll(*list)
		if err != nil {
			return err
		}
		if *list != nil {
			*list = expanded
		}
	}
	var err error
	if q.start, err = r.expand(q.start); err != nil {
		return err
	}
	addr := r.instance.Addr()
	if q.admin {
		addr = r.instance.AdminAddr()
	}
	w, err := q.wire(addr)
	if err != nil {
		return err
	}
	x, err := r.connection(addr, q.reuses())
	if err != nil {
		return err
	}
	x.step = st
	r.current = x
	return x.send(w)
}

// wire is the request's bytes.
func (q *requestStep) wire(addr string) (wireRequest, error) {
	if q.raw == nil {
		return q.build(addr)
	}
	b, err := rawBytes(q.raw)
	method, _, _ := strings.Cut(string(b), " ")
	return wireRequest{method: method, bytes: b}, err
}

func (q *requestStep) reuses() bool {
	for _, f := range q.flags {
		if f == "reuse" {
			return true
		}
	}
	return false
}

// connection makes the exchange for the next request.
func (r *runner) connection(addr string, reuse bool) (*exchange, error) {
	if reuse {
		before := r.current
		if before == nil {
			return nil, fmt.Errorf("@reuse needs a request before it")
		}
		if err := before.readUntil(nil); err != nil {
			return nil, err
		}
		if err := <-before.writes; err != nil {
			return nil, err
		}
		return &exchange{conn: before.conn, reader: before.reader}, nil
	}
	if r.current != nil {
		r.current.close()
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return &exchange{conn: conn, reader: bufio.NewReader(conn)}, nil
}

// logEvent waits for the log event of the last request.
func (r *runner) logEvent() (json.RawMessage, error) {
	x := r.current
	if x == nil {
		return nil, fmt.Errorf("no request was sent yet")
	}
	id := x.id
	if id == "" && x.resp != nil {
		id = x.resp.Header.Get("X-Request-Id")
	}
	if id == "" {
		return nil, fmt.Errorf("without a response the log event can only be found if the request has an X-Request-Id")
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var found []json.RawMessage
	all, err := r.instance.Log(ctx, func(events []json.RawMessage) bool {
		found = nil
		for _, e := range events {
			if mentions(e, id) {
				found = append(found, e)
			}
		}
		return len(found) > 0
	})
	if err != nil {
		return nil, fmt.Errorf("no log event holds the id %s, of %d events: %w", id, len(all), err)
	}
	return found[len(found)-1], nil
}

// mentions reports whether one of the event's members is the string id.
func mentions(event json.RawMessage, id string) bool {
	var members map[string]json.RawMessage
	if json.Unmarshal(event, &members) != nil {
		return false
	}
	for _, raw := range members {
		if jsonValue("", raw).plain() == id {
			return true
		}
	}
	return false
}
