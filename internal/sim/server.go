// Package sim is a simulated provider. It answers as a provider would, says that it is simulated, fails as its
// script says, and keeps a log of what it served. Tests call it, weir serve starts it when no other provider is
// found, and weir sim runs it alone.
//
// The script, the pacing, the faults and the log are the same for every dialect. A dialect only knows what calls
// look like and which answer is correct.
package sim

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/secret"
)

// maxBody bounds a request, far above what any test sends.
const maxBody = 256 << 20

// Server is a simulated provider. It is an http.Handler, safe for concurrent use, and starts no goroutines
// of its own. Stalled calls end when their connection does: close the http.Server, do not only shut it down.
type Server struct {
	script   Script
	dialects []dialect // the last one takes what no other knows
	log      servedLog

	now   func() time.Time
	sleep func(context.Context, time.Duration) error

	mu    sync.Mutex
	rules []ruleState // one a rule of the script; guarded by mu
}

// ruleState counts the calls that match a rule's other members, and those that it applied to.
type ruleState struct{ seen, used int }

// New returns a server that follows script. It panics on a script that Validate refuses.
func New(script Script) *Server {
	if err := script.Validate(); err != nil {
		panic("sim: " + err.Error())
	}
	return &Server{
		script:   script,
		dialects: append(embedAPIs(), invoke{}, gemini{}, anthropic{}, converse{}, cohere{}, responsesAPI{}, openAI{}),
		log:      servedLog{keep: script.Keep, changed: make(chan struct{})},
		now:      time.Now,
		sleep:    sleep,
		rules:    make([]ruleState, len(script.Rules)),
	}
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := s.now()
	c := &call{request: r, script: &s.script, created: s.script.Created}
	if c.created == 0 {
		c.created = start.Unix()
	}
	var readErr error
	c.body, readErr = io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	d := s.understand(c)
	entry := s.log.add(c.served(start))
	defer func() { s.log.end(entry, s.now()) }()
	gone := context.AfterFunc(r.Context(), func() {
		s.log.change(entry, func(s *Served) { s.ClientGone = !s.Completed })
	})
	defer gone()
	if readErr != nil { // the caller hung up while sending
		s.log.change(entry, func(s *Served) { s.ClientGone = true })
		panic(http.ErrAbortHandler)
	}
	c.number = entry.ID
	c.rule = s.pick(c)
	out := newSender(s, c, entry, w)
	out.end(out.send(d))
}

// understand finds the call's dialect and reads the call with it.
func (s *Server) understand(c *call) dialect {
	d := s.dialects[len(s.dialects)-1]
	for _, each := range s.dialects {
		if each.route(c) {
			d = each
			break
		}
	}
	d.read(c)
	return d
}

// pick chooses the rule that applies to a call, and counts the call for all rules.
func (s *Server) pick(c *call) *Rule {
	s.mu.Lock()
	defer s.mu.Unlock()
	picked := &Rule{}
	found := false
	for i := range s.script.Rules {
		rule, state := &s.script.Rules[i], &s.rules[i]
		if !rule.Match.selects(c) {
			continue
		}
		state.seen++
		if !found && state.seen >= rule.Match.Nth && (rule.Match.limit() == 0 || state.used < rule.Match.limit()) {
			state.used++
			picked, found = rule, true
		}
	}
	return picked
}

// selects reports whether the members that do not count calls match.
func (m *Match) selects(c *call) bool {
	return (m.Model == "" || llm.Match(m.Model, c.model)) &&
		(m.Path == "" || m.Path == c.endpoint) &&
		(m.Stream == nil || *m.Stream == c.stream) &&
		(m.Authorization == "" || m.Authorization == c.credential) &&
		bytes.Contains(c.body, []byte(m.Contains))
}

// limit is how many calls the rule may apply to, 0 for any number.
func (m *Match) limit() int {
	if m.Times == 0 && m.Nth > 0 {
		return 1
	}
	return m.Times
}

// served is the call's entry in the log.
func (c *call) served(start time.Time) Served {
	r := c.request
	header := r.Header.Clone()
	for _, name := range []string{"Authorization", "Api-Key", "X-Api-Key", "X-Goog-Api-Key"} {
		if value := header.Get(name); value != "" {
			scheme, credential, ok := strings.Cut(value, " ")
			if !ok {
				scheme, credential = "", value
			}
			header.Set(name, strings.TrimPrefix(scheme+" "+fingerprint(strings.TrimSpace(credential)), " "))
		}
	}
	client := ""
	if c.script.LogHeader != "" {
		client = header.Get(c.script.LogHeader)
	}
	return Served{
		Client: client,
		Time:   start, Remote: r.RemoteAddr, Proto: r.Proto, Method: r.Method, Target: r.RequestURI,
		Endpoint: c.endpoint, Model: c.model, Stream: c.stream,
		Authorization: secret.New(c.credential), Fingerprint: fingerprint(c.credential),
		Header: header, Body: c.body, BodyBytes: len(c.body),
	}
}

// sleep waits for d, or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pacing says how long each part of one call's answer takes.
type pacing struct {
	ttft, interval, jitter time.Duration
	random                 *rand.Rand
}

func newPacing(c *call) pacing {
	p := pacing{
		ttft: time.Duration(c.script.TTFT), interval: time.Duration(c.script.Interval), jitter: time.Duration(c.script.Jitter),
		random: rand.New(rand.NewPCG(c.script.Seed, c.number)),
	}
	if c.rule.TTFT != nil {
		p.ttft = time.Duration(*c.rule.TTFT)
	}
	if c.rule.Interval != nil {
		p.interval = time.Duration(*c.rule.Interval)
	}
	return p
}

// vary adds the jitter to d; what takes no time is left alone.
func (p pacing) vary(d time.Duration) time.Duration {
	if d <= 0 || p.jitter <= 0 {
		return d
	}
	return max(0, d-p.jitter+time.Duration(p.random.Int64N(2*int64(p.jitter)+1)))
}

// first is the time before the first token.
func (p pacing) first() time.Duration { return p.vary(p.ttft) }

// next is the time that n further tokens take.
func (p pacing) next(n int) time.Duration {
	var sum time.Duration
	for range n {
		sum += p.vary(p.interval)
	}
	return sum
}
