package deploy

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestUnits verifies the units with the program that they start in place, and holds the service to a mark for how much the process may do: 10 is
// everything.
func TestUnits(t *testing.T) {
	t.Parallel()
	analyze := tool(t, "systemd-analyze")
	text := strings.Replace(read(t, "systemd/weir.service"), "ExecStart=/usr/local/bin/weir", "ExecStart="+weir(t), 1)
	unit := write(t, "weir.service", text)
	socket := filepath.Join(filepath.Dir(unit), "weir.socket")
	if err := os.WriteFile(socket, []byte(read(t, "systemd/weir.socket")), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{unit, socket} {
		if out := run(t, analyze, "verify", "--man=no", file); out != "" {
			t.Error(out)
		}
	}
	run(t, analyze, "security", "--offline=true", "--threshold=15", "--no-pager", unit)
	for file, setting := range map[string]string{unit: "LimitNOFILE", socket: "Backlog"} {
		wrong := write(t, filepath.Base(file), strings.Replace(read(t, file), setting+"=", setting+"S=", 1))
		if out, _ := exec.CommandContext(t.Context(), analyze, "verify", "--man=no", wrong).CombinedOutput(); !strings.Contains(string(out), setting+"S") {
			t.Errorf("a misspelt setting is not seen: %s", out)
		}
	}
}

// TestSocketIsTaken: Weir takes the socket as systemd passes it, with the address that the unit has. Only the port differs.
func TestSocketIsTaken(t *testing.T) {
	t.Parallel()
	activate := tool(t, "systemd-socket-activate")
	const address = "127.0.0.1:8930"
	if !strings.Contains(read(t, "systemd/weir.socket"), "\nListenStream="+address+"\n") {
		t.Fatalf("weir.socket does not listen on %s", address)
	}
	at := free(t)
	cmd := exec.Command(activate, "--listen="+at, "-E", "WEIR_DATA", "-E", "WEIR_ADMIN_LISTEN", "-E", "WEIR_CONFIG", weir(t), "serve")
	config := write(t, "weir.yaml", "listen: "+address+"\nproviders: {sim: {kind: sim}}\nmodels: {m: {targets: [sim/m]}}\n")
	cmd.Env = []string{"WEIR_DATA=" + t.TempDir(), "WEIR_ADMIN_LISTEN=127.0.0.1:0", "WEIR_CONFIG=" + config}
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGINT)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the end: %v %s", err, said.String())
		}
	})
	eventually(t, "systemd-socket-activate listens", func() bool { // the first connection starts Weir
		resp, err := http.Get("http://" + at + "/healthz") //nolint:noctx // it is this machine that is asked
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	})
}
