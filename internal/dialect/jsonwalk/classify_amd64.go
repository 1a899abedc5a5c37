package jsonwalk

import "golang.org/x/sys/cpu"

// classify says what the bytes of a block are. The assembly reads 32 bytes at a time; TestClassify holds it against the
// portable one.
func classify(block *[blockSize]byte) (m masks) {
	if cpu.X86.HasAVX2 {
		m.quote, m.slash, m.odd, m.simple = classifyAVX2(block)
		return m
	}
	return classifyWords(block)
}

//go:noescape
func classifyAVX2(block *[blockSize]byte) (quote, slash, odd, simple uint64)
