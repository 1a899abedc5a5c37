package archtest

import (
	"regexp"
	"strings"
	"testing"
)

// clientPages have a row for each client that was tried.
var clientPages = []string{"docs/reference/clients.md", "docs/reference/clients-of-other-apis.md"}

var (
	// triedWith is how a page for callers says which client's tests run the block of code below.
	triedWith = regexp.MustCompile("(?m)^<!-- run as (\\w+) ([^\\n]*?)(?:, which prints \"[^\"]+\")? -->\n```\\w+$")
	clientRow = regexp.MustCompile(`(?m)^\| (\w+/[\w.-]+)[ |]`)
	part      = regexp.MustCompile(`(?m)^## `)
)

// TestCallersPages: each client that was tried has its lines in docs/callers, and no other has any. Those tests run what is there.
func TestCallersPages(t *testing.T) {
	t.Parallel()
	shown := map[string]bool{"chat curl": true}
	files(t, func(name string) {
		if !strings.HasPrefix(name, "docs/callers/") {
			return
		}
		text := read(t, name)
		if blocks, tried := len(codeBlock.FindAllString(text, -1)), len(triedWith.FindAllString(text, -1)); blocks != tried {
			t.Errorf("%s has %d blocks of code, and says of %d which client runs them: <!-- run as API CLIENT -->", name, blocks, tried)
		}
		for _, m := range triedWith.FindAllStringSubmatch(text, -1) {
			for _, client := range strings.Split(m[2], ", ") {
				shown[m[1]+" "+client] = true
			}
		}
	})
	tried := map[string]bool{"chat curl": true} // which is no library
	for _, page := range clientPages {
		for _, section := range part.Split(read(t, page), -1) {
			api, rows, _ := strings.Cut(section, "\n")
			switch api {
			case "Versions":
				api = "chat"
			case "Messages", "Responses", "generateContent":
			default:
				continue
			}
			for _, m := range clientRow.FindAllStringSubmatch(rows, -1) {
				tried[api+" "+m[1]] = true
			}
		}
	}
	if len(tried) < 30 {
		t.Errorf("only %d clients were found", len(tried))
	}
	for client := range tried {
		if !shown[client] {
			t.Errorf("docs/callers has no lines for %s", client)
		}
	}
	for client := range shown {
		if !tried[client] {
			t.Errorf("docs/callers has lines for %s, which was not tried", client)
		}
	}
}
