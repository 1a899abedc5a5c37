package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/weirproxy/weir/internal/sim"
)

// A Weir of two is killed while a request with an Idempotency-Key runs. The other does not run it again, for its outcome is unknown, until the
// killed one is given up. Answers of the killed one are given out by the other all the while.
func TestClaimsOfAKilledReplica(t *testing.T) {
	up, server := simulate(t, `{"rules":[{"match":{"model":"stalls","times":1},"stall":"headers"}]}`)
	config := "store: " + postgres.Database(t) + "\n" + strings.Replace(passAllTo(server.URL+"/v1"), "{name: made, ", "{name: made, idempotency: 1h, ", 1)
	start := func(folder string) *child {
		return startWith(t, folder, func(binary string) (string, error) { return binary, nil }, config)
	}
	folders := [...]string{t.TempDir(), t.TempDir()}
	lost := start(folders[0])
	if status, replayed := lost.onceStatus("answered", "m"); status != 200 || replayed != "" {
		t.Fatal(status, replayed)
	}
	replicas := func(args ...string) string {
		did := runIn(t, folders[1], environment(folders[1], "WEIR_CONFIG", filepath.Join(folders[1], "weir.yaml")), "", append([]string{"replicas"}, args...)...)
		if did.code != 0 {
			t.Fatalf("%+v", did)
		}
		return did.stdout
	}
	writeTest(t, filepath.Join(folders[1], "weir.yaml"), config)
	var alone []replicaLine
	if err := json.Unmarshal([]byte(replicas("list", "--format", "json")), &alone); err != nil || len(alone) != 1 || alone[0].Version == "" {
		t.Fatal(alone, err)
	}
	other := start(folders[1])
	broken := make(chan struct{})
	go func() {
		defer close(broken)
		if resp, err := lost.once("amid", "stalls"); err == nil {
			_ = resp.Body.Close()
		}
	}()
	if err := up.Wait(t.Context(), func([]sim.Served) bool { return up.Active() > 0 }); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(lost.pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	lost.end()
	<-broken
	want := func(id, model string, status int, replayed string) {
		t.Helper()
		if got, was := other.onceStatus(id, model); got != status || was != replayed {
			t.Errorf("%s: %d, replayed %q", id, got, was)
		}
	}
	want("answered", "m", 200, "true")
	want("amid", "stalls", 409, "")
	replicas("forget", alone[0].ID, "--force")
	want("amid", "stalls", 200, "")
	want("amid", "stalls", 200, "true")
	want("answered", "m", 200, "true")
}
