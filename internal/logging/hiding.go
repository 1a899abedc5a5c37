package logging

import (
	"context"
	"log/slog"

	"github.com/weirproxy/weir/internal/secret"
)

// hiding is a handler that hides known secrets in texts, lists of texts and errors.
type hiding struct {
	next slog.Handler
	mask *secret.Mask
}

// Hiding is log without the secrets of mask, which no pattern can recognise.
func Hiding(log *slog.Logger, mask *secret.Mask) *slog.Logger {
	return slog.New(&hiding{log.Handler(), mask})
}

// Enabled implements slog.Handler.
func (h *hiding) Enabled(ctx context.Context, level slog.Level) bool {
	return h.next.Enabled(ctx, level)
}

// WithAttrs implements slog.Handler.
func (h *hiding) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &hiding{h.next.WithAttrs(h.all(attrs)), h.mask}
}

// WithGroup implements slog.Handler.
func (h *hiding) WithGroup(name string) slog.Handler { return &hiding{h.next.WithGroup(name), h.mask} }

// Handle implements slog.Handler.
func (h *hiding) Handle(ctx context.Context, r slog.Record) error {
	clean := slog.NewRecord(r.Time, r.Level, secret.HideKnown(h.mask, r.Message), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		clean.AddAttrs(slog.Attr{Key: a.Key, Value: h.value(a.Value)})
		return true
	})
	return h.next.Handle(ctx, clean)
}

func (h *hiding) all(attrs []slog.Attr) []slog.Attr {
	clean := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		clean[i] = slog.Attr{Key: a.Key, Value: h.value(a.Value)}
	}
	return clean
}

func (h *hiding) value(v slog.Value) slog.Value {
	v = v.Resolve()
	switch v.Kind() {
	case slog.KindString:
		return slog.StringValue(secret.HideKnown(h.mask, v.String()))
	case slog.KindGroup:
		return slog.GroupValue(h.all(v.Group())...)
	case slog.KindAny:
		switch any := v.Any().(type) {
		case []string:
			clean := make([]string, len(any))
			for i, text := range any {
				clean[i] = secret.HideKnown(h.mask, text)
			}
			return slog.AnyValue(clean)
		case error:
			return slog.StringValue(secret.HideKnown(h.mask, any.Error()))
		}
	}
	return v
}
