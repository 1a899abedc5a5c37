package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/load"
)

// readers is the command of the process that reads reports. It is not the process that measures requests, which receiving large reports would delay.
const readers = "readers"

// readersOf says what the process of readers asks, on its standard input.
type readersOf struct {
	Base, Token string
	End         time.Time
	Tabs        int
	Ramp        time.Duration // within which they begin
}

// readers starts readers, and returns when the first has an answer. stop ends them, and returns how many answers of which status there were, or what was wrong before.
func (b *bench) readers(ctx context.Context, d *desk, how *reading) (stop func(error) (map[string]int, error), err error) {
	cmd := exec.CommandContext(ctx, b.self, readers, d.base)
	dieWithParent(cmd)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(out)
	err = json.NewEncoder(in).Encode(readersOf{Base: d.base, Token: d.token, End: d.end, Tabs: how.tabs, Ramp: how.ramp})
	if err == nil {
		_, err = lines.ReadString('\n')
	}
	stop = func(before error) (answers map[string]int, err error) {
		err = errors.Join(before, in.Close(), json.NewDecoder(lines).Decode(&answers), cmd.Wait())
		return answers, err
	}
	if err != nil {
		_, err = stop(err)
	}
	return stop, err
}

// serveReaders reads what to ask, writes a line at the first answer and, when its standard input has ended, how many there were.
func serveReaders() error {
	in := json.NewDecoder(os.Stdin)
	var of readersOf
	if err := in.Decode(&of); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	begun, answers := (&desk{base: of.Base, token: of.Token, end: of.End}).tabs(ctx, of.Tabs, of.Ramp)
	go func() {
		defer stop()
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	select {
	case <-begun:
	case <-ctx.Done():
	}
	if _, err := fmt.Println("begun"); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(<-answers)
}

// tabs are so many readers, each of which asks for something large as soon as it has an answer, or a second or two after a refusal.
// They begin within a while, for what is measured is reading and not two hundred connections at once. begun is closed at the first answer. When ctx
// has ended, the other channel has how many there were.
func (d *desk) tabs(ctx context.Context, n int, ramp time.Duration) (begun <-chan struct{}, answers <-chan map[string]int) {
	hostile := []string{
		"/admin/v1/usage?by=hour" + d.days(90), "/admin/v1/usage?by=key,hour" + d.days(31), "/admin/v1/usage?by=key,model,day&top=50" + d.days(90), "/admin/v1/usage?by=key,tag" + d.days(90),
		"/admin/v1/latency?by=target,hour" + d.days(31), "/admin/v1/requests?min_took=10h" + d.days(90), "/admin/v1/usage?by=key,day" + d.days(30),
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: n}, Timeout: time.Minute}
	first, counts, sums := make(chan struct{}), make(chan map[string]int, 1), map[string]int{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for tab := range n {
		all.Go(func() {
			random := rand.New(rand.NewPCG(5, uint64(tab)))
			load.Pause(ctx, time.Duration(random.Int64N(int64(ramp))))
			for ctx.Err() == nil {
				status, err := d.discard(ctx, client, hostile[random.IntN(len(hostile))])
				if errors.Is(err, context.Canceled) {
					return
				}
				mu.Lock()
				if len(sums) == 0 {
					close(first)
				}
				sums[fmt.Sprint(status)]++
				mu.Unlock()
				if status != http.StatusOK && !load.Pause(ctx, time.Second+time.Duration(random.Int64N(int64(time.Second)))) {
					return
				}
			}
		})
	}
	go func() {
		all.Wait()
		client.CloseIdleConnections()
		counts <- sums
	}()
	return first, counts
}

// discard returns the status of an answer, whose body it reads and forgets.
func (d *desk) discard(ctx context.Context, client *http.Client, path string) (status int, err error) {
	resp, err := d.open(ctx, client, path)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, err
}
