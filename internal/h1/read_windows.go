package h1

// reads says that a socket can be asked for what is there without waiting. On Windows, Go's sockets cannot.
const reads = false

// fill is never called.
func (c *conn) fill(uintptr) bool { return false }
