package app

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/gateway"
	"github.com/weirproxy/weir/internal/listener"
	"github.com/weirproxy/weir/internal/memory"
)

const (
	headerTimeout = 10 * time.Second // for a request's header to arrive whole
	idleTimeout   = 3 * time.Minute  // for the next request on a connection
	maxHeader     = 128 << 10        // bytes of a request's header
	maxStreams    = 250              // concurrent requests on one HTTP/2 connection
)

// server is one listener with what serves it.
type server struct {
	http        *http.Server
	listener    net.Listener
	bounded     *listener.Listener // the same, nil without bounds
	certificate *certificate       // nil without TLS
	refuses     atomic.Bool        // no more connections are accepted
}

// certificate is a listener's, read again when its files change.
type certificate struct {
	files   config.TLS
	current atomic.Pointer[tls.Certificate]
}

// read reads the files. The certificate in use stays until use is called.
func (c *certificate) read() (use func(), err error) {
	pair, err := tls.LoadX509KeyPair(c.files.Cert, c.files.Key)
	if err != nil {
		return nil, fmt.Errorf("cannot use the TLS certificate %s with the key %s: %w", c.files.Cert, c.files.Key, err)
	}
	return func() { c.current.Store(&pair) }, nil
}

func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	return c.current.Load(), nil
}

// bounds are what callers may make a listener hold. Without connections nothing is bounded.
type bounds struct {
	connections int
	headers     int64 // bytes of requests that have not arrived whole
}

// boundsOf are the bounds of the public listener: what the config says, as far as the memory goes, and the files. Of every five
// files two are for callers and two for the upstreams that answer them. The last is for the rest, above all idle connections to
// upstreams.
func boundsOf(cfg *config.Config, share memory.Share, files int) bounds {
	b := bounds{connections: min(cfg.Limits.Connections, share.Connections), headers: share.Headers}
	if files > 0 {
		b.connections = min(b.connections, max(files*2/5, 1))
	}
	return b
}

// The settings of the listeners, for errors that say where another address is chosen.
const (
	publicSetting  = "listen: in the config, --listen or WEIR_LISTEN"
	adminSetting   = "admin: {listen: …} in the config, or WEIR_ADMIN_LISTEN"
	metricsSetting = "metrics: {listen: …} in the config"
)

// operators are the bounds of the admin listener: many more connections than browsers and commands have. Anyone who reaches it can open some, without a token, and
// what it holds is missing to callers. They are a sixteenth of the files.
func operators(files int) bounds {
	b := bounds{connections: 512, headers: 4 << 20}
	if files > 0 {
		b.connections = min(b.connections, max(files/16, 32))
	}
	return b
}

// scrapers are the bounds of the listener for metrics: few call there, and anyone may try.
func scrapers() bounds { return bounds{connections: 64, headers: 1 << 20} }

// listen opens a listener, whose address setting names. If the process was given a socket, which is not nil, it is that one.
func listen(cfg config.Listener, given net.Listener, setting string, handler http.Handler, most bounds, log *slog.Logger) (*server, error) {
	s, err := newServer(cfg, handler, log)
	if err != nil {
		return nil, err
	}
	if given != nil {
		s.listen(given, most)
		return s, nil
	}
	inner, err := net.Listen("tcp", cfg.Addr)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w; is another Weir running? Choose another address with %s", cfg.Addr, err, setting)
	}
	s.listen(inner, most)
	return s, nil
}

// newServer makes a server that has no listener yet.
func newServer(cfg config.Listener, handler http.Handler, log *slog.Logger) (*server, error) {
	s := &server{http: &http.Server{
		Handler: handler, ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		ConnContext: listener.Context, ConnState: listener.State,
		ErrorLog:  slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		HTTP2:     &http.HTTP2Config{MaxConcurrentStreams: maxStreams, SendPingTimeout: 30 * time.Second, WriteByteTimeout: 30 * time.Second},
		Protocols: new(http.Protocols),
	}}
	s.http.Protocols.SetHTTP1(true)
	if cfg.TLS != nil {
		s.certificate = &certificate{files: *cfg.TLS}
		use, err := s.certificate.read()
		if err != nil {
			return nil, err
		}
		use()
		s.http.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: s.certificate.get}
		s.http.Protocols.SetHTTP2(SafeHTTP2(runtime.Version()))
	}
	return s, nil
}

// warnHTTP2 says once if callers get no HTTP/2 though the config would have it: when Weir was built with that Go release.
func warnHTTP2(cfg *config.Config, release string, log *slog.Logger) {
	figures := cfg.Metrics.Listen != nil && cfg.Metrics.Listen.TLS != nil
	if (cfg.Listen.TLS != nil || cfg.Admin.Listen.TLS != nil || figures) && !SafeHTTP2(release) {
		log.Warn("HTTP/2 is off, because this Weir was built with a Go release whose HTTP/2 server can be crashed from outside; build it with Go 1.26.9 or later", "go", release)
	}
}

// listen makes the server serve what inner accepts, within the bounds.
func (s *server) listen(inner net.Listener, most bounds) {
	s.listener = inner
	if most.connections > 0 {
		s.bounded = listener.New(inner, most.connections, most.headers, gateway.HeaderRefusal)
		s.listener = s.bounded
	}
}

// refuse accepts no more connections. Requests on those that are open are served, until the server is shut down.
func (s *server) refuse() {
	s.refuses.Store(true)
	_ = s.listener.Close() // it may be closed already
}

// serve serves until the server is shut down or accepts no more connections.
func (s *server) serve() error {
	var err error
	if s.certificate != nil {
		err = s.http.ServeTLS(s.listener, "", "")
	} else {
		err = s.http.Serve(s.listener)
	}
	if errors.Is(err, http.ErrServerClosed) || s.refuses.Load() && errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// url is where the server is reached from this machine.
func (s *server) url() string {
	scheme := "http://"
	if s.certificate != nil {
		scheme = "https://"
	}
	address := s.listener.Addr().(*net.TCPAddr)
	if address.IP.IsUnspecified() {
		return scheme + net.JoinHostPort("127.0.0.1", strconv.Itoa(address.Port))
	}
	return scheme + address.String()
}

// SafeHTTP2 reports whether the HTTP/2 server of this Go release withstands hostile clients: before 1.26.9 one
// can end the process. A Weir built with an older release serves HTTP/1.1 only.
func SafeHTTP2(release string) bool {
	rest, ok := strings.CutPrefix(release, "go1.26")
	if !ok {
		return true // other series: 1.25 cannot build this, later ones have the fix
	}
	patch, err := strconv.Atoi(strings.TrimPrefix(rest, "."))
	return err == nil && patch >= 9
}
