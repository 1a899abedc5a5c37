package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/load"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/store/pgtest"
	"github.com/weirproxy/weir/internal/store/postgres"
)

// fleet are Weirs that share a database.
type fleet struct {
	b        *bench
	store    *postgres.DB
	postgres int // its first process
	weirs    []*running
	admins   []string // their addresses for figures
	keys     []string // that are minted last
}

// newFleet starts n Weirs on an empty database. What was started is in the fleet also if there is an error.
func (b *bench) newFleet(ctx context.Context, server *pgtest.Server, n int) (*fleet, error) {
	url, err := server.New()
	if err != nil {
		return nil, err
	}
	f := &fleet{b: b}
	if f.postgres, err = firstProcess(ctx, url); err != nil {
		return nil, err
	}
	if f.store, err = postgres.Open(ctx, postgres.Options{URL: secret.New(url), Pool: 2}); err != nil {
		return nil, err
	}
	for range n {
		r, err := b.start(&candidate{name: "replica", ready: "/readyz", command: func(b *bench, addr, folder, _ string) (*exec.Cmd, error) {
			return f.command(addr, folder, url)
		}})
		if err != nil {
			return f, err
		}
		f.weirs = append(f.weirs, r)
	}
	if n > 1 && !load.Pause(ctx, beginning) {
		return f, ctx.Err()
	}
	return f, nil
}

// beginning is how long a Weir that begins among others keeps nothing of limits a minute, and more.
const beginning = 8 * time.Second

// command makes one Weir, whose keys are in the store.
func (f *fleet) command(addr, folder, url string) (*exec.Cmd, error) {
	admin, err := freeAddr()
	if err != nil {
		return nil, err
	}
	f.admins = append(f.admins, admin)
	config := filepath.Join(folder, "weir.yaml")
	if err := os.WriteFile(config, []byte(f.b.weirConfig(addr, admin, folder)+"store: \""+url+"\"\n"), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.Command(filepath.Join(f.b.folder, "weir"), "serve", "--config", config)
	cmd.Env = append(os.Environ(), "WEIR_LOG_FORMAT=json", "WEIR_LOG=info")
	return cmd, nil
}

func (f *fleet) stop() error {
	for _, r := range f.weirs {
		r.stop()
	}
	return f.store.Close()
}

// mint makes keys, which the requests that follow use, and waits until the Weirs have seen them.
func (f *fleet) mint(ctx context.Context, name string, n int, limits auth.Limits) error {
	budgets, err := budget.ParseAll([]string{"1000000usd/month", "1000000Mtok/day"})
	if err != nil {
		return err
	}
	made := make([]auth.Key, n)
	f.keys = make([]string, n)
	for i := range made {
		id, key, err := auth.Mint(rand.Reader, "")
		if err != nil {
			return err
		}
		f.keys[i] = key.Reveal()
		made[i] = auth.Key{
			ID: id, Name: fmt.Sprintf("%s-%d", name, i), Digest: auth.DigestOf(key.Reveal()), CreatedAt: time.UnixMicro(time.Now().UnixMicro()).UTC(),
			Limits: limits, Spending: &budget.Policy{Budgets: budgets},
		}
	}
	if err := f.store.InsertKeys(ctx, slices.Values(made)); err != nil {
		return err
	}
	for _, r := range f.weirs {
		if err := f.awaitKey(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// awaitKey asks for the models, which costs no budget anything, until the last key is known.
func (f *fleet) awaitKey(ctx context.Context, r *running) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.base+"/v1/models", http.NoBody)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+f.keys[len(f.keys)-1])
	begun := time.Now()
	for {
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		resp.Body.Close()
		if resp.StatusCode == http.StatusOK {
			return nil
		}
		if time.Since(begun) > 20*time.Second {
			return fmt.Errorf("a replica does not know a new key: %s", resp.Status)
		}
		if !load.Pause(ctx, 10*time.Millisecond) {
			return ctx.Err()
		}
	}
}

// perRequest is the CPU time of a served request, in microseconds, and how many requests in a hundred were refused because the database was late.
type perRequest struct{ weir, postgres, refused float64 }

// closed loads the Weirs as fast as they answer, with the first key. One Weir gets as many connections as several do together.
func (f *fleet) closed(ctx context.Context, d time.Duration) (perRequest, error) {
	prompt := load.Prompt{Endpoint: load.Chat, Model: "json", Size: 200}
	weir, pg, err := f.spent()
	if err != nil {
		return perRequest{}, err
	}
	results, errs := make([]*load.Result, len(f.weirs)), make([]error, len(f.weirs))
	var all sync.WaitGroup
	for i, r := range f.weirs {
		plan := f.b.plan(r, &workload{prompt: prompt})
		plan.URL, plan.Key = r.base+"/v1/"+prompt.Endpoint.Path(prompt.Model, false), secret.New(f.keys[0])
		plan.Concurrency, plan.Duration = max(1, f.b.concurrency/len(f.weirs)), d
		all.Go(func() { results[i], errs[i] = servedOrLate(ctx, r, plan) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return perRequest{}, err
	}
	weirAfter, pgAfter, err := f.spent()
	n, late := 0.0, 0.0
	for _, r := range results {
		n, late = n+float64(r.Requests), late+float64(r.Failed)
	}
	return perRequest{micros(weirAfter-weir) / n, micros(pgAfter-pg) / n, 100 * late / (n + late)}, err
}

// servedOrLate runs a load. A Weir may refuse requests where the database does not answer in time, as it can on a busy machine.
func servedOrLate(ctx context.Context, r *running, plan load.Plan) (*load.Result, error) {
	result, err := load.Run(ctx, plan)
	if err == nil {
		err = ctx.Err()
	}
	for i := 0; err == nil && i < len(result.Failures); i++ {
		if f := &result.Failures[i]; refusedLate(f.Status) {
			continue
		}
		err = fmt.Errorf("%d of %d requests failed: %+v", result.Failed, result.Failed+result.Requests, result.Failures)
	}
	return result, errors.Join(err, r.log.Truncate(0))
}

// spent is the CPU time that the Weirs and the database have taken.
func (f *fleet) spent() (weir, pg time.Duration, err error) {
	for _, r := range f.weirs {
		d, err := cpuTime(r.cmd.Process.Pid)
		if err != nil {
			return 0, 0, err
		}
		weir += d
	}
	pg, err = serverTime(f.postgres)
	return weir, pg, err
}

// serverTime is the CPU time of a server that has a process for each connection, ended ones included. The kernel counts the time of those in hundredths of a second.
func serverTime(first int) (sum time.Duration, err error) {
	for _, pid := range processes(first) {
		if d, err := cpuTime(pid); err == nil { // else it has just ended
			sum += d
		}
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", first))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	for _, ticks := range fields[13:15] { // cutime and cstime
		n, err := strconv.Atoi(ticks)
		if err != nil {
			return 0, err
		}
		sum += time.Duration(n) * 10 * time.Millisecond
	}
	return sum, nil
}

// firstProcess is that of the server.
func firstProcess(ctx context.Context, url string) (pid int, err error) {
	db, err := sql.Open("pgx", url)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var text string
	if err := db.QueryRowContext(ctx, "SELECT pg_read_file('postmaster.pid')").Scan(&text); err != nil {
		return 0, err
	}
	line, _, _ := strings.Cut(text, "\n")
	return strconv.Atoi(line)
}

// demand says which requests come: how many, how fast (0: as fast as they are answered), and which key each has. Replicas take turns.
type demand struct {
	n    int
	rate float64
	key  func(request int) int
}

// first are the requests with which each key comes to each replica.
func (f *fleet) first() demand {
	return demand{n: len(f.keys) * len(f.weirs), key: func(i int) int { return i / len(f.weirs) }}
}

// zipf is skewed demand: the keys as Zipf's law has it.
func (f *fleet) zipf(rate float64, d time.Duration) demand {
	law := mathrand.NewZipf(mathrand.New(mathrand.NewPCG(1, 2)), 1.05, 1, uint64(len(f.keys)-1))
	list := make([]int, int(rate*d.Seconds()))
	for i := range list {
		list[i] = int(law.Uint64())
	}
	return demand{len(list), rate, func(i int) int { return list[i] }}
}

// senders is how many requests run at once.
const senders = 16

// phase sends requests, and says what they cost the database.
func (f *fleet) phase(ctx context.Context, come demand) (phase, error) {
	before, err := f.figures(ctx)
	if err != nil {
		return phase{}, err
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: senders}, Timeout: time.Minute}
	defer client.CloseIdleConnections()
	body, begun := load.Prompt{Endpoint: load.Chat, Model: "json", Size: 200}.Body(), time.Now()
	var next, repeated atomic.Int64
	errs := make([]error, senders)
	var all sync.WaitGroup
	for s := range senders {
		all.Go(func() {
			for errs[s] == nil {
				i := int(next.Add(1)) - 1
				if i >= come.n {
					return
				}
				if come.rate > 0 { // each request has its moment
					at := begun.Add(time.Duration(float64(i) / come.rate * float64(time.Second)))
					if !load.Pause(ctx, time.Until(at)) {
						errs[s] = ctx.Err()
						return
					}
				}
				var again int
				again, errs[s] = f.served(ctx, client, f.weirs[i%len(f.weirs)], f.keys[come.key(i)], body)
				repeated.Add(int64(again))
			}
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return phase{}, err
	}
	after, err := f.figures(ctx)
	if err != nil {
		return phase{}, err
	}
	for name, value := range before {
		after[name] -= value
	}
	return phase{Requests: float64(come.n), Repeated: float64(repeated.Load()), Statements: after[statements], Waits: after[waits+"_count"], P99: 1000 * quantile(after, waits, 0.99)}, nil
}

// served sends a request until it is served, as a client would, and says how often a Weir refused it because the database was late.
func (f *fleet) served(ctx context.Context, client *http.Client, r *running, key string, body []byte) (again int, err error) {
	for ; ; again++ {
		status, text, err := post(ctx, client, r.base+"/v1/chat/completions", key, body)
		switch {
		case err != nil:
			return again, err
		case status == http.StatusOK:
			return again, nil
		case !refusedLate(status) || again == mostRepeats:
			return again, fmt.Errorf("a replica answers %d: %s", status, text)
		}
		if !load.Pause(ctx, repeatAfter) { // as a client does that may come again
			return again, ctx.Err()
		}
	}
}

// refusedLate reports whether an answer may be that of a Weir whose database is late. The limits of the keys are too high to refuse anything.
func refusedLate(status int) bool {
	return status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests
}

const (
	mostRepeats = 100
	repeatAfter = 100 * time.Millisecond
)

func post(ctx context.Context, client *http.Client, url, key string, body []byte) (status int, text []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	text, err = io.ReadAll(resp.Body)
	return resp.StatusCode, text, err
}

// The metrics that are read.
const (
	statements = "weir_replica_statements_total"
	waits      = "weir_replica_wait_seconds"
)

// figures are the metrics of replicas, added up over all of them.
func (f *fleet) figures(ctx context.Context) (map[string]float64, error) {
	sums := map[string]float64{}
	for _, admin := range f.admins {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+admin+"/metrics", http.NoBody)
		if err != nil {
			return nil, err
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			if !strings.HasPrefix(line, "weir_replica_") {
				continue
			}
			name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
			n, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return nil, err
			}
			sums[name] += n
		}
	}
	return sums, nil
}

// quantile is a share of a histogram, between the bounds of its bucket as if all were spread evenly; 0 for an empty one.
func quantile(figures map[string]float64, name string, share float64) float64 {
	target := share * figures[name+"_count"]
	if target == 0 {
		return 0
	}
	last, below := 0.0, 0.0
	for _, bound := range boundsIn(figures, name) {
		n := figures[bucket(name, bound)]
		if n >= target && n > below {
			return last + (bound-last)*(target-below)/(n-below)
		}
		last, below = bound, n
	}
	return last
}
