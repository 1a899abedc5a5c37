package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

// dialers are the functions and types that open connections, by package.
var dialers = map[string][]string{
	"net": {
		"Dial", "DialTimeout", "DialTCP", "DialUDP", "DialIP", "DialUnix", "Dialer", "ListenPacket", "ListenUDP", "ListenIP", "FileConn",
	},
	"crypto/tls":        {"Dial", "DialWithDialer", "Dialer"},
	"net/http":          {"DefaultTransport", "DefaultClient", "Client", "Transport", "Get", "Head", "Post", "PostForm"},
	"net/http/httputil": {"ReverseProxy", "NewSingleHostReverseProxy", "NewClientConn", "NewProxyClientConn"},
	"net/rpc":           {"Dial", "DialHTTP", "DialHTTPPath"},
	"net/smtp":          {"Dial", "SendMail"},
	"syscall":           {"Connect", "Socket", "Sendto"},

	"github.com/weirproxy/weir/internal/dial": {"Metadata"}, // past the guard
}

// mayDial are the rooms that may use them, each for a reason.
var mayDial = map[string]struct {
	members []string
	why     string
}{
	"internal/dial":           {[]string{"net.Dialer"}, "it is the guard"},
	"internal/cloud":          {[]string{"net.Dialer", "net/http.Transport", "net/http.Client", "github.com/weirproxy/weir/internal/dial.Metadata"}, "it fetches credentials, by the guard but for the metadata services: TestTheTwoWaysOut there"},
	"internal/provider":       {[]string{"net.Dialer", "net/http.Transport", "crypto/tls.Dialer"}, "its transports dial by the guard: TestEveryConnectionIsGuarded there"},
	"internal/fetch":          {[]string{"net.Dialer", "net/http.Transport"}, "it is given the guard for addresses of callers, which the story fetched-images shows"},
	"internal/deliver":        {[]string{"net.Dialer", "net/http.Transport"}, "it is given the guard, for addresses of the config: TestNoDelivery in internal/alert"},
	"internal/store/postgres": {[]string{"net.Dialer"}, "it connects to the database that the config names, as its driver would"},
	"internal/admin":          {[]string{"net/http.Client", "net/http.DefaultClient"}, "commands call the Weir that their user names, and follow no redirect"},
	"internal/load":           {[]string{"net.Dialer"}, "it loads the address that its user names"},
	"cmd/weir":                {[]string{"net/http.Client", "net/http.Transport"}, "as for internal/admin; the health check calls the listen address of the config"},
}

// outgoing finds the uses of dialers in a file.
func outgoing(f *goFile) (members []string, places []token.Pos) {
	selectors(f, func(s *ast.SelectorExpr, pkg string) {
		if slices.Contains(dialers[pkg], s.Sel.Name) {
			members, places = append(members, pkg+"."+s.Sel.Name), append(places, s.Pos())
		}
	})
	return members, places
}

// TestOneWayOut: what is called must be checked at the moment of connecting, by internal/dial, so nothing else may
// open a connection.
func TestOneWayOut(t *testing.T) {
	t.Parallel()
	tr := load(t)
	used := map[string]bool{}
	rooms := map[string]bool{}
	for _, r := range tr.rooms {
		rooms[r.name] = true
		if r.support() || !anyMatches([]string{"internal/...", "cmd/..."}, r.name) { // not in the program
			continue
		}
		for _, f := range r.code() {
			members, places := outgoing(f)
			for i, m := range members {
				used[r.name+" "+m] = true
				if !slices.Contains(mayDial[r.name].members, m) {
					t.Errorf("%s: %s opens connections past the guard: use internal/dial, or give a reason in this test", tr.fset.Position(places[i]), m)
				}
			}
		}
	}
	for name, may := range mayDial {
		for _, m := range may.members {
			if rooms[name] && !used[name+" "+m] {
				t.Errorf("%s does not use %s any more: remove the exception", name, m)
			}
		}
	}
}

// TestOutgoingIsFound proves that the search finds what it looks for, under whatever name it is imported.
func TestOutgoingIsFound(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]int{
		`import "net"; func f() { net.Listen("tcp", ""); _ = net.ParseIP("") }`:                          0,
		`import "net"; func f() { net.Dial("tcp", "") }`:                                                 1,
		`import "net"; var d net.Dialer`:                                                                 1,
		`import web "net/http"; func f() { web.Get(""); web.DefaultClient.Do(nil); _ = web.StatusOK }`:   2,
		`import "net/http/httputil"; var p = &httputil.ReverseProxy{}`:                                   1,
		`import "crypto/tls"; func f() { tls.DialWithDialer(nil, "tcp", "", nil); _ = new(tls.Config) }`: 1,
		`type net struct{ Dial func() }`:                                                                 0,
	} {
		syntax, err := parser.ParseFile(token.NewFileSet(), "p.go", "package p\n"+code, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		f := &goFile{syntax: syntax}
		for _, spec := range syntax.Imports {
			f.imports = append(f.imports, spec.Path.Value[1:len(spec.Path.Value)-1])
		}
		if members, _ := outgoing(f); len(members) != want {
			t.Errorf("%s: found %v", code, members)
		}
	}
}
