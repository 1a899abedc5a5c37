package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// pkg is a package whose tests are tried.
type pkg struct {
	root  string // of the module
	path  string // as go build takes it, from root
	Dir   string
	Files []string `json:"GoFiles"`

	TestImports, XTestImports []string
}

func open(ctx context.Context, root, path string) (*pkg, error) {
	list := exec.CommandContext(ctx, "go", "list", "-json=Dir,GoFiles,TestImports,XTestImports", path)
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", path, said(err))
	}
	p := &pkg{root: root, path: path}
	return p, json.Unmarshal(out, p)
}

// said is the error of a command with what it printed.
func said(err error) error {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && len(exit.Stderr) > 0 {
		return fmt.Errorf("%w: %s", err, bytes.TrimSpace(exit.Stderr))
	}
	return err
}

// The bounds on one run of the tests: what hangs for so long has been noticed.
const (
	shortest = 10 * time.Second
	slower   = 5 // times as long as without a mutant
)

// plan is which mutants are tried.
type plan struct {
	seed   string
	in     *regexp.Regexp // functions
	most   int            // 0 is all
	budget time.Duration  // 0 is any time
}

// try tries a sample of the package's mutants, until the budget is spent.
func (p *pkg) try(ctx context.Context, plan plan) (*Report, error) {
	work, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	r := &Report{Package: p.path, Seed: plan.seed}
	var all []Mutant
	for _, name := range p.Files {
		source, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return nil, err
		}
		found, err := mutate(name, source)
		if err != nil {
			return nil, err
		}
		all = append(all, slices.DeleteFunc(found, func(m Mutant) bool { return !plan.in.MatchString(m.Func) })...)
	}
	r.Mutants = len(all)
	began := time.Now()
	if err := p.compile(ctx, work, nil); err != nil {
		return nil, err
	}
	whole := time.Now()
	if output, err := p.test(ctx, work, 10*time.Minute); err != nil {
		return nil, fmt.Errorf("the tests fail without a mutant: %w\n%s", err, output)
	}
	limit := max(shortest, slower*time.Since(whole))
	for _, m := range sample(all, plan.seed, plan.most) {
		if plan.budget > 0 && time.Since(began) > plan.budget {
			break
		}
		if err := p.tryOne(ctx, work, m, limit, r); err != nil {
			return nil, err
		}
	}
	r.Seconds = int(time.Since(began).Seconds())
	slices.SortFunc(r.Survivors, func(a, b Mutant) int {
		return strings.Compare(fmt.Sprintf("%s%6d", a.File, a.Line), fmt.Sprintf("%s%6d", b.File, b.Line))
	})
	return r, nil
}

// tryOne compiles the tests with one mutant and runs them.
func (p *pkg) tryOne(ctx context.Context, work string, m Mutant, limit time.Duration, r *Report) error {
	if err := p.compile(ctx, work, &m); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.Invalid++
		return nil
	}
	_, err := p.test(ctx, work, limit)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil:
		r.Survivors = append(r.Survivors, m)
	default:
		r.Killed++
	}
	return nil
}

// compile builds the tests into work, with a mutant if there is one.
func (p *pkg) compile(ctx context.Context, work string, m *Mutant) error {
	args := []string{"test", "-c", "-vet=off", "-p=1", "-o", filepath.Join(work, "tests")}
	if m != nil {
		overlay, err := p.overlay(work, m)
		if err != nil {
			return err
		}
		args = append(args, "-overlay", overlay)
	}
	build := exec.CommandContext(ctx, "go", append(args, p.path)...)
	build.Dir = p.root
	output, err := build.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, output)
	}
	return nil
}

// overlay writes the mutant's file, and the file that has the compiler take it for the package's own.
func (p *pkg) overlay(work string, m *Mutant) (string, error) {
	original := filepath.Join(p.Dir, m.File)
	source, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	mutant, list := filepath.Join(work, "mutant.go"), filepath.Join(work, "overlay.json")
	if err := os.WriteFile(mutant, slices.Concat(source[:m.start], []byte(m.After), source[m.end:]), 0o600); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {original: mutant}})
	if err != nil {
		return "", err
	}
	return list, os.WriteFile(list, text, 0o600)
}

// test runs the tests that were compiled. Those that hang are ended.
func (p *pkg) test(ctx context.Context, work string, limit time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, limit+time.Second) // the tests end themselves first, as a rule
	defer cancel()
	args := []string{"-test.failfast", "-test.short", "-test.timeout=" + limit.String()}
	if slices.Contains(slices.Concat(p.TestImports, p.XTestImports), "pgregory.net/rapid") {
		args = append(args, "-rapid.nofailfile") // else it writes what a mutant failed on into the tree, and tries that with the next mutants
	}
	tests := exec.CommandContext(ctx, filepath.Join(work, "tests"), args...)
	tests.Dir = p.Dir
	tests.WaitDelay = time.Second
	var output tail
	tests.Stdout, tests.Stderr = &output, &output
	err := tests.Run()
	return output.text, err
}

// tail keeps the last that was printed: a mutant may print without end.
type tail struct{ text []byte }

const tailLength = 32 << 10

var _ io.Writer = (*tail)(nil)

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if len(t.text) > 2*tailLength {
		t.text = slices.Clone(t.text[len(t.text)-tailLength:])
	}
	return len(p), nil
}
