package pgtest

import (
	"net"
	"net/url"
	"sync"
	"testing"
	"time"
)

// Proxy is the network between a program and its database, which a test can spoil. It ends with the test.
type Proxy struct {
	listener net.Listener
	server   string
	running  sync.WaitGroup

	mu    sync.Mutex // guards what follows
	conns map[net.Conn]struct{}
	cut   bool          // no connection is made
	lost  bool          // what the database says does not arrive
	late  time.Duration // what the database says arrives so much later
	ended bool
}

// Behind returns a proxy in front of a database, and the URL of the database by way of it.
func Behind(t testing.TB, database string) (*Proxy, string) {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{listener: l, server: u.Host, conns: map[net.Conn]struct{}{}}
	p.running.Go(p.serve)
	t.Cleanup(func() {
		p.set(func() { p.ended = true; p.closeAll() })
		_ = l.Close()
		p.running.Wait()
	})
	u.Host = l.Addr().String()
	return p, u.String()
}

// Cut ends all connections, and has none made.
func (p *Proxy) Cut() { p.set(func() { p.cut = true; p.closeAll() }) }

// Lose has what the database says get lost. What is sent to it arrives.
func (p *Proxy) Lose() { p.set(func() { p.lost = true }) }

// Delay has what the database says arrive so much later.
func (p *Proxy) Delay(d time.Duration) { p.set(func() { p.late = d }) }

// Heal makes the network as it should be. Connections of which something was lost end.
func (p *Proxy) Heal() {
	p.set(func() {
		if p.lost {
			p.closeAll()
		}
		p.cut, p.lost, p.late = false, false, 0
	})
}

func (p *Proxy) set(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
}

// closeAll ends all connections. The lock is held.
func (p *Proxy) closeAll() {
	for c := range p.conns {
		_ = c.Close()
	}
	clear(p.conns)
}

// holds has a connection be ended with the others, and reports false if there is to be none.
func (p *Proxy) holds(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cut || p.ended {
		_ = c.Close()
		return false
	}
	p.conns[c] = struct{}{}
	return true
}

func (p *Proxy) serve() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		if !p.holds(client) {
			continue
		}
		database, err := net.Dial("tcp", p.server)
		if err != nil || !p.holds(database) {
			_ = client.Close()
			continue
		}
		p.running.Go(func() { p.pass(client, database, false) })
		p.running.Go(func() { p.pass(database, client, true) })
	}
}

// pass carries bytes one way, until either side ends.
func (p *Proxy) pass(from, to net.Conn, answers bool) {
	defer func() { _, _ = from.Close(), to.Close() }()
	b := make([]byte, 64<<10)
	for {
		n, err := from.Read(b)
		if n > 0 && !p.arrives(answers) {
			n = 0
		}
		if n > 0 {
			if _, err := to.Write(b[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// arrives waits for as long as bytes are on their way, and reports false for those that get lost.
func (p *Proxy) arrives(answers bool) bool {
	p.mu.Lock()
	lost, late := p.lost, p.late
	p.mu.Unlock()
	if !answers {
		return true
	}
	<-time.After(late)
	return !lost
}
