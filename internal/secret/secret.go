// Package secret holds a string that cannot be printed by accident. It has no imports beyond the
// standard library and is the one package that every room may use.
package secret

import (
	"fmt"
	"log/slog"
)

// redacted is what every way of printing a Text yields.
const redacted = "[redacted]"

// Text is a credential. Formatting, logging and marshalling it yield "[redacted]"; only Reveal gives
// the value. The zero value is the empty secret. It is immutable and safe for concurrent use.
type Text struct{ value string }

// New wraps value.
func New(value string) Text { return Text{value: value} }

// Reveal returns the value, for the one place that sends or compares it.
func (t Text) Reveal() string { return t.value }

// IsZero reports whether the secret is empty.
func (t Text) IsZero() bool { return t.value == "" }

// Format implements fmt.Formatter, so that no verb, %#v and %x included, shows the value.
func (t Text) Format(s fmt.State, _ rune) { fmt.Fprint(s, redacted) }

// String implements fmt.Stringer.
func (t Text) String() string { return redacted }

// LogValue implements slog.LogValuer.
func (t Text) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText implements encoding.TextMarshaler, which JSON, YAML and XML encoders honour.
func (t Text) MarshalText() ([]byte, error) { return []byte(redacted), nil }
