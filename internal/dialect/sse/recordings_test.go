package sse_test

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"testing"

	"github.com/weirproxy/weir/internal/dialect/sse"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
)

// pieces gives its source in the given pieces.
type pieces [][]byte

func (p *pieces) Read(b []byte) (int, error) {
	for len(*p) > 0 && len((*p)[0]) == 0 {
		*p = (*p)[1:]
	}
	if len(*p) == 0 {
		return 0, io.EOF
	}
	n := copy(b, (*p)[0])
	(*p)[0] = (*p)[0][n:]
	return n, nil
}

// read appends to dst every event that the reader returns from src: its type and data, each after its length.
func read(t *testing.T, r *sse.Reader, dst []byte, src io.Reader) []byte {
	t.Helper()
	r.Reset(src)
	for {
		e, err := r.Next()
		if err == io.EOF {
			return dst
		}
		if err != nil {
			t.Fatal(err)
		}
		dst = append(strconv.AppendInt(dst, int64(len(e.Type)), 10), e.Type...)
		dst = append(strconv.AppendInt(dst, int64(len(e.Data)), 10), e.Data...)
	}
}

// inTwo reads a stream in two parts, cut at each step-th byte, and wants the same events.
func inTwo(t *testing.T, reader *sse.Reader, whole []byte, step int) {
	t.Helper()
	want := read(t, reader, nil, bytes.NewReader(whole))
	var got []byte
	for at := 1; at < len(whole); at += step {
		if got = read(t, reader, got[:0], &pieces{whole[:at], whole[at:]}); !bytes.Equal(got, want) {
			t.Fatalf("split before byte %d of %q:\n%s\nnot\n%s", at, whole, got, want)
		}
	}
}

// Every recorded stream gives the same events however it arrives: split in two at every byte, and in small pieces. Each
// event is split alone, and the whole stream too if it is not too long.
func TestRecordedStreamsSplit(t *testing.T) {
	t.Parallel()
	recorded.Streams(t, func(t *testing.T, _ llm.Endpoint, r recorded.Interaction) {
		t.Parallel()
		body := r.Response.Body.Bytes()
		reader := sse.NewReader(nil, 1<<24)
		for _, event := range bytes.SplitAfter(body, []byte("\n\n")) {
			inTwo(t, reader, event, 1)
		}
		const work = 1 << 20 // bytes that are read again for the whole; TestLongRecordedStreamsSplit reads all
		inTwo(t, reader, body, 1+len(body)*len(body)/work)
		var got []byte
		want := read(t, reader, nil, bytes.NewReader(body))
		for _, size := range []int{1, 2, 3, 7, 64} {
			var small pieces
			for rest := body; len(rest) > 0; rest = rest[min(size, len(rest)):] {
				small = append(small, rest[:min(size, len(rest))])
			}
			if got = read(t, reader, got[:0], &small); !bytes.Equal(got, want) {
				t.Fatalf("in pieces of %d bytes:\n%s\nnot\n%s", size, got, want)
			}
		}
	})
}

// However long the stream is, it may be split in two at every byte. Code that uses the reader sees events, and nothing of how
// they arrived.
func TestLongRecordedStreamsSplit(t *testing.T) {
	t.Parallel()
	if os.Getenv("WEIR_LONG") == "" {
		t.Skip("it reads 17 GB: set WEIR_LONG=1, as make long does")
	}
	recorded.Streams(t, func(t *testing.T, _ llm.Endpoint, r recorded.Interaction) {
		t.Parallel()
		inTwo(t, sse.NewReader(nil, 1<<24), r.Response.Body.Bytes(), 1)
	})
}
