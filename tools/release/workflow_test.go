package main

import (
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
)

const workflow = "../../.github/workflows/release.yml"

// pinned is an action named by its commit, with the version beside it for people.
var pinned = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)

// versioned is the version beside a commit. actionlint knows the inputs of actions by their versions.
var versioned = regexp.MustCompile(`@[0-9a-f]{40} # (v[0-9]+)[0-9.]*`)

// faults are what is wrong with a workflow: what actionlint finds, actions that are not named by a commit, and rights that no step needs.
func faults(t *testing.T, text string) []string {
	t.Helper()
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := linter.Lint("release.yml", versioned.ReplaceAll([]byte(text), []byte("@$1")), nil)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, one := range found {
		all = append(all, one.Error())
	}
	w, _ := actionlint.Parse([]byte(text))
	if w == nil {
		return all
	}
	if w.Permissions == nil || w.Permissions.All != nil || len(w.Permissions.Scopes) > 0 {
		all = append(all, "the workflow as a whole has rights")
	}
	for _, job := range w.Jobs {
		var rights []string
		if job.Permissions != nil {
			for name, scope := range job.Permissions.Scopes {
				rights = append(rights, name+": "+scope.Value.Value)
			}
		}
		slices.Sort(rights)
		if want := []string{"attestations: write", "contents: write", "id-token: write"}; !slices.Equal(rights, want) {
			all = append(all, "the rights are "+strings.Join(rights, ", "))
		}
		for _, step := range job.Steps {
			if action, ok := step.Exec.(*actionlint.ExecAction); ok && !pinned.MatchString(action.Uses.Value) {
				all = append(all, action.Uses.Value+" is not named by its commit")
			}
		}
	}
	return all
}

// TestTheWorkflow holds what makes a release in public to what it may do, and to the order of its steps: what is signed is what was made, and what is published
// was signed before.
func TestTheWorkflow(t *testing.T) {
	read, err := os.ReadFile(workflow)
	if err != nil {
		t.Fatal(err)
	}
	text := string(read)
	for _, fault := range faults(t, text) {
		t.Error(fault)
	}
	at := 0
	for _, step := range []string{
		"make release VERSION=", "uses: sigstore/cosign-installer@", "cosign sign-blob --yes --bundle release/SHA256SUMS.sigstore.json release/SHA256SUMS",
		"uses: actions/attest-build-provenance@", "subject-path: release/*", " -notes >", "gh release create ",
	} {
		next := strings.Index(text[at:], step)
		if next < 0 {
			t.Errorf("after its first %d bytes the workflow has no %s", at, step)
			continue
		}
		at += next
	}
}

// TestTheWorkflowsFaultsAreFound: a workflow with more rights, a tag in place of a commit, or an input that does not exist, is not let through.
func TestTheWorkflowsFaultsAreFound(t *testing.T) {
	text, err := os.ReadFile(workflow)
	if err != nil {
		t.Fatal(err)
	}
	for old, wrong := range map[string]string{
		"permissions: {}":                          "permissions: write-all",
		"contents: write":                          "contents: write\n      packages: write",
		"11bd71901bbe5b1630ceea73d27597364c9af683": "v4",
		"subject-path:":                            "subject-paths:",
		"github.token":                             "github.tokens",
	} {
		if !strings.Contains(string(text), old) {
			t.Errorf("the workflow has no %s", old)
		} else if len(faults(t, strings.Replace(string(text), old, wrong, 1))) == 0 {
			t.Errorf("%s is let through", wrong)
		}
	}
}
