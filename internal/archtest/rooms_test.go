package archtest

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// bans say which rooms may not import which. Tests are free to. A room that no longer exists fails the test, so that
// the table stays true.
var bans = []struct {
	rooms  []string // bound by the rule
	but    []string // among these, not bound
	not    []string // must not be imported
	except []string // among these, allowed
	why    string
}{
	{
		rooms: []string{"internal/llm", "internal/secret", "internal/trace", "internal/version"}, not: []string{"internal/..."},
		why: "every room imports the nouns, so they can import none",
	},
	{
		rooms: []string{"internal/money"}, not: []string{"internal/..."}, except: []string{"internal/llm"},
		why: "a cost is arithmetic on a usage and a price",
	},
	{
		rooms: []string{"internal/capability"}, not: []string{"internal/..."}, except: []string{"internal/money"},
		why: "what is known of the vendors' models is data: looking it up needs no other room",
	},
	{
		rooms: []string{"internal/catalog"}, not: []string{"internal/..."}, except: []string{"internal/llm", "internal/config", "internal/capability", "internal/dialect"},
		why: "what is known of the vendors is data: it calls nobody",
	},
	{
		rooms: []string{"internal/dial"}, not: []string{"internal/..."},
		why: "every room that opens connections uses it, so it imports none",
	},
	{
		rooms: []string{"internal/cloud"}, not: []string{"internal/..."}, except: []string{"internal/dial", "internal/secret"},
		why: "it reaches what no other room may, so it imports none that could make it do so",
	},
	{
		rooms: []string{"internal/config"}, not: []string{"internal/..."}, except: []string{"internal/secret", "internal/budget"},
		why: "the config file is read without knowing vendors or machinery; the app hands in the kinds. How a budget is written has one parser",
	},
	{
		rooms: []string{"internal/source"}, not: []string{"internal/..."}, except: []string{"internal/config", "internal/deliver", "internal/dial", "internal/secret"},
		why: "secrets are read without knowing what they are for",
	},
	{
		rooms: []string{"internal/dialect/..."}, not: []string{"internal/..."}, except: []string{"internal/llm", "internal/dialect/..."},
		why: "codecs are pure, so that gateway, provider and simulated provider can share them",
	},
	{
		rooms: []string{"internal/..."}, but: []string{"internal/dialect/...", "internal/sim", "internal/dialecttest", "internal/recorded", "internal/shape"},
		not: []string{"internal/dialect/anthropic", "internal/dialect/cohere", "internal/dialect/converse", "internal/dialect/gemini", "internal/dialect/openai/...", "internal/dialect/responses"},
		why: "a dialect is a row of dialect/table: rooms that name one have to be changed for each that comes",
	},
	{
		rooms: []string{"internal/otlp"}, not: []string{"internal/..."}, except: []string{"internal/trace"},
		why: "a protocol is written without knowing what it says",
	},
	{
		rooms: []string{"internal/deliver"}, not: []string{"internal/..."},
		why: "what is posted, and by which dialer, is its callers' affair",
	},
	{
		rooms: []string{"internal/limit"}, not: []string{"internal/..."},
		why: "places are counted without knowing what takes them",
	},
	{
		rooms: []string{"internal/budget"}, not: []string{"internal/..."}, except: []string{"internal/llm", "internal/money", "internal/usual"},
		why: "what may be spent is arithmetic on usage and prices; who spends it is joined in gateway/serve.go",
	},
	{
		rooms: []string{"internal/escrow"}, not: []string{"internal/..."},
		why: "what replicas and their database say to each other is checked in all orders, alone",
	},
	{
		rooms: []string{"internal/replica"}, not: []string{"internal/..."}, except: []string{"internal/escrow"},
		why: "it carries statements, whatever is divided",
	},
	{
		rooms: []string{"internal/spend"}, not: []string{"internal/..."}, except: []string{"internal/budget", "internal/dialect/jsonwalk", "internal/ledger", "internal/llm", "internal/money", "internal/relay", "internal/route"},
		why: "it joins budgets with calls and with the ledger; of a request it reads the body that is sent, in no dialect's own types",
	},
	{
		rooms: []string{"internal/route"}, not: []string{"internal/..."}, except: []string{"internal/llm", "internal/limit", "internal/money", "internal/usual"},
		why: "routing is a pure function of a snapshot",
	},
	{
		rooms: []string{"internal/auth"}, not: []string{"internal/..."}, except: []string{"internal/llm", "internal/secret", "internal/budget"},
		why: "auth, route and their like do not know each other; they are joined in gateway/serve.go. A key has a budget.Policy, which is a value",
	},
	{
		rooms: []string{"internal/provider"}, not: []string{"internal/..."},
		except: []string{"internal/llm", "internal/secret", "internal/dialect/...", "internal/config", "internal/dial", "internal/h1", "internal/capability", "internal/catalog", "internal/cloud"},
		why:    "a provider makes one call; who is called, and when again, is decided elsewhere",
	},
	{
		rooms: []string{"internal/relay"}, not: []string{"internal/..."},
		except: []string{"internal/llm", "internal/money", "internal/limit", "internal/route", "internal/provider", "internal/fetch", "internal/secret", "internal/trace", "internal/dialect/..."},
		why:    "relaying knows neither callers nor storage",
	},
	{
		rooms: []string{"internal/sim"}, not: []string{"internal/..."}, except: []string{"internal/llm", "internal/secret", "internal/dialect/..."},
		why: "the simulated provider tests the gateway, so it must not share its code beyond the wire formats",
	},
	{
		rooms: []string{"internal/load"}, not: []string{"internal/..."}, except: []string{"internal/dialect/...", "internal/h1", "internal/secret"},
		why: "the load measures the gateway from outside, so it shares no code with it beyond the wire formats and the HTTP client",
	},
	{
		rooms: []string{"internal/...", "cmd/weir"}, but: []string{"internal/app", "internal/store/..."}, not: []string{"internal/store", "internal/store/sqlite", "internal/store/postgres", "internal/store/tables"},
		why: "only the app knows which store there is; rooms declare small interfaces",
	},
	{
		rooms: []string{"internal/..."}, but: []string{"internal/app/apptest"}, not: []string{"internal/app"},
		why: "the app builds the rooms, none of them reaches back",
	},
	{
		rooms: []string{"internal/admin", "internal/store/..."}, not: []string{"internal/gateway", "internal/relay", "internal/provider", "internal/route"},
		why: "managing keys and serving requests meet in the snapshot of keys only",
	},
	{
		rooms: []string{"internal/...", "cmd/weir"}, but: []string{"internal/app/apptest", "internal/shape", "internal/dialecttest"}, not: []string{"internal/transcript", "internal/archtest", "internal/recorded", "internal/dialecttest", "internal/shape", "internal/app/apptest", "internal/store/storetest", "internal/store/pgtest", "internal/escrow/escrowtest", "internal/escrow/simulate", "internal/dial/dnstest", "internal/cloud/sigv4test", "internal/source/vaulttest"},
		why: "test support is not shipped",
	},
}

func TestRoomsKeepApart(t *testing.T) {
	t.Parallel()
	tr := load(t)
	for _, ban := range bans {
		for _, pattern := range slices.Concat(ban.rooms, ban.but, ban.not, ban.except) {
			if !slices.ContainsFunc(tr.rooms, func(r *room) bool { return matches(pattern, r.name) }) {
				t.Errorf("the rule about %v names %s, which does not exist", ban.rooms, pattern)
			}
		}
		for _, r := range tr.rooms {
			if !anyMatches(ban.rooms, r.name) || anyMatches(ban.but, r.name) {
				continue
			}
			for _, imported := range r.imports() {
				name, own := ours(imported)
				if !own || !anyMatches(ban.not, name) || anyMatches(ban.except, name) {
					continue
				}
				t.Errorf("%s must not import %s: %s", r.name, name, ban.why)
			}
		}
	}
}

// pure are the rooms without I/O and without a clock: their decisions can be tested as values.
var pure = []string{"internal/llm", "internal/trace", "internal/otlp", "internal/genai", "internal/dialect/...", "internal/route", "internal/limit", "internal/budget", "internal/usual", "internal/capability"}

// impure is what they do not reach.
var impure = []string{"database/sql", "os", "os/exec", "os/signal", "net", "syscall", "log", "log/slog", "math/rand", "math/rand/v2", "crypto/rand"}

// clock are the functions of package time that read the clock or wait.
var clock = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick"}

func TestPureRooms(t *testing.T) {
	t.Parallel()
	tr := load(t)
	for _, r := range tr.rooms {
		if !anyMatches(pure, r.name) {
			continue
		}
		for _, imported := range r.imports() {
			if slices.Contains(impure, imported) {
				t.Errorf("%s imports %s, but is a room of pure functions", r.name, imported)
			}
		}
		for _, f := range r.code() {
			selectors(f, func(s *ast.SelectorExpr, pkg string) {
				switch {
				case pkg == "time" && slices.Contains(clock, s.Sel.Name):
					t.Errorf("%s: time.%s in a room of pure functions: the time is a parameter", tr.fset.Position(s.Pos()), s.Sel.Name)
				case pkg == "net/http" && !strings.HasPrefix(s.Sel.Name, "Status") && s.Sel.Name != "Header" && s.Sel.Name != "ParseTime":
					t.Errorf("%s: http.%s in a room of pure functions: of net/http only the names of statuses, and headers, may be used", tr.fset.Position(s.Pos()), s.Sel.Name)
				}
			})
		}
	}
}

// selectors calls f for each use of an imported package's member in the file, with the package's import path.
func selectors(f *goFile, visit func(s *ast.SelectorExpr, pkg string)) {
	names := map[string]string{}
	for i, spec := range f.syntax.Imports {
		name := f.imports[i][strings.LastIndex(f.imports[i], "/")+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = f.imports[i]
	}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && names[x.Name] != "" {
				visit(s, names[x.Name])
			}
		}
		return true
	})
}

// processOnly are members that belong to the process as a whole: a program that embeds the app decides about them.
var processOnly = map[string][]string{
	"os":        {"Exit", "Args", "Getenv", "LookupEnv", "Environ", "Setenv", "Stdin", "Stdout", "Stderr"},
	"os/signal": {"Notify", "NotifyContext", "Ignore"},
	"log":       {"Fatal", "Fatalf", "Print", "Printf", "Println"},
	"log/slog":  {"Default", "SetDefault", "Info", "Warn", "Error", "Debug"},
}

func TestProcessBelongsToCmd(t *testing.T) {
	t.Parallel()
	tr := load(t)
	for _, r := range tr.rooms {
		if r.name == "cmd/weir" || r.name == "bench" || r.support() { // bench is a program too
			continue
		}
		for _, f := range r.code() {
			selectors(f, func(s *ast.SelectorExpr, pkg string) {
				if slices.Contains(processOnly[pkg], s.Sel.Name) {
					t.Errorf("%s: %s.%s belongs to cmd/weir, so that the app can run inside a test", tr.fset.Position(s.Pos()), pkg, s.Sel.Name)
				}
			})
		}
	}
}

// owners are the third-party modules: each is used by one room, or by tests alone, so that it can be replaced.
var owners = map[string][]string{
	"github.com/alecthomas/kong":               {"cmd/weir"},
	"go.yaml.in/yaml/v4":                       {"internal/config", "internal/importer"},
	"github.com/invopop/jsonschema":            {"internal/config"},
	"modernc.org/sqlite":                       {"internal/store/sqlite"},
	"github.com/jackc/pgx/v5":                  {"internal/store/postgres"},
	"github.com/prometheus/client_golang":      {"internal/telemetry"},
	"github.com/klauspost/compress":            {"internal/gateway"},
	"github.com/aws/aws-sdk-go-v2":             {"internal/cloud"},
	"github.com/aws/smithy-go":                 {"internal/cloud"},
	"golang.org/x/oauth2":                      {"internal/cloud"},
	"golang.org/x/sys":                         {"internal/dialect/jsonwalk", "internal/h1", "internal/app", "cmd/weir"},
	"golang.org/x/term":                        {"cmd/weir"},
	"github.com/go-json-experiment/json":       nil,
	"github.com/google/go-cmp":                 nil,
	"github.com/santhosh-tekuri/jsonschema/v6": nil,
	"pgregory.net/rapid":                       nil,
	"go.uber.org/goleak":                       nil,
	"go.opentelemetry.io/proto/slim/otlp":      nil,
	"google.golang.org/protobuf":               nil,
}

// testOwners may use a module in their tests although another room owns it.
var testOwners = map[string]string{
	"deploy -> go.yaml.in/yaml/v4":                            "its tests read manifests and configs",
	"internal/transcript -> github.com/klauspost/compress":    "stories compress bodies",
	"internal/store/pgtest -> github.com/jackc/pgx/v5":        "it makes databases for tests",
	"internal/app -> github.com/klauspost/compress":           "its tests compress bodies",
	"internal/relay -> github.com/klauspost/compress":         "its tests compress bodies",
	"internal/app -> github.com/prometheus/client_golang":     "its tests read the metrics",
	"internal/gateway -> github.com/prometheus/client_golang": "its tests read the metrics",
}

func TestModulesHaveOneOwner(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for _, r := range load(t).rooms {
		for _, f := range r.files {
			for _, imported := range f.imports {
				if _, own := ours(imported); own || standard(imported) {
					continue
				}
				owner := moduleOf(imported)
				used[owner] = true
				rooms, known := owners[owner]
				switch {
				case !known:
					t.Errorf("%s imports %s: a new dependency needs a row in this test and in ARCHITECTURE.md, with its reason", f.name, imported)
				case (f.test || r.support()) && (rooms == nil || testOwners[r.name+" -> "+owner] != ""):
				case !slices.Contains(rooms, r.name):
					t.Errorf("%s imports %s, which belongs to %v (none: tests only)", f.name, imported, rooms)
				}
			}
		}
	}
	for owner := range owners {
		if !used[owner] {
			t.Errorf("nothing imports %s any more: remove it from go.mod, from this test and from ARCHITECTURE.md", owner)
		}
	}
}

// moduleOf is the longest known module that the import path lies in, else the path itself.
func moduleOf(imported string) string {
	best := ""
	for m := range owners {
		if len(m) > len(best) && (imported == m || strings.HasPrefix(imported, m+"/")) {
			best = m
		}
	}
	if best == "" {
		return imported
	}
	return best
}
