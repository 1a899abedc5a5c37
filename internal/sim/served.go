package sim

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/secret"
)

// Served is one call in the log. In the log file it is one line of JSON, which leaves out headers, bodies
// and credentials.
type Served struct {
	ID       uint64    `json:"id"` // counted from 1, in the order of arrival
	Time     time.Time `json:"time"`
	Remote   string    `json:"remote"` // the caller's address: the same one is the same connection
	Proto    string    `json:"proto"`
	Method   string    `json:"method"`
	Target   string    `json:"target"`   // path and query as they came
	Endpoint string    `json:"endpoint"` // "/chat/completions" and so on, "" for an unknown path
	Model    string    `json:"model"`
	Stream   bool      `json:"stream"`

	// Authorization is the credential, from the bearer token or the api-key header. Fingerprint distinguishes
	// credentials without revealing them.
	Authorization secret.Text `json:"-"`
	Fingerprint   string      `json:"credential"`
	// Header is the request's, with the credentials in it replaced by their fingerprints.
	Header    http.Header `json:"-"`
	Body      []byte      `json:"-"`
	BodyBytes int         `json:"body_bytes"`

	Status int `json:"status"` // 0: no headers were sent
	Events int `json:"events"` // events sent, [DONE] among them
	// PromptTokens and CompletionTokens are what was served: for a stream that broke off, the tokens that
	// were sent before.
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	// Client is the value of the request's header that the script names, AnswerID the id in the head of the answer, and Told the usage that
	// the answer said last. All are for scripts that name a header alone.
	Client     string    `json:"client,omitempty"`
	AnswerID   string    `json:"answer_id,omitempty"`
	Told       *Told     `json:"told,omitempty"` // nil if no usage was sent
	Completed  bool      `json:"completed"`      // the answer was sent to its end
	ClientGone bool      `json:"client_gone"`    // the caller hung up before
	Done       bool      `json:"-"`              // the call is over
	Ended      time.Time `json:"-"`              // since when
}

// Told is the usage that an answer says it took.
type Told struct {
	Prompt     int `json:"prompt"`
	Completion int `json:"completion"`
}

// Sink takes the lines of a log file, *os.File for one.
type Sink interface {
	io.Writer
	Sync() error
}

// servedLog is the log. It is safe for concurrent use.
type servedLog struct {
	mu      sync.Mutex
	calls   []*Served // in the order of arrival
	keep    int
	last    uint64
	active  int
	changed chan struct{} // closed and replaced at every change
	sink    Sink
	sinkErr error
}

// add enters a call, numbers it and returns the entry; change alone may touch it.
func (l *servedLog) add(s Served) *Served {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	s.ID = l.last
	l.calls = append(l.calls, &s)
	l.active++
	l.notify()
	return &s
}

// change applies f to an entry.
func (l *servedLog) change(s *Served, f func(*Served)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f(s)
	l.notify()
}

// write puts an entry on file. It is called once for a call, before the end of its answer goes out: once the
// caller has read all, the entry is on disk.
func (l *servedLog) write(s *Served) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.sink == nil {
		return
	}
	line, err := json.Marshal(s)
	if err == nil {
		_, err = l.sink.Write(append(line, '\n'))
	}
	if err == nil {
		err = l.sink.Sync()
	}
	if err != nil && l.sinkErr == nil {
		l.sinkErr = err
	}
}

// end closes an entry and forgets the oldest ended ones beyond keep.
func (l *servedLog) end(s *Served, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s.Done, s.Ended = true, now
	l.active--
	if l.keep > 0 {
		surplus := len(l.calls) - l.active - l.keep
		l.calls = slices.DeleteFunc(l.calls, func(s *Served) bool {
			if !s.Done || surplus <= 0 {
				return false
			}
			surplus--
			return true
		})
	}
	l.notify()
}

// notify wakes those who wait. l.mu is held.
func (l *servedLog) notify() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// snapshot copies the log and returns the channel that the next change closes.
func (l *servedLog) snapshot() ([]Served, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	calls := make([]Served, len(l.calls))
	for i, s := range l.calls {
		calls[i] = *s
	}
	return calls, l.changed
}

// Served returns the calls so far, in the order of arrival, running ones too. Headers and bodies are
// shared with the log: do not change them.
func (s *Server) Served() []Served {
	calls, _ := s.log.snapshot()
	return calls
}

// Wait blocks until ok accepts the log, which it is shown at every change. The error of a context that ends
// before says how many calls there were.
func (s *Server) Wait(ctx context.Context, ok func([]Served) bool) error {
	for {
		calls, changed := s.log.snapshot()
		if ok(calls) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("sim: %w; the log has %d calls", context.Cause(ctx), len(calls))
		}
	}
}

// Active is the number of calls in progress.
func (s *Server) Active() int {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	return s.log.active
}

// LogTo appends a line of JSON to sink for every call from now on, synced before the last of its answer is sent.
// LogErr returns what went wrong with that.
func (s *Server) LogTo(sink Sink) {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	s.log.sink = sink
}

// LogErr is the first error of writing the log file.
func (s *Server) LogErr() error {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	return s.log.sinkErr
}

// fingerprint is too short to help guessing, and long enough to distinguish credentials.
func fingerprint(credential string) string {
	if credential == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(credential))
	return hex.EncodeToString(sum[:4])
}
