package main

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestWhatIsNotBuiltIsRefused holds the page that lists it against the program: commands, fields of the config, paths and headers. What was
// built meanwhile fails here, and its row goes.
func TestWhatIsNotBuiltIsRefused(t *testing.T) {
	page, err := os.ReadFile("../../docs/how-it-works/conformance/decided-otherwise.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(page), "\n## Not built\n")
	rows := regexp.MustCompile(`(?m)^\| [^|]+ \| (`+"`.*`"+`) \|$`).FindAllStringSubmatch(section, -1)
	if !found || len(rows) == 0 {
		t.Fatal("the page has no such section")
	}
	config, _ := drained(t, "{delay: 0s, timeout: 1s}")
	s := start(t, environment(t.TempDir()), "--config", config).ready()
	folder := t.TempDir()
	method, header, field := regexp.MustCompile(`^(GET|POST) (/\S+)$`), regexp.MustCompile(`^([A-Z][\w-]+): (.+)$`), regexp.MustCompile(`^[a-z_]+: `)
	for _, row := range rows {
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			name := m[1]
			switch {
			case strings.HasPrefix(name, "weir "):
				did := runIn(t, folder, nil, "", strings.Fields(name)[1:]...)
				if did.code != 2 || !strings.HasPrefix(did.stderr, "weir: unknown flag ") && !strings.HasPrefix(did.stderr, "weir: unexpected argument ") {
					t.Errorf("%s: %+v", name, did)
				}
			case method.MatchString(name):
				parts := method.FindStringSubmatch(name)
				if resp := s.call(parts[1], parts[2], madeUp, "{}"); resp.StatusCode != http.StatusNotFound {
					t.Errorf("%s: %d", name, resp.StatusCode)
				}
			case header.MatchString(name):
				parts := header.FindStringSubmatch(name)
				if status := s.callWith(parts[1], parts[2]); status != http.StatusBadRequest {
					t.Errorf("%s: %d", name, status)
				}
			case field.MatchString(name):
				path := filepath.Join(folder, "weir.yaml")
				writeTest(t, path, name+"\n")
				if did := runIn(t, folder, nil, "", "check", path); did.code != 2 {
					t.Errorf("%s: %+v", name, did)
				}
			default:
				t.Errorf("%s is neither a command, a path, a header nor a field", name)
			}
		}
	}
}

// callWith is the status of a call with another header.
func (s *serving) callWith(name, value string) int {
	s.t.Helper()
	req, err := http.NewRequest(http.MethodPost, s.url+"/v1/chat/completions", strings.NewReader(strings.Replace(hello, "sim/", "", 1)))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+madeUp)
	req.Header.Set(name, value)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}
