// Package otlp writes spans in OpenTelemetry's protocol: the protobuf of opentelemetry/proto/collector/trace/v1, as a collector takes it
// over HTTP. It is pure. Tests read what it writes with OpenTelemetry's own types.
package otlp

import (
	"encoding/binary"
	"math"

	"github.com/weirproxy/weir/internal/trace"
)

// Kind is the kind of a span, by its number in the protocol.
type Kind byte

// The kinds.
const (
	Server Kind = iota + 2
	Client
)

// Attribute is a name with a value. It is made by String, Int and the like.
type Attribute struct {
	Name string
	kind byte
	text string
	num  uint64
	list []string
}

// The fields of AnyValue, by the kind of a value.
const (
	stringValue, boolValue, intValue, doubleValue, arrayValue = 1, 2, 3, 4, 5
)

// String is an attribute that is a text.
func String(name, value string) Attribute {
	return Attribute{Name: name, kind: stringValue, text: value}
}

// Int is an attribute that is a whole number.
func Int(name string, value int64) Attribute {
	return Attribute{Name: name, kind: intValue, num: uint64(value)}
}

// Float is an attribute that is a number with a fraction.
func Float(name string, value float64) Attribute {
	return Attribute{Name: name, kind: doubleValue, num: math.Float64bits(value)}
}

// Bool is an attribute that is true or false.
func Bool(name string, value bool) Attribute {
	a := Attribute{Name: name, kind: boolValue}
	if value {
		a.num = 1
	}
	return a
}

// Strings is an attribute that is a list of texts.
func Strings(name string, values ...string) Attribute {
	return Attribute{Name: name, kind: arrayValue, list: values}
}

// Span is one span. Times are nanoseconds since 1970.
type Span struct {
	Trace      trace.ID
	ID, Parent trace.SpanID // Parent is 0 for the first span of a trace
	Flags      byte         // of the trace
	Remote     bool         // the parent is another process's
	Name       string
	Kind       Kind
	Start, End int64
	Attributes []Attribute
	Failed     bool // the status is an error
}

// Source is who sends spans.
type Source struct {
	Attributes     []Attribute // of the resource
	Scope, Version string      // of what makes the spans
}

// AppendTraces appends the body of a call to a collector: an ExportTraceServiceRequest with all spans.
func AppendTraces(b []byte, from *Source, spans []Span) []byte {
	return message(b, 1, func(b []byte) []byte { // resource_spans
		b = message(b, 1, func(b []byte) []byte { return attributes(b, 1, from.Attributes) }) // resource
		return message(b, 2, func(b []byte) []byte {                                          // scope_spans
			b = message(b, 1, func(b []byte) []byte { return text(text(b, 1, from.Scope), 2, from.Version) }) // scope
			for i := range spans {
				b = message(b, 2, spans[i].append)
			}
			return b
		})
	})
}

// The bits of a span's flags beside those of the trace: whether it is known that the parent is remote, and whether it is.
const (
	hasRemote = 1 << 8
	isRemote  = 1 << 9
)

// statusError is the code of a status that is an error.
const statusError = 2

// append writes a span's fields.
func (s *Span) append(b []byte) []byte {
	b = bytes(b, 1, s.Trace[:])
	b = spanID(b, 2, s.ID)
	if s.Parent != 0 {
		b = spanID(b, 4, s.Parent)
	}
	b = text(b, 5, s.Name)
	b = number(b, 6, uint64(s.Kind))
	b = fixed64(b, 7, uint64(s.Start))
	b = fixed64(b, 8, uint64(s.End))
	b = attributes(b, 9, s.Attributes)
	if s.Failed {
		b = message(b, 15, func(b []byte) []byte { return number(b, 3, statusError) })
	}
	flags := uint32(s.Flags) | hasRemote
	if s.Remote {
		flags |= isRemote
	}
	return fixed32(b, 16, flags)
}

func attributes(b []byte, field int, all []Attribute) []byte {
	for i := range all {
		a := &all[i]
		b = message(b, field, func(b []byte) []byte {
			return message(text(b, 1, a.Name), 2, a.append)
		})
	}
	return b
}

// append writes the value, also an empty one: which field is there says of which kind it is.
func (a *Attribute) append(b []byte) []byte {
	switch a.kind {
	case stringValue:
		return bytes(b, stringValue, []byte(valid(a.text)))
	case doubleValue:
		return fixed64(b, doubleValue, a.num)
	case arrayValue:
		return message(b, arrayValue, func(b []byte) []byte {
			for _, value := range a.list {
				b = message(b, 1, func(b []byte) []byte { return bytes(b, stringValue, []byte(valid(value))) })
			}
			return b
		})
	default: // a truth value or a whole number
		return binary.AppendUvarint(tag(b, int(a.kind), varintType), a.num)
	}
}

// Rejected reads what a collector says of spans that it did not take: an ExportTraceServiceResponse. ok is false if the answer is none.
func Rejected(answer []byte) (spans int64, message string, ok bool) {
	ok = each(answer, func(f field) bool {
		if f.number != 1 || f.kind != bytesType {
			return true
		}
		return each(f.bytes, func(f field) bool { // partial_success
			switch {
			case f.number == 1 && f.kind == varintType:
				spans = int64(f.value)
			case f.number == 2 && f.kind == bytesType:
				message = string(f.bytes)
			}
			return true
		})
	})
	if !ok {
		return 0, "", false
	}
	return max(spans, 0), message, true
}
