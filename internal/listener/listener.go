// Package listener accepts the public connections within bounds. It bounds their number, the number for one address, the memory of
// their headers, and what it reads of refused bodies.
package listener

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// Listener accepts the public connections, at most a number of them at once. When all are in use, it closes the one that has
// been longest without a request, if that is longer than a client needs to send one. So a flood of connections that never
// finish a request cannot keep the others out. When all have requests running, further ones wait.
//
// Waiting connections are accepted in order of arrival, so one client with many could make all others wait. One address
// therefore holds at most half of the connections, and what it opens beyond that is closed at once. For IPv6 the first 64 bits
// count, because a host owns the rest. Loopback, private and link-local addresses may hold any number, because one of them may
// be a proxy for many clients.
//
// The header of a request takes many times its length once it is parsed, and its sender is not known yet. What has arrived of
// headers that are not yet whole is therefore bounded over all connections. When the bound is reached, a client that sends more
// of a large header gets 503 and is closed. A header that comes in one piece is always accepted.
type Listener struct {
	net.Listener
	most    int
	headers int64         // bytes of unfinished headers, beyond FreeHeader each
	sparse  time.Duration // how long a connection may be without a request before it can be closed
	arrived atomic.Int64  // bytes of headers

	discards discards
	refused  refused
	refusal  func() *http.Response // the answer to a header without room

	mu     sync.Mutex // guards all below
	room   *sync.Cond // a connection was closed or became free, or the listener was closed
	open   int
	held   map[netip.Prefix]int // open connections by source; the zero prefix is not counted
	free   line                 // connections without a running request, the longest first
	closed bool
}

// requestGrace is what a client on a slow line gets to send the header of its request.
const requestGrace = 3 * time.Second

// New wraps inner, which it closes when it is closed itself. It holds most connections, and about that many bytes
// of headers. refusal makes the answer to a header that does not fit.
func New(inner net.Listener, most int, headers int64, refusal func() *http.Response) *Listener {
	l := &Listener{Listener: inner, most: most, headers: headers, refusal: refusal, sparse: requestGrace, held: map[netip.Prefix]int{}}
	l.discards.most = min(discardAtOnce, max(most/4, 1))
	l.refused.wake = make(chan struct{}, 1)
	l.room = sync.NewCond(&l.mu)
	return l
}

// Accept implements net.Listener.
func (l *Listener) Accept() (net.Conn, error) {
	inner, from, err := l.acceptFair()
	if err != nil {
		return nil, err
	}
	victim, err := l.reserve(from)
	if victim != nil {
		_ = victim.Conn.Close() // it is being thrown out
		l.refused.add(Idle, victim.RemoteAddr())
	}
	if err != nil {
		return nil, errors.Join(err, inner.Close())
	}
	c := &conn{Conn: inner, listener: l, from: from}
	l.mu.Lock()
	c.rest()
	l.mu.Unlock()
	return c, nil
}

// acceptFair accepts the next connection of a source that does not hold its share already, and closes those
// before it.
func (l *Listener) acceptFair() (net.Conn, netip.Prefix, error) {
	for {
		inner, err := l.Listener.Accept()
		if err != nil {
			return nil, netip.Prefix{}, err
		}
		from := source(inner.RemoteAddr())
		l.mu.Lock()
		fair := !from.IsValid() || l.held[from] < max(l.most/2, 1)
		l.mu.Unlock()
		if fair {
			return inner, from, nil
		}
		_ = inner.Close() // nothing was read or written yet
		l.refused.add(Address, inner.RemoteAddr())
	}
}

// source is the address prefix of a connection, or the zero Prefix if it may serve many clients.
func source(remote net.Addr) netip.Prefix {
	tcp, ok := remote.(*net.TCPAddr)
	if !ok {
		return netip.Prefix{}
	}
	addr := tcp.AddrPort().Addr().Unmap().WithZone("")
	if !addr.IsValid() || addr.IsLoopback() || addr.IsPrivate() || addr.IsLinkLocalUnicast() {
		return netip.Prefix{}
	}
	bits := 32
	if addr.Is6() {
		bits = 64
	}
	return netip.PrefixFrom(addr, bits).Masked()
}

// reserve takes a place for one more connection. If needed it returns a victim, whose place the new connection
// gets.
func (l *Listener) reserve(from netip.Prefix) (victim *conn, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.open >= l.most && victim == nil && !l.closed {
		if victim = l.evict(); victim == nil {
			l.room.Wait()
		}
	}
	if l.closed {
		return victim, net.ErrClosed
	}
	l.open++
	if from.IsValid() {
		l.held[from]++
	}
	return victim, nil
}

// evict counts out the connection longest without a request and returns it for closing. If none has been so
// for long enough it returns nil, and wakes the waiting when the first will have been. The lock is held.
func (l *Listener) evict() *conn {
	victim := l.free.first
	if victim == nil {
		return nil
	}
	if wait := l.sparse - time.Since(victim.since); wait > 0 {
		time.AfterFunc(wait, l.room.Broadcast)
		return nil
	}
	victim.countOut()
	return victim
}

// Close implements net.Listener.
func (l *Listener) Close() error {
	l.mu.Lock()
	l.closed = true
	l.room.Broadcast()
	l.mu.Unlock()
	l.discards.close(time.Now())
	return l.Listener.Close()
}

// conn is one public connection.
type conn struct {
	net.Conn
	listener *Listener
	from     netip.Prefix // what counts it among the listener's held
	last     atomic.Bool  // no further request is read
	parting  atomic.Bool  // one more is, if it comes within partingGrace
	early    atomic.Int64 // bytes read of a request that has not begun; inRequest while one runs
	crowded  atomic.Bool  // its header found no room in memory; ConnState refuses it
	unserved atomic.Bool  // a header came that has not reached a handler
	ending   atomic.Int32 // how the last read ended

	// Guarded by listener.mu.
	waits         bool      // it is in listener.free, because no request runs
	before, after *conn     // its neighbours there
	since         time.Time // when it came there
	requests      int       // running; HTTP/2 has several
	gone          bool      // counted out
}

// inRequest is what conn.early is while a request runs.
const inRequest = -1

// How a read ended.
const (
	endedWell int32 = iota
	endedLate
	endedBroken // above all: the client hung up
)

// ended remembers how a read ended.
func (c *conn) ended(err error) {
	how := endedWell
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		how = endedLate
	case err != nil:
		how = endedBroken
	}
	if c.ending.Load() != how {
		c.ending.Store(how)
	}
}

// judge counts a header that reached no handler, unless the client hung up.
func (c *conn) judge() {
	switch how := c.ending.Load(); {
	case !c.unserved.Swap(false), how == endedBroken:
	case how == endedLate:
		c.listener.refused.add(Slow, c.RemoteAddr())
	default:
		c.listener.refused.add(Malformed, c.RemoteAddr())
	}
}

// Read implements net.Conn.
func (c *conn) Read(p []byte) (int, error) {
	if c.last.Load() {
		return 0, io.EOF
	}
	if c.early.Load() >= FreeHeader && c.listener.arrived.Load() > c.listener.headers {
		c.crowded.Store(true)
		return 0, errCrowded
	}
	n, err := c.Conn.Read(p)
	c.ended(err)
	for {
		early := c.early.Load()
		if early == inRequest {
			return n, err
		}
		if c.early.CompareAndSwap(early, early+int64(n)) {
			c.listener.count(early, early+int64(n))
			return n, err
		}
	}
}

// count notes that of the header on some connection so much has arrived, instead of so much before.
func (l *Listener) count(before, now int64) {
	if d := max(now-FreeHeader, 0) - max(before-FreeHeader, 0); d != 0 {
		l.arrived.Add(d)
	}
}

// SetReadDeadline implements net.Conn. net/http sets one before it waits for the next request, and another when that has
// begun to arrive.
func (c *conn) SetReadDeadline(t time.Time) error {
	if c.parting.Load() && c.early.Load() == 0 {
		if soon := time.Now().Add(partingGrace); t.IsZero() || t.After(soon) {
			t = soon
		}
	}
	return c.Conn.SetReadDeadline(t)
}

// CloseWrite ends only the sending. net/http asks for it after it refused a request without reading all of it, so
// that the refusal arrives.
func (c *conn) CloseWrite() error {
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if !ok {
		return errors.ErrUnsupported
	}
	return half.CloseWrite()
}

// Close implements net.Conn.
func (c *conn) Close() error {
	l := c.listener
	c.judge()
	l.mu.Lock()
	if !c.gone {
		c.countOut()
		l.room.Signal()
	}
	l.mu.Unlock()
	return c.Conn.Close()
}

// countOut gives up the connection's place. The listener's lock is held.
func (c *conn) countOut() {
	l := c.listener
	c.gone = true
	c.begun()
	c.leave()
	l.open--
	if !c.from.IsValid() {
		return
	}
	if l.held[c.from]--; l.held[c.from] == 0 {
		delete(l.held, c.from)
	}
}

// rest puts the connection among the free ones. The listener's lock is held.
func (c *conn) rest() {
	c.since = time.Now()
	c.waits = true
	c.listener.free.add(c)
}

// leave takes the connection out of the free ones. The listener's lock is held.
func (c *conn) leave() {
	if c.waits {
		c.listener.free.remove(c)
		c.waits = false
	}
}

// begin and end frame a request on the connection. begin returns how many bytes had arrived by then, since the request
// before.
func (c *conn) begin() int64 {
	c.unserved.Store(false)
	c.listener.mu.Lock()
	c.requests++
	c.leave()
	c.listener.mu.Unlock()
	return c.begun()
}

// begun ends the counting of a header.
func (c *conn) begun() int64 {
	early := max(c.early.Swap(inRequest), 0)
	c.listener.count(early, 0)
	return early
}

func (c *conn) end() {
	l := c.listener
	l.mu.Lock()
	if c.requests--; c.requests == 0 && !c.gone {
		c.early.Store(0)
		c.rest()
		l.room.Signal()
	}
	l.mu.Unlock()
}

type connKey struct{}

// Context is for http.Server.ConnContext: it lets a request find its connection.
func Context(ctx context.Context, c net.Conn) context.Context {
	if secure, ok := c.(*tls.Conn); ok {
		c = secure.NetConn()
	}
	if own, ok := c.(*conn); ok {
		return context.WithValue(ctx, connKey{}, own)
	}
	return ctx
}

// State is for http.Server.ConnState: it refuses a request whose header found no room. The server calls it after it failed to read
// the header and before the connection ends, when the TLS handshake is over. It also calls it between a header and its handler.
func State(c net.Conn, state http.ConnState) {
	plain := c
	if secure, ok := c.(*tls.Conn); ok {
		plain = secure.NetConn()
	}
	own, ok := plain.(*conn)
	switch {
	case !ok:
	case state == http.StateIdle:
		own.unserved.Store(false) // net/http answered without a handler: OPTIONS *
	case state == http.StateActive && own.crowded.Load():
		own.begun() // net/http has let go of what came
		own.listener.refused.add(Memory, own.RemoteAddr())
		refuse(c, own)
	case state == http.StateActive:
		own.unserved.Store(true)
	}
}

// FreeHeader is how large a header may be without being counted.
const FreeHeader = 4 << 10

// errCrowded ends the reading of a header that does not fit. It is an error of the connection, which net/http does not answer.
var errCrowded error = &net.OpError{Op: "read", Err: errors.New("memory has no room for the header")}

// After a header is refused unread, so much is read and discarded, so that the refusal arrives. A client that is still sending would
// otherwise get a reset.
const (
	discardHeader    = 256 << 10 // bytes
	discardHeaderFor = time.Second
)

// refuse answers a request whose header found no room. c is own, or the TLS connection over it.
func refuse(c net.Conn, own *conn) {
	refusal := own.listener.refusal()
	refusal.ProtoMajor, refusal.ProtoMinor, refusal.Close = 1, 1, true
	if c.SetDeadline(time.Now().Add(discardHeaderFor)) != nil || refusal.Write(c) != nil {
		return // the client is gone
	}
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite() // as above
	}
	_, _ = io.CopyBuffer(struct{ io.Writer }{io.Discard}, io.LimitReader(own.Conn, discardHeader), make([]byte, 1<<10)) // its own buffer is 32 KiB
}

// connOf is the connection of a request, nil if it did not come from a Listener.
func connOf(r *http.Request) *conn {
	c, _ := r.Context().Value(connKey{}).(*conn)
	return c
}

// Busy is a connection while a request runs on it.
type Busy struct {
	Arrived int64 // bytes that had arrived on it before the request began

	conn *conn // nil if the request did not come from a Listener
}

// Track marks the request's connection as busy until Done is called.
func Track(r *http.Request) Busy {
	c := connOf(r)
	if c == nil {
		return Busy{}
	}
	return Busy{Arrived: c.begin(), conn: c}
}

// Done ends the request. It is called once.
func (b Busy) Done() {
	if b.conn != nil {
		b.conn.end()
	}
}

// Tracked wraps what else is served on a Listener, so that a connection with a request running is not closed to make
// room for another.
func Tracked(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer Track(r).Done()
		next.ServeHTTP(w, r)
	})
}

// CloseAfter makes the answer to r the last on its connection, even if its headers are out already. HTTP/2 needs no
// such thing.
func CloseAfter(r *http.Request) {
	if c := connOf(r); c != nil && r.ProtoMajor == 1 {
		c.last.Store(true)
	}
}

// partingGrace is longer than the clients that try again wait before they do, and than Node's (4 s) and Python's (5 s) keep a connection that is not used. With
// 250 ms, up to two in three calls that Node made after 230 to 250 ms failed with UND_ERR_SOCKET, which official SDKs call a connection error.
const partingGrace = 10 * time.Second

// PartAfter is CloseAfter for a stream that ended with an error. Its headers did not say that the connection closes, so
// a client that calls again would see it close under its call. Such a call still gets an answer: see Parts.
func PartAfter(r *http.Request) {
	if c := connOf(r); c != nil && r.ProtoMajor == 1 {
		c.parting.Store(true)
	}
}

// Parts reports whether the answer to r is to be the last on its connection, because of PartAfter.
func Parts(r *http.Request) bool {
	c := connOf(r)
	return c != nil && c.parting.Load()
}
