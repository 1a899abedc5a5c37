package archtest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the picture of the imports into ARCHITECTURE.md, and the index of docs/decisions")

var imports = regexp.MustCompile("(?s)\n```imports\n(.*?)```\n")

// TestPicture compares the picture of who imports whom in ARCHITECTURE.md with the code.
func TestPicture(t *testing.T) {
	t.Parallel()
	page := filepath.Join(root, "ARCHITECTURE.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	at := imports.FindSubmatchIndex(text)
	if at == nil {
		t.Fatal("ARCHITECTURE.md has no block ```imports")
	}
	want := picture(load(t))
	if *update {
		changed := string(text[:at[2]]) + want + string(text[at[3]:])
		if err := os.WriteFile(page, []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(text[at[2]:at[3]]), want); diff != "" {
		t.Errorf("ARCHITECTURE.md (-) differs from the code (+). If the change is meant, run: go test ./internal/archtest -update\n%s", diff)
	}
}

// picture has one line for each room that is shipped and imports another, without internal/.
func picture(tr *tree) string {
	var b strings.Builder
	for _, r := range tr.rooms {
		var names []string
		for _, imported := range r.imports() {
			if name, own := ours(imported); own {
				names = append(names, strings.TrimPrefix(name, "internal/"))
			}
		}
		if len(names) > 0 && !r.support() {
			fmt.Fprintf(&b, "%s -> %s\n", strings.TrimPrefix(r.name, "internal/"), strings.Join(names, ", "))
		}
	}
	return b.String()
}
