package logging

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"math"
	"strconv"
	"sync"
	"time"
)

// Event logs a line as log.LogAttrs does. If the log is JSON for machines it costs a third. It is for the one line of each request.
// attrs may be used again afterwards.
func Event(ctx context.Context, log *slog.Logger, now time.Time, level slog.Level, msg string, attrs []slog.Attr) {
	if !log.Enabled(ctx, level) {
		return
	}
	h := log.Handler()
	if own, ok := h.(*jsonHandler); ok {
		own.event(now, level, msg, attrs)
		return
	}
	r := slog.NewRecord(now, level, msg, 0)
	r.AddAttrs(attrs...)
	_ = h.Handle(ctx, r) // a failure here cannot be reported
}

// jsonHandler is slog's own JSON handler with a cheaper way to write an event. slog copies the attributes of every line, and calls
// json.Marshal for each number with a fraction. What is derived from it is slog's alone.
type jsonHandler struct {
	slog.Handler
	to io.Writer
}

func newJSONHandler(to io.Writer, level slog.Level) *jsonHandler {
	return &jsonHandler{slog.NewJSONHandler(to, &slog.HandlerOptions{Level: level}), to}
}

var lines = sync.Pool{New: func() any { return new([]byte) }}

// event writes a line of flat attributes, as slog's handler would.
func (h *jsonHandler) event(now time.Time, level slog.Level, msg string, attrs []slog.Attr) {
	kept := lines.Get().(*[]byte)
	b := append((*kept)[:0], `{"time":"`...)
	b = append(now.AppendFormat(b, time.RFC3339Nano), `","level":`...)
	b = append(appendText(b, level.String()), `,"msg":`...)
	b = appendText(b, msg)
	for i := range attrs {
		a := &attrs[i]
		b = append(appendText(append(b, ','), a.Key), ':')
		b = appendValue(b, a.Value)
	}
	b = append(b, "}\n"...)
	_, _ = h.to.Write(b) // it takes a line at a time, and keeps none
	if *kept = b; cap(b) <= keptBuffer {
		lines.Put(kept)
	}
}

func appendValue(b []byte, v slog.Value) []byte {
	switch v.Kind() {
	case slog.KindString:
		return appendText(b, v.String())
	case slog.KindInt64:
		return strconv.AppendInt(b, v.Int64(), 10)
	case slog.KindBool:
		return strconv.AppendBool(b, v.Bool())
	case slog.KindFloat64:
		if f := v.Float64(); f == 0 || math.Abs(f) >= 1e-6 && math.Abs(f) < 1e21 { // others JSON has with an exponent
			return strconv.AppendFloat(b, f, 'f', -1, 64)
		}
	}
	return appendAny(b, v.Any())
}

// appendText appends a JSON string. Most texts need no escapes.
func appendText(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return appendAny(b, text)
		}
	}
	return append(append(append(b, '"'), text...), '"')
}

// appendAny appends what encoding/json makes of a value. If encoding/json fails, its error is the value.
func appendAny(b []byte, value any) []byte {
	if err, ok := value.(error); ok {
		value = err.Error()
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return appendText(b, "!ERROR:"+err.Error())
	}
	return append(b, bytes.TrimSuffix(text.Bytes(), []byte{'\n'})...)
}
