package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// complete is how a shell is asked, without a terminal, what it offers for the words of a command line. $1 is the script.
var complete = map[string]string{
	"bash": `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _weir; printf '%s\n' "${COMPREPLY[@]}"`,
	"zsh": `compdef() {}; _files() { }; compadd() { [[ $1 == -- ]] && shift; print -l -- "$@" }
		_describe() { [[ $1 == -o ]] && shift; print -l -- ${${(P)2}%%:*} }
		source "$1"; shift; words=("$@"); CURRENT=$#; PREFIX=$words[CURRENT]; _weir`,
	"fish": `set -l script $argv[1]; source $script; complete -C (string join ' ' -- $argv[2..-1]) | string replace -r '\t.*' ''; true`,
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	for shell, ask := range complete {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			var script, said bytes.Buffer
			if code := run(t.Context(), []string{"completion", shell}, &system{stdout: &script, stderr: &said}); code != 0 || said.Len() > 0 {
				t.Fatalf("exit %d: %s", code, &said)
			}
			binary, err := exec.LookPath(shell)
			if err != nil {
				t.Skipf("there is no %s here to ask", shell)
			}
			file := filepath.Join(t.TempDir(), "weir")
			if err := os.WriteFile(file, script.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, tt := range []struct {
				line    []string
				offers  []string
				nothing []string
			}{
				{[]string{"weir", ""}, []string{"serve", "keys", "completion"}, []string{"create", "--config"}},
				{[]string{"weir", "keys", ""}, []string{"create", "revoke"}, []string{"serve", "keys"}},
				{[]string{"weir", "keys", "create", "--"}, []string{"--name", "--models", "--offline", "--help"}, []string{"--listen", "create"}},
				{[]string{"weir", "keys", "--admin", "serve", "create", "--"}, []string{"--name"}, []string{"--listen"}},
				{[]string{"weir", "serve", "--"}, []string{"--config", "--listen"}, []string{"--name"}},
				{[]string{"weir", "keys", "list", "--format", ""}, []string{"table", "json", "csv"}, []string{"--format", "create"}},
				{[]string{"weir", "completion", ""}, []string{"bash", "zsh", "fish"}, []string{"serve"}},
			} {
				var failed bytes.Buffer
				cmd := exec.Command(binary, append([]string{"-c", ask}, arguments(shell, file, tt.line)...)...)
				cmd.Env, cmd.Dir, cmd.Stderr = append(os.Environ(), "HOME="+t.TempDir()), t.TempDir(), &failed
				out, err := cmd.Output()
				if err != nil || failed.Len() > 0 {
					t.Fatalf("%q: %v %s", tt.line, err, &failed)
				}
				offered := strings.Fields(string(out))
				last := tt.line[len(tt.line)-1]
				offered = slices.DeleteFunc(offered, func(w string) bool { return !strings.HasPrefix(w, last) })
				for _, w := range tt.offers {
					if !slices.Contains(offered, w) {
						t.Errorf("%q: %q is not among %q", tt.line, w, offered)
					}
				}
				for _, w := range tt.nothing {
					if slices.Contains(offered, w) {
						t.Errorf("%q: %q is among %q", tt.line, w, offered)
					}
				}
			}
		})
	}
}

// arguments are those after -c: in fish the script's name is not one of them.
func arguments(shell, file string, line []string) []string {
	args := append([]string{file}, line...)
	if shell != "fish" {
		args = append([]string{shell}, args...)
	}
	return args
}

func TestCompletionOfAnotherShell(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	if code := run(t.Context(), []string{"completion", "tcsh"}, &system{stdout: &said, stderr: &said}); code != 2 || !strings.Contains(said.String(), "bash") {
		t.Errorf("exit %d: %s", code, &said)
	}
}
