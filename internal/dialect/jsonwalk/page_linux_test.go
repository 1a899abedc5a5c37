package jsonwalk

import (
	"math/rand/v2"
	"os"
	"syscall"
	"testing"
	"unicode/utf8"
)

// slowly reads the string at the start of data byte by byte. It returns where the string ends, or -1 and where it is wrong,
// and whether it holds a backslash.
func slowly(data []byte) (end, fault int, escape bool) {
	for i := 1; i < len(data); {
		n := 1
		switch c := data[i]; {
		case c == '"':
			return i + 1, 0, escape
		case c == '\\':
			escape, n = true, escapeLength(data[i:])
		case c < 0x20:
			n = 0
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(data[i:])
			if n = size; r == utf8.RuneError && size == 1 {
				n = 0
			}
		}
		if n == 0 {
			return -1, i, escape
		}
		i += n
	}
	return -1, len(data), escape
}

// TestNothingIsReadBeyond puts random strings right before, and right after, memory that cannot be read. What the scanner
// finds in them must agree with reading byte by byte.
func TestNothingIsReadBeyond(t *testing.T) {
	t.Parallel()
	page := os.Getpagesize()
	memory, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Munmap(memory) }()
	for _, outside := range [][]byte{memory[:page], memory[2*page:]} {
		if err := syscall.Mprotect(outside, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	inside := memory[page : 2*page : 2*page]
	random := rand.New(rand.NewPCG(1, 3)) //nolint:gosec // the same strings each time
	usual := []string{"a", "b", " ", "/", "0123456789abcdefghijklmnopqrstuvwxyz", `\n`, `\\`, `\"`, `\u00e9`, "é", "日", "🎉"}
	wrong := []string{`\`, `"`, `\x`, `\u12`, "\x01", "\\\x00", "\x80", "\xff", "\xf0\x9f"}
	for range 100 {
		for size := 1; size < 300; size++ {
			text := []byte{'"'}
			for len(text) < size {
				if random.IntN(40) == 0 {
					text = append(text, wrong[random.IntN(len(wrong))]...)
				}
				text = append(text, usual[random.IntN(len(usual))]...)
			}
			if text = text[:size]; random.IntN(2) == 0 {
				text = append(text, '"')
			}
			for _, place := range [][]byte{inside[:len(text):len(text)], inside[page-len(text):]} {
				copy(place, text)
				end, fault, escape := slowly(place)
				s := NewScanner(place, Options{})
				ok := s.value()
				if ok != (end >= 0) || ok && (s.pos != end || s.escape != escape) || !ok && s.err.Offset != fault {
					t.Fatalf("%q: %v, to %d, %v; want %d, %d", text, ok, s.pos, s.err, end, fault)
				}
			}
		}
	}
}
