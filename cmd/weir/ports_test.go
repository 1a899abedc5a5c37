package main

import (
	"net"
	"path/filepath"
	"strings"
	"testing"
)

// The error of a port that is taken names the setting of that listener, not of another.
func TestATakenPortNamesItsSetting(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	addr := taken.Addr().String()
	for variable, want := range map[string]string{
		"WEIR_LISTEN": "Choose another address with listen: in the config, --listen or WEIR_LISTEN", "WEIR_ADMIN_LISTEN": "Choose another address with admin: {listen: …} in the config, or WEIR_ADMIN_LISTEN",
	} {
		folder := t.TempDir()
		did := runIn(t, folder, environment(folder, variable, addr), "", "serve")
		if did.code != 1 || !strings.Contains(did.stderr, "cannot listen on "+addr) || !strings.Contains(did.stderr, want) {
			t.Errorf("%s: %+v", variable, did)
		}
	}
	folder := t.TempDir()
	writeTest(t, filepath.Join(folder, "weir.yaml"), "empty: true\nmetrics: {listen: \""+addr+"\"}\n")
	did := runIn(t, folder, environment(folder), "", "serve")
	if did.code != 1 || !strings.Contains(did.stderr, "Choose another address with metrics: {listen: …} in the config") {
		t.Errorf("metrics: %+v", did)
	}
}
