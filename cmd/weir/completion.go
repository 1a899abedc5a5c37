package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" placeholder:"SHELL" help:"bash, zsh or fish."`
}

func (completionCmd) Help() string {
	return `The script names every command and flag of this version; generate it again after an update.

Examples:
  weir completion bash > ~/.local/share/bash-completion/completions/weir
  weir completion zsh > "${fpath[1]}/_weir"
  weir completion fish > ~/.config/fish/completions/weir.fish`
}

// Run prints the script.
func (c completionCmd) Run(k *kong.Context, sys *system) error {
	script := map[string]func([]place, string) string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}[c.Shell]
	places, valued := placesOf(k.Model.Node)
	_, err := fmt.Fprint(sys.stdout, script(places, valued))
	return err
}

// place is a position on the command line: after which commands.
type place struct {
	path     string // "keys create"; "" for weir itself
	commands []word
	flags    []word
}

// word is a command or a flag.
type word struct {
	name   string // a flag's name, without dashes
	help   string
	valued bool   // the flag takes a value
	values string // which values, with blanks between, "" if any
}

// placesOf are all places below a command, and its flags that take a value, each with its dashes and with | between.
func placesOf(root *kong.Node) (places []place, valued string) {
	var flags []string
	var visit func(node *kong.Node, path string)
	visit = func(node *kong.Node, path string) {
		p := place{path: path}
		for _, arg := range node.Positional {
			for _, value := range arg.EnumSlice() {
				if value != "" {
					p.commands = append(p.commands, word{name: value})
				}
			}
		}
		for _, group := range node.AllFlags(true) {
			for _, flag := range group {
				w := word{name: flag.Name, help: flag.Help, valued: !flag.IsBool() && !flag.IsCounter()}
				if w.valued {
					flags = append(flags, "--"+flag.Name)
					w.values = strings.Join(slices.DeleteFunc(flag.EnumSlice(), func(v string) bool { return v == "" }), " ")
				}
				p.flags = append(p.flags, w)
			}
		}
		slices.SortFunc(p.flags, func(a, b word) int { return cmp.Compare(a.name, b.name) })
		for _, child := range node.Children {
			if !child.Hidden {
				p.commands = append(p.commands, word{name: child.Name, help: child.Help})
			}
		}
		places = append(places, p)
		for _, child := range node.Children {
			if !child.Hidden {
				visit(child, strings.TrimSpace(path+" "+child.Name))
			}
		}
	}
	visit(root, "")
	slices.Sort(flags)
	return places, strings.Join(slices.Compact(flags), "|")
}

// paths lists the commands of these places, with | between them.
func paths(places []place) string {
	var all []string
	for _, p := range places {
		if p.path != "" {
			all = append(all, quoted(p.path))
		}
	}
	return strings.Join(all, "|")
}

// quoted is a text in single quotes, as all three shells read it.
func quoted(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// The three scripts begin alike. To find the place, they walk the words up to the cursor, and skip flags and the values of
// flags that take one. What follows a flag that takes a value is completed as one, or as a file.

const bashHead = `# bash completion for weir
_weir() {
  local cur=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD - 1]} at= i word words=
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    case $word in
      %[1]s) i=$((i + 1)) ;;
      -*) ;;
      *) case "${at:+$at }$word" in
          %[2]s) at="${at:+$at }$word" ;;
        esac ;;
    esac
  done
  COMPREPLY=()
`

const bashTail = `  case $cur in
    -*) ;;
    *) words=${words%% --*} ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _weir weir
`

func bashScript(places []place, valued string) string {
	var b strings.Builder
	fmt.Fprintf(&b, bashHead, valued, paths(places))
	fmt.Fprint(&b, "  case \"$at $last\" in\n")
	for _, p := range places {
		for _, f := range p.flags {
			if f.values != "" {
				fmt.Fprintf(&b, "    %s) COMPREPLY=($(compgen -W %s -- \"$cur\")); return ;;\n", quoted(p.path+" --"+f.name), quoted(f.values))
			}
		}
	}
	fmt.Fprintf(&b, "    *' '%s) return ;;\n  esac\n  case $at in\n", strings.ReplaceAll(valued, "|", "|*' '"))
	for _, p := range places {
		var words []string
		for _, c := range p.commands {
			words = append(words, c.name)
		}
		for _, f := range p.flags {
			words = append(words, "--"+f.name)
		}
		fmt.Fprintf(&b, "    %s) words=%s ;;\n", quoted(p.path), quoted(" "+strings.Join(words, " ")))
	}
	fmt.Fprint(&b, "  esac\n", bashTail)
	return b.String()
}

const zshHead = `#compdef weir
# zsh completion for weir
_weir() {
  local at= i word
  local -a commands flags
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    case $word in
      (%[1]s) i=$((i + 1)) ;;
      (-*) ;;
      (*) case "${at:+$at }$word" in
          (%[2]s) at="${at:+$at }$word" ;;
        esac ;;
    esac
  done
`

const zshTail = `  if [[ $PREFIX == -* ]]; then
    _describe -o flag flags
  elif (( $#commands )); then
    _describe command commands
  else
    _files
  fi
}
if [[ $funcstack[1] == _weir ]]; then
  _weir "$@"
else
  compdef _weir weir
fi
`

func zshScript(places []place, valued string) string {
	var b strings.Builder
	fmt.Fprintf(&b, zshHead, valued, paths(places))
	fmt.Fprint(&b, "  case \"$at $words[CURRENT-1]\" in\n")
	for _, p := range places {
		for _, f := range p.flags {
			if f.values != "" {
				fmt.Fprintf(&b, "    (%s) compadd -- %s; return ;;\n", quoted(p.path+" --"+f.name), f.values)
			}
		}
	}
	fmt.Fprintf(&b, "    (*' '(%s)) _files; return ;;\n  esac\n  case $at in\n", valued)
	described := func(prefix string, words []word) string {
		var all []string
		for _, w := range words {
			all = append(all, quoted(prefix+w.name+":"+strings.ReplaceAll(cmp.Or(w.help, w.name), ":", `\:`)))
		}
		return strings.Join(all, " ")
	}
	for _, p := range places {
		fmt.Fprintf(&b, "    (%s) commands=(%s) flags=(%s) ;;\n", quoted(p.path), described("", p.commands), described("--", p.flags))
	}
	fmt.Fprint(&b, "  esac\n", zshTail)
	return b.String()
}

const fishHead = `# fish completion for weir
function __weir_at
  set -l at ''
  set -l skip 0
  for word in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
    else if string match -qr -- '^(%[1]s)$' $word
      set skip 1
    else if not string match -q -- '-*' $word
      set -l next (string trim "$at $word")
      contains -- $next %[2]s; and set at $next
    end
  end
  test "$at" = "$argv[1]"
end
`

func fishScript(places []place, valued string) string {
	var b strings.Builder
	fmt.Fprintf(&b, fishHead, valued, strings.ReplaceAll(paths(places), "|", " "))
	for _, p := range places {
		line := fmt.Sprintf("complete -c weir -n %s", quoted(`__weir_at "`+p.path+`"`))
		for _, c := range p.commands {
			fmt.Fprintf(&b, "%s -f -a %s -d %s\n", line, c.name, quoted(c.help))
		}
		for _, f := range p.flags {
			takes := ""
			switch {
			case f.values != "":
				takes = " -x -a " + quoted(f.values)
			case f.valued:
				takes = " -r"
			}
			fmt.Fprintf(&b, "%s -l %s%s -d %s\n", line, f.name, takes, quoted(f.help))
		}
	}
	return b.String()
}
