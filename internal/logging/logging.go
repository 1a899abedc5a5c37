// Package logging writes Weir's log: as JSON for machines, or in columns for people. Nothing that logs waits for who reads it.
package logging

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"
)

// Options say where a log goes and how it looks.
type Options struct {
	To     io.Writer // may block; it is written to from one goroutine
	Format string    // json, or text for people
	Level  slog.Level
	Colour bool // text is coloured
}

// Log is a log with the goroutine that writes it. It is safe for concurrent use and must be closed.
type Log struct {
	*slog.Logger
	sink *sink
}

// Open starts a log. Its error says which formats there are.
func Open(o Options) (*Log, error) {
	if o.Format != "json" && o.Format != "text" {
		return nil, fmt.Errorf("the format of the log is %q; it takes text or json", o.Format)
	}
	var line bytes.Buffer // used by the writing goroutine
	notes := o.handler(&line)
	s := newSink(o.To, func(dropped uint64) []byte {
		line.Reset()
		r := slog.NewRecord(time.Now(), slog.LevelWarn, "log lines were dropped, because their reader did not keep up", 0)
		r.AddAttrs(slog.Uint64("dropped", dropped))
		_ = notes.Handle(context.Background(), r) // a buffer takes all
		return line.Bytes()
	})
	return &Log{slog.New(o.handler(s)), s}, nil
}

// Dropped is how many lines were dropped since the start.
func (l *Log) Dropped() uint64 { return l.sink.dropped.Load() }

// Close writes what is logged so far, for as long as ctx lasts. What is logged later is dropped.
func (l *Log) Close(ctx context.Context) { l.sink.close(ctx) }

func (o *Options) handler(to io.Writer) slog.Handler {
	if o.Format == "text" {
		return &terminal{to: to, level: o.Level, colour: o.Colour}
	}
	return newJSONHandler(to, o.Level)
}
