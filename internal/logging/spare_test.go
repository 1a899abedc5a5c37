package logging

import (
	"runtime"
	"testing"
)

// held is a writer that shows each line, and returns only when a line may be given back.
type held struct{ lines, back chan []byte }

func (h held) Write(p []byte) (int, error) {
	h.lines <- p
	<-h.back
	return len(p), nil
}

// TestLinesAreNotOverwrittenWhileTheyAreWritten: a buffer that was handed over for further lines is not written from as well.
func TestLinesAreNotOverwrittenWhileTheyAreWritten(t *testing.T) {
	t.Parallel()
	h := held{make(chan []byte), make(chan []byte)}
	s := newSink(h, func(uint64) []byte { return nil })
	line := func(text string) {
		if _, err := s.Write([]byte(text)); err != nil {
			t.Error(err)
		}
	}
	line("first\n")
	<-h.lines
	h.back <- nil
	for rests := false; !rests; runtime.Gosched() { // until the first buffer was handed over, with nothing waiting
		s.mu.Lock()
		rests = cap(s.waiting) > 0 && len(s.waiting) == 0
		s.mu.Unlock()
	}
	line("second\n")
	got := <-h.lines
	line("other!\n")
	if string(got) != "second\n" {
		t.Errorf("what is being written became %q", got)
	}
	h.back <- nil
	<-h.lines
	h.back <- nil
}
