package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/load"
	"github.com/weirproxy/weir/internal/secret"
)

const (
	pacedStreams   = 200 // at a time
	streamEvents   = 50
	streamInterval = 20 * time.Millisecond
	burstEvents    = 100 // written one by one, without a pause
	heldEvents     = 10_000
	heldInterval   = 2 * time.Second  // between the events of a held stream
	perStream      = time.Millisecond // between the beginnings of streams, so that no queue of new connections overflows
)

// workload is one kind of load.
type workload struct {
	name   string
	prompt load.Prompt
	rate   float64 // of the open loop that measures times
	held   int     // streams that are held open; 0 for requests
	events int     // number of events of a stream
	paced  int     // streams at a time that have a pace; 0 for what goes as fast as it can
	// through is the model name for candidates that cannot translate, "" for the prompt's.
	through string
	// alone says that it is measured on one processor alone: what it is compared with is in the same table.
	alone bool
}

// workloads are all there are, held streams last.
func workloads() []*workload {
	body := func(name string, size int, code bool, rate float64) *workload {
		return &workload{name: name, rate: rate, prompt: load.Prompt{Endpoint: load.Chat, Model: "json", Size: size, Code: code}}
	}
	stream := func(name, model string, w workload) *workload {
		w.name, w.prompt = name, load.Prompt{Endpoint: load.Chat, Model: model, Size: 200, Stream: true}
		return &w
	}
	paced := workload{events: streamEvents, paced: pacedStreams}
	translated := func(w *workload, model string) *workload {
		w.through, w.prompt.Model = w.prompt.Model, model
		return w
	}
	of := func(e load.Endpoint, w *workload) *workload {
		w.prompt.Endpoint = e
		return w
	}
	return append(otherDialects(),
		body("200B", 200, false, 1000), body("8K", 8<<10, false, 1000), body("400K", 400<<10, false, 100), body("400K-code", 400<<10, true, 100),
		translated(body("400K-translated", 400<<10, false, 100), "message"), translated(body("400K-code-translated", 400<<10, true, 100), "message"),
		stream("stream", "stream", paced), translated(stream("stream-translated", "stream", paced), "messages"), stream("burst", "burst", workload{events: burstEvents}),
		of(load.Messages, stream("held-1000-messages", "held-messages", workload{held: 1000})),
		of(load.Responses, stream("held-1000-responses", "held-responses", workload{held: 1000})),
		stream("held-1000", "held", workload{held: 1000}), stream("held-5000", "held", workload{held: 5000}),
	)
}

// turn is what a coding agent's turn weighs: its prompt, its tools and the first files.
const turn = 85 << 10

// otherDialects are callers of Anthropic's and OpenAI's newer APIs whose bytes pass, and the chats that they are compared with.
func otherDialects() []*workload {
	list := []*workload{{name: "85K", alone: true, rate: 400, prompt: load.Prompt{Endpoint: load.Chat, Model: "json", Size: turn}}}
	for _, d := range []struct {
		endpoint    load.Endpoint
		json, burst string
	}{{load.Messages, "message", "burst-messages"}, {load.Responses, "response", "burst-responses"}} {
		for _, size := range []struct {
			name  string
			bytes int
			rate  float64
		}{{"200B", 200, 1000}, {"85K", turn, 400}, {"400K", 400 << 10, 100}} {
			list = append(list, &workload{
				name: size.name + "-" + string(d.endpoint), alone: true, rate: size.rate, prompt: load.Prompt{Endpoint: d.endpoint, Model: d.json, Size: size.bytes},
			})
		}
		list = append(list, &workload{name: d.burst, alone: true, events: burstEvents, prompt: load.Prompt{Endpoint: d.endpoint, Model: d.burst, Size: 200, Stream: true}})
	}
	return list
}

// path is the upstream's path for a model's answers. The simulated provider goes by the model itself.
func (b *bench) path(model string) string {
	switch {
	case b.sim:
		return ""
	case model == "stream", model == "messages":
		return "/" + model + "/" + strconv.Itoa(streamEvents) + "/" + streamInterval.String()
	case model == "burst":
		return "/stream/" + strconv.Itoa(burstEvents) + "/0s"
	case model == "held-messages", model == "held-responses":
		return "/" + strings.TrimPrefix(model, "held-") + "/" + strconv.Itoa(heldEvents) + "/" + heldInterval.String()
	case model == "held":
		return "/stream/" + strconv.Itoa(heldEvents) + "/" + heldInterval.String()
	case model == "still":
		return "/stream/2/1h0m0s"
	case model == "burst-messages", model == "burst-responses":
		return "/" + strings.TrimPrefix(model, "burst-") + "/" + strconv.Itoa(burstEvents) + "/0s"
	case model == "message", model == "response":
		return "/" + model
	}
	return "/json"
}

// plan is what is sent to a candidate.
func (b *bench) plan(r *running, w *workload) load.Plan {
	prompt := w.prompt
	if !r.gateway && w.through != "" {
		prompt.Model = w.through
	}
	l := load.Plan{Body: prompt.Body(), Key: secret.New(r.key), Concurrency: b.concurrency, Timeout: time.Minute, Endpoint: prompt.Endpoint}
	base := r.base + b.path(prompt.Model)
	if r.gateway {
		base = r.base // the model decides where it goes
	}
	l.URL = base + "/v1/" + prompt.Endpoint.Path(prompt.Model, prompt.Stream)
	return l
}

func (b *bench) note(round int, r *running, w, metric string, value float64) {
	b.done.Figures = append(b.done.Figures, figure{b.mode.name, round, w, r.name, metric, value})
}

// once runs a load, which must not fail, and forgets what the candidate logged.
func once(ctx context.Context, r *running, l load.Plan) (*load.Result, error) {
	result, err := load.Run(ctx, l)
	if err == nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	if err == nil && (result.Failed > 0 || result.Requests == 0) {
		err = fmt.Errorf("%s: %d of %d requests failed: %+v", r.name, result.Failed, result.Failed+result.Requests, result.Failures)
	}
	if err != nil && r.log != nil {
		text, _ := os.ReadFile(r.log.Name())
		err = fmt.Errorf("%w\n%s", err, text[max(0, len(text)-2000):])
	}
	if r.log != nil {
		_ = r.log.Truncate(0) // a full disk would show in the results
	}
	return result, err
}

// spent is the CPU time of the three processes that take part.
type spent struct{ proxy, upstream, load time.Duration }

func (b *bench) spent(r *running) (spent, error) {
	var s spent
	var errs []error
	clock := func(pid int) time.Duration {
		d, err := cpuTime(pid)
		errs = append(errs, err)
		return d
	}
	if r.cmd != nil {
		for _, pid := range processes(r.cmd.Process.Pid) {
			s.proxy += clock(pid)
		}
	}
	s.upstream, s.load = clock(b.up.Process.Pid), clock(os.Getpid())
	return s, errors.Join(errs...)
}

// costs runs a load and returns the CPU time that it took.
func (b *bench) costs(ctx context.Context, r *running, l load.Plan) (*load.Result, spent, error) {
	before, err := b.spent(r)
	if err != nil {
		return nil, spent{}, err
	}
	result, err := once(ctx, r, l)
	if err != nil {
		return nil, spent{}, err
	}
	after, err := b.spent(r)
	if err == nil && after.proxy < before.proxy {
		err = fmt.Errorf("a process of %s has ended meanwhile, and its CPU time with it", r.name)
	}
	return result, spent{after.proxy - before.proxy, after.upstream - before.upstream, after.load - before.load}, err
}

// requests measures complete answers: first as many as go, then the time of each at a rate that all candidates bear.
func (b *bench) requests(ctx context.Context, round int, r *running, w *workload) error {
	l, err := b.closed(ctx, round, r, w)
	if err != nil {
		return err
	}
	l.Rate, l.Duration = w.rate, b.time*2/3
	result, err := once(ctx, r, l)
	if err != nil {
		return err
	}
	b.note(round, r, w.name, "p50_us", micros(result.Latency.P50))
	b.note(round, r, w.name, "p99_us", micros(result.Latency.P99))
	return nil
}

// closed measures what as many complete answers cost as go.
func (b *bench) closed(ctx context.Context, round int, r *running, w *workload) (load.Plan, error) {
	l := b.plan(r, w)
	l.Duration = b.time / 6
	if _, err := once(ctx, r, l); err != nil { // warm
		return l, err
	}
	l.Duration = b.time
	result, cpu, err := b.costs(ctx, r, l)
	if err != nil {
		return l, err
	}
	n := float64(result.Requests)
	b.note(round, r, w.name, "rps", n/result.Elapsed.Seconds())
	b.note(round, r, w.name, "cpu_us", micros(cpu.proxy)/n)
	b.note(round, r, w.name, "upstream_cpu_us", micros(cpu.upstream)/n)
	b.note(round, r, w.name, "load_cpu_us", micros(cpu.load)/n)
	return l, nil
}

// streams measures streams at the pace of the upstream: the cost of an event, and the time to the first.
func (b *bench) streams(ctx context.Context, round int, r *running, w *workload) error {
	l := b.plan(r, w)
	if w.paced > 0 {
		l.Concurrency = w.paced
		l.Ramp = streamEvents * streamInterval // so that they neither begin nor end together
	}
	l.Requests = l.Concurrency
	if _, err := once(ctx, r, l); err != nil { // warm
		return err
	}
	l.Requests, l.Duration = 0, b.time+l.Ramp
	result, cpu, err := b.costs(ctx, r, l)
	if err != nil {
		return err
	}
	n := float64(result.Requests) * float64(w.events+1) // [DONE] passes too
	b.note(round, r, w.name, "cpu_us", micros(cpu.proxy)/n)
	b.note(round, r, w.name, "upstream_cpu_us", micros(cpu.upstream)/n)
	b.note(round, r, w.name, "load_cpu_us", micros(cpu.load)/n)
	b.note(round, r, w.name, "p50_us", micros(result.FirstToken.P50))
	b.note(round, r, w.name, "p99_us", micros(result.FirstToken.P99))
	return nil
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// hold opens streams that bring an event now and then, and weighs the proxy when each has brought its first.
func (b *bench) hold(ctx context.Context, round int, r *running, w *workload) error {
	warm := b.plan(r, &workload{prompt: load.Prompt{Endpoint: load.Chat, Model: "json", Size: 200}})
	warm.Requests, warm.Concurrency = 100, 1
	if _, err := once(ctx, r, warm); err != nil {
		return err
	}
	before, _, err := memoryOf(r.cmd.Process.Pid)
	if err != nil {
		return err
	}
	held, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	ended, err := b.keep(held, r, b.plan(r, w), w.held)
	if err != nil {
		return err
	}
	time.Sleep(b.settle)
	after, pss, err := memoryOf(r.cmd.Process.Pid)
	cancel()
	<-ended // they were cut off
	b.note(round, r, w.name, "kib_per_stream", float64(after-before)/float64(w.held)/1024)
	b.note(round, r, w.name, "pss_mib", float64(pss)/(1<<20))
	return err
}

// keep opens n streams and returns once each has brought its first event. They end with ctx, and then ended has how they fared.
func (b *bench) keep(ctx context.Context, r *running, l load.Plan, n int) (<-chan error, error) {
	all := make(chan struct{})
	ended := make(chan error, 1)
	l.Concurrency, l.Requests, l.Timeout = n, n, 10*time.Minute
	l.Ramp = time.Duration(n) * perStream
	l.Every = 50 * time.Millisecond
	ctx, let := context.WithCancelCause(ctx)
	full := false
	l.Progress = func(p load.Progress) {
		switch {
		case p.Failed > 0:
			let(errors.New("a stream failed"))
		case p.Streaming >= int64(n) && !full:
			full = true
			close(all)
		}
	}
	go func() {
		result, err := load.Run(ctx, l)
		if err == nil && result.Failed > 0 {
			err = fmt.Errorf("%d of %d streams failed: %+v", result.Failed, n, result.Failures)
		}
		let(nil)
		ended <- err
	}()
	select {
	case <-all:
		return ended, nil
	case err := <-ended:
		return nil, cmp.Or(err, fmt.Errorf("%s does not hold %d streams", r.name, n))
	}
}
