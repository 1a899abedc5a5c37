package listener

// line is a list of connections in the order in which they came. Its links are in the connections, so that a request, with which one leaves
// and comes back, takes no memory for it.
type line struct{ first, last *conn }

// add puts a connection that is in no line at the end.
func (l *line) add(c *conn) {
	c.before, c.after = l.last, nil
	if l.last == nil {
		l.first = c
	} else {
		l.last.after = c
	}
	l.last = c
}

// remove takes out a connection that is in the line.
func (l *line) remove(c *conn) {
	if c.before == nil {
		l.first = c.after
	} else {
		c.before.after = c.after
	}
	if c.after == nil {
		l.last = c.before
	} else {
		c.after.before = c.before
	}
	c.before, c.after = nil, nil
}
