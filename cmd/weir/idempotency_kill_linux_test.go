package main

import (
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/weirproxy/weir/internal/sim"
)

// once is a request with an Idempotency-Key.
func (c *child) once(id, model string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.url+"/v1/chat/completions", strings.NewReader(`{"model":"`+model+`","messages":[{"role":"user","content":"hi"}]}`))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+madeUp)
	req.Header.Set("Idempotency-Key", id)
	return quiet.Do(req)
}

// onceStatus is the status of such a request, and whether it got a kept answer.
func (c *child) onceStatus(id, model string) (status int, replayed string) {
	c.t.Helper()
	resp, err := c.once(id, model)
	if err != nil {
		c.t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp.StatusCode, resp.Header.Get("Idempotent-Replayed")
}

// The program is killed while one request runs, and after another was answered. The answer is kept, and the claim of the first is free.
func TestKilledAmidAnIdempotentRequest(t *testing.T) {
	t.Parallel()
	up, server := simulate(t, `{"rules":[{"match":{"model":"stalls","times":1},"stall":"headers"}]}`)
	folder := t.TempDir()
	again := func() *child {
		plain := strings.Replace(passAllTo(server.URL+"/v1"), "{name: made, ", "{name: made, idempotency: 1h, ", 1)
		return startWith(t, folder, func(binary string) (string, error) { return binary, nil }, plain)
	}
	first := again()
	if status, replayed := first.onceStatus("answered", "m"); status != 200 || replayed != "" {
		t.Fatal(status, replayed)
	}
	broken := make(chan error, 1)
	go func() {
		resp, err := first.once("amid", "stalls")
		if err == nil {
			_ = resp.Body.Close()
		}
		broken <- err
	}()
	if err := up.Wait(t.Context(), func([]sim.Served) bool { return up.Active() > 0 }); err != nil {
		t.Fatal(err)
	}
	if status, _ := first.onceStatus("amid", "stalls"); status != 409 {
		t.Errorf("amid: %d", status)
	}
	if err := syscall.Kill(first.pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	first.end()
	if err := <-broken; err == nil {
		t.Error("the killed request was answered")
	}
	second := again()
	for _, want := range []struct {
		id, model, replayed string
	}{{"answered", "m", "true"}, {"amid", "stalls", ""}, {"amid", "stalls", "true"}} {
		if status, replayed := second.onceStatus(want.id, want.model); status != 200 || replayed != want.replayed {
			t.Errorf("%+v: %d, %q", want, status, replayed)
		}
	}
}
