package source_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"
)

// asVictim is the variable by which this test starts itself as the process that is killed.
const asVictim = "WEIR_TEST_VICTIM"

// A program does not outlive a Weir that is killed while it runs.
func TestProgramsOfAKilledWeir(t *testing.T) {
	if os.Getenv(asVictim) != "" {
		b := newBench(t)
		b.read(t, "exec:sh -c 'echo began >&3; exec sleep 300'") // until this process is killed
		return
	}
	t.Parallel()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	victim := exec.Command(os.Args[0], "-test.run=^TestProgramsOfAKilledWeir$")
	victim.Env = append(os.Environ(), asVictim+"=1")
	victim.ExtraFiles = []*os.File{writer} // which the program has, too
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	if err := reader.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	written := bufio.NewReader(reader)
	line, err := written.ReadString('\n')
	if killed := victim.Process.Kill(); killed != nil || err != nil || line != "began\n" {
		t.Fatal(killed, err, line)
	}
	_ = victim.Wait() // it was killed
	if rest, err := io.ReadAll(written); err != nil || len(rest) > 0 {
		t.Errorf("the program goes on: %v %q", err, rest)
	}
}
