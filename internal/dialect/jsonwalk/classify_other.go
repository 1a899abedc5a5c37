//go:build !amd64

package jsonwalk

// classify says what the bytes of a block are.
func classify(block *[blockSize]byte) masks { return classifyWords(block) }
