package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/config"
)

// Bounds of programs.
const (
	mostAtOnce = 8               // programs that run, and questions to Vault, at once
	mostValue  = 64 << 10        // bytes that one may print, and that a field of Vault may have
	lastOutput = 1 * time.Second // how long output is waited for after a program has ended: others may hold it open
)

// programs runs ${exec:…}. A program gets the environment of Weir, no input, and the config's folder to run in. Of what it prints, only its
// standard output is read.
type programs struct{}

func (programs) read(ctx context.Context, _ *config.Secrets, refs []config.Reference) []config.Reading {
	return each(refs, func(ref config.Reference) config.Reading {
		output, err := run(ctx, ref)
		if err != nil {
			return config.Reading{Err: err}
		}
		reading := config.ReadingOf(output, nil)
		if reading.Value.IsZero() {
			return config.Reading{Err: errors.New("the program printed nothing")}
		}
		return reading
	})
}

// each calls f for each of a list, some at once, and returns what it returned in the list's order.
func each[T, R any](list []T, f func(T) R) []R {
	results := make([]R, len(list))
	places := make(chan struct{}, mostAtOnce)
	var running sync.WaitGroup
	for i, one := range list {
		places <- struct{}{}
		running.Go(func() {
			results[i] = f(one)
			<-places
		})
	}
	running.Wait()
	return results
}

// run runs a program and returns what it printed.
func run(ctx context.Context, ref config.Reference) ([]byte, error) {
	argv, err := ref.Command()
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	output := &bounded{full: func() { stop(errTooLong) }}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Stdout, cmd.WaitDelay = ref.Dir, output, lastOutput
	ownGroup(cmd)
	release := dieTogether(cmd)
	err = cmd.Run()
	release()
	if errors.Is(err, exec.ErrWaitDelay) {
		_ = cmd.Cancel() // what it has left; that it is gone already is as good
	}
	var missing *exec.Error
	var file *fs.PathError
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("the program was stopped: %w", context.Cause(ctx))
	case errors.As(err, &missing):
		return nil, fmt.Errorf("the program cannot be run: %w", missing.Err)
	case errors.As(err, &file):
		return nil, fmt.Errorf("the program cannot be run: %w", file.Err)
	case errors.As(err, &ended):
		return nil, fmt.Errorf("the program failed with %v: run it by hand, as the user and in the environment of Weir, to see why", ended.ProcessState)
	case errors.Is(err, exec.ErrWaitDelay):
		return nil, errors.New("the program has ended, but had left another running that held its output open")
	case err != nil:
		return nil, errors.New("the program cannot be run")
	}
	return output.Bytes(), nil
}

// errTooLong is why a program is stopped that prints too much.
var errTooLong = fmt.Errorf("it printed more than %d KiB", mostValue>>10)

// bounded is a buffer that takes so much and no more.
type bounded struct {
	buffer bytes.Buffer
	full   func() // is called when more comes
}

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	if b.buffer.Len()+len(p) > mostValue {
		b.full()
		return 0, errTooLong
	}
	return b.buffer.Write(p)
}

// Bytes is what was written.
func (b *bounded) Bytes() []byte { return b.buffer.Bytes() }
