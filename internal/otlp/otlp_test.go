package otlp

import (
	"math"
	"strings"
	"testing"

	collector "go.opentelemetry.io/proto/slim/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/slim/otlp/common/v1"
	resource "go.opentelemetry.io/proto/slim/otlp/resource/v1"
	spans "go.opentelemetry.io/proto/slim/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/weirproxy/weir/internal/trace"
)

// theirs is what OpenTelemetry's own types make of what AppendTraces is given.
func theirs(from *Source, list []Span) *collector.ExportTraceServiceRequest {
	scope := &spans.ScopeSpans{Scope: &common.InstrumentationScope{Name: from.Scope, Version: from.Version}}
	for i := range list {
		s := &list[i]
		span := &spans.Span{
			TraceId: s.Trace[:], SpanId: be(uint64(s.ID)), Name: strings.ToValidUTF8(s.Name, "\uFFFD"), Kind: spans.Span_SpanKind(s.Kind),
			StartTimeUnixNano: uint64(s.Start), EndTimeUnixNano: uint64(s.End), Attributes: theirAttributes(s.Attributes),
			Flags: uint32(s.Flags) | uint32(spans.SpanFlags_SPAN_FLAGS_CONTEXT_HAS_IS_REMOTE_MASK),
		}
		if s.Parent != 0 {
			span.ParentSpanId = be(uint64(s.Parent))
		}
		if s.Remote {
			span.Flags |= uint32(spans.SpanFlags_SPAN_FLAGS_CONTEXT_IS_REMOTE_MASK)
		}
		if s.Failed {
			span.Status = &spans.Status{Code: spans.Status_STATUS_CODE_ERROR}
		}
		scope.Spans = append(scope.Spans, span)
	}
	return &collector.ExportTraceServiceRequest{ResourceSpans: []*spans.ResourceSpans{{
		Resource: &resource.Resource{Attributes: theirAttributes(from.Attributes)}, ScopeSpans: []*spans.ScopeSpans{scope},
	}}}
}

func be(n uint64) []byte {
	b := make([]byte, 8)
	for i := range b {
		b[i] = byte(n >> (56 - 8*i))
	}
	return b
}

func theirAttributes(all []Attribute) (list []*common.KeyValue) {
	text := func(s string) *common.AnyValue {
		return &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: strings.ToValidUTF8(s, "\uFFFD")}}
	}
	for i := range all {
		a := &all[i]
		v := &common.AnyValue{}
		switch a.kind {
		case stringValue:
			v = text(a.text)
		case boolValue:
			v.Value = &common.AnyValue_BoolValue{BoolValue: a.num == 1}
		case intValue:
			v.Value = &common.AnyValue_IntValue{IntValue: int64(a.num)}
		case doubleValue:
			v.Value = &common.AnyValue_DoubleValue{DoubleValue: math.Float64frombits(a.num)}
		case arrayValue:
			array := &common.ArrayValue{}
			for _, s := range a.list {
				array.Values = append(array.Values, text(s))
			}
			v.Value = &common.AnyValue_ArrayValue{ArrayValue: array}
		}
		list = append(list, &common.KeyValue{Key: strings.ToValidUTF8(a.Name, "\uFFFD"), Value: v})
	}
	return list
}

// drawAttributes draws attributes of every kind, with texts that no protobuf may hold among them.
func drawAttributes(t *rapid.T) (all []Attribute) {
	text := rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "text")) })
	for range rapid.IntRange(0, 12).Draw(t, "attributes") {
		name := text.Draw(t, "name")
		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			all = append(all, String(name, text.Draw(t, "value")))
		case 1:
			all = append(all, Int(name, rapid.Int64().Draw(t, "value")))
		case 2:
			all = append(all, Float(name, rapid.Float64().Draw(t, "value")))
		case 3:
			all = append(all, Bool(name, rapid.Bool().Draw(t, "value")))
		default:
			all = append(all, Strings(name, rapid.SliceOfN(text, 0, 4).Draw(t, "values")...))
		}
	}
	return all
}

// Whatever spans there are, OpenTelemetry's decoder reads from the bytes what was written, to the field.
func TestTheOfficialDecoderReadsIt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		from := &Source{Attributes: drawAttributes(t), Scope: "scope", Version: rapid.String().Draw(t, "version")}
		var list []Span
		for range rapid.IntRange(0, 5).Draw(t, "spans") {
			s := Span{
				ID: trace.SpanID(rapid.Uint64().Draw(t, "id")), Parent: trace.SpanID(rapid.Uint64Range(0, 3).Draw(t, "parent")), Flags: byte(rapid.IntRange(0, 3).Draw(t, "flags")),
				Remote: rapid.Bool().Draw(t, "remote"), Name: string(rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "name")), Kind: Kind(rapid.IntRange(1, 3).Draw(t, "kind")),
				Start: rapid.Int64Range(0, math.MaxInt64).Draw(t, "start"), End: rapid.Int64Range(0, math.MaxInt64).Draw(t, "end"), Attributes: drawAttributes(t),
				Failed: rapid.Bool().Draw(t, "failed"),
			}
			copy(s.Trace[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "trace"))
			list = append(list, s)
		}
		before := []byte("what was there before")
		body := AppendTraces(before, from, list)
		if string(body[:len(before)]) != string(before) {
			t.Fatal("what was there before has changed")
		}
		var got collector.ExportTraceServiceRequest
		if err := proto.Unmarshal(body[len(before):], &got); err != nil {
			t.Fatal(err)
		}
		if want := theirs(from, list); !proto.Equal(&got, want) {
			t.Fatalf("got  %v\nwant %v", &got, want)
		}
		if n := len(got.ProtoReflect().GetUnknown()); n > 0 {
			t.Fatalf("%d bytes are unknown", n)
		}
	})
}

// A message longer than the one byte that its length was given keeps its bytes, at each length where the length grows.
func TestLengthsOfMessages(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 117, 118, 119, 120, 126, 127, 128, 129, 16_370, 16_383, 16_384, 16_400, 2_097_152} {
		from := &Source{Attributes: []Attribute{String("k", strings.Repeat("x", n))}}
		var got collector.ExportTraceServiceRequest
		if err := proto.Unmarshal(AppendTraces(nil, from, nil), &got); err != nil || !proto.Equal(&got, theirs(from, nil)) {
			t.Errorf("%d: %v", n, err)
		}
	}
}

// What a collector did not take is read from OpenTelemetry's own encoding.
func TestRejected(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		answer  *collector.ExportTraceServiceResponse
		n       int64
		message string
	}{
		{&collector.ExportTraceServiceResponse{}, 0, ""},
		{&collector.ExportTraceServiceResponse{PartialSuccess: &collector.ExportTracePartialSuccess{}}, 0, ""},
		{&collector.ExportTraceServiceResponse{PartialSuccess: &collector.ExportTracePartialSuccess{RejectedSpans: 300, ErrorMessage: "too old"}}, 300, "too old"},
		{&collector.ExportTraceServiceResponse{PartialSuccess: &collector.ExportTracePartialSuccess{RejectedSpans: -1}}, 0, ""},
	} {
		body, err := proto.Marshal(tt.answer)
		if err != nil {
			t.Fatal(err)
		}
		if n, message, ok := Rejected(body); n != tt.n || message != tt.message || !ok {
			t.Errorf("%v: %d, %q, %v", tt.answer, n, message, ok)
		}
	}
	for _, nonsense := range []string{"{}", "<html>", "\x00", "\x0a\xff\xff", "\x0a\x02\x0a", "\x0d\x01"} {
		if n, message, ok := Rejected([]byte(nonsense)); n != 0 || message != "" || ok {
			t.Errorf("%q: %d, %q, %v", nonsense, n, message, ok)
		}
	}
}

// Whatever a collector answers is read, or refused, as OpenTelemetry's decoder does.
func FuzzRejected(f *testing.F) {
	f.Add([]byte("\x0a\x0c\x08\xac\x02\x12\x07too old"))
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, answer []byte) {
		n, message, ok := Rejected(answer)
		var want collector.ExportTraceServiceResponse
		if proto.Unmarshal(answer, &want) != nil || !ok { // groups are refused here, which the protocol has not
			return
		}
		if p := want.GetPartialSuccess(); n != max(p.GetRejectedSpans(), 0) || message != p.GetErrorMessage() {
			t.Errorf("%d, %q; want %v", n, message, p)
		}
	})
}

func BenchmarkAppendTraces(b *testing.B) {
	attributes := []Attribute{String("gen_ai.request.model", "gpt-5"), Int("gen_ai.usage.input_tokens", 1234), Float("gen_ai.response.time_to_first_chunk", 0.25)}
	for range 3 {
		attributes = append(attributes, attributes[:3]...)
	}
	list := make([]Span, 1024)
	for i := range list {
		list[i] = Span{ID: trace.SpanID(i + 1), Name: "chat gpt-5", Kind: Client, Attributes: attributes}
	}
	var body []byte
	b.ReportAllocs()
	for b.Loop() {
		body = AppendTraces(body[:0], &Source{}, list)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(list)), "ns/span")
}
