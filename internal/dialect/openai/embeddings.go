package openai

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// vector is one element of an embeddings answer.
type vector struct {
	whole, embedding jsonwalk.Span
	index            int
	indexed          bool // it says so itself
	text             bool // it came as base64
	int8             bool // signed bytes, not float32s
}

// encodingFormat is the member of a request that says how vectors are to be written.
const encodingFormat = "encoding_format"

// VectorForm is how a caller wants vectors: as lists of numbers, unless it says otherwise.
type VectorForm struct {
	Base64 bool // asked for as base64 of little-endian float32
	Other  bool // asked for in a format that only the upstream knows
}

// VectorFormOf is the form that the value of encoding_format asks for.
func VectorFormOf(value llm.JSON) VectorForm {
	f := VectorForm{Base64: string(value) == `"base64"`}
	f.Other = !f.Base64 && string(value) != "null" && string(value) != `"float"`
	return f
}

// VectorsAsked say what an embeddings answer has to be.
type VectorsAsked struct {
	Form   VectorForm
	Inputs int    // how many vectors, -1 if only the upstream knows
	Echo   string // the model's name to answer with, "" for the upstream's own
	Int8   bool   // the upstream's base64 is that of signed bytes, unless that is what was asked for
}

// MendEmbeddings walks over an embeddings answer, and makes it one that callers can read by position. It has
// exactly one vector for each input, in order, in the requested encoding. It returns the bytes to send, which are
// body itself if nothing had to change.
func MendEmbeddings(body []byte, asked VectorsAsked) ([]byte, dialect.Answer, error) {
	w := embeddingsWalk{inputs: asked.Inputs, echo: asked.Echo, int8: asked.Int8 && !asked.Form.Other}
	if err := w.walk(body); err != nil {
		return nil, w.Answer, err
	}
	for _, v := range w.vectors {
		if !v.indexed {
			w.Repairs[dialect.RepairIndex]++
		}
	}
	out, err := asked.Form.encodeVectors(body, w.list, w.vectors, w.ordered, w.edits)
	return out, w.Answer, err
}

// embeddingsWalk is what a walk over an embeddings answer finds.
type embeddingsWalk struct {
	dialect.Answer
	edits   []jsonwalk.Edit // what has to change before the caller sees it
	inputs  int             // how many vectors are expected, -1 if that is unknown
	echo    string
	int8    bool     // base64 is that of signed bytes
	vectors []vector // as they came
	ordered []vector // by their indexes
	list    jsonwalk.Span
	model   jsonwalk.Span
}

func (w *embeddingsWalk) walk(body []byte) error {
	s := jsonwalk.NewScanner(body, jsonwalk.Options{})
	if s.Kind() != '{' {
		return fmt.Errorf("%w: it is not a JSON object", ErrNoAnswer)
	}
	for ok := s.EnterObject(); ok && s.NextMember(); {
		w.member(s, body)
	}
	switch err := s.End(); {
	case err != nil:
		return err
	case w.IsError:
		return fmt.Errorf("%w: it holds an error", ErrNoAnswer)
	}
	for i := range w.vectors {
		w.vectors[i].int8 = w.int8 && w.vectors[i].text
	}
	var err error
	w.ordered, err = w.order()
	return err
}

func (w *embeddingsWalk) member(s *jsonwalk.Scanner, body []byte) {
	switch string(s.Name()) {
	case "data":
		s.Kind()
		w.list.Start = s.Pos()
		w.vectors = w.readVectors(s, body)
		w.list.End = s.Pos()
	case "usage":
		w.usage(s, body)
	case "model":
		text := s.Kind() == '"'
		span := s.Skip()
		if text && s.Err() == nil {
			w.model, w.Model = span, llm.JSON(span.Of(body)).Model()
		}
		if w.echo != "" && s.Err() == nil {
			w.edits = append(w.edits, jsonwalk.Edit{Span: span, New: string(llm.Quote(w.echo))})
			if len(w.edits) > MaxKept {
				s.Fail("more names of its model than an answer can have")
			}
		}
	case "error":
		w.IsError = w.IsError || s.Kind() != 'n'
		s.Skip()
	default:
		s.Skip()
	}
}

// usage reads what the inputs took. Embeddings have no output, so Voyage reports only the total; clients want
// both.
func (w *embeddingsWalk) usage(s *jsonwalk.Scanner, body []byte) {
	object := s.Kind() == '{'
	inside := s.Pos() + 1
	c, ok := readCounts(s, body)
	if c.prompt == 0 && c.completion == 0 {
		c.prompt = c.total
	}
	if !ok || !object {
		return
	}
	w.Usage, w.HasUsage = c.usage(), true
	if c.total > 0 && !c.prompted && w.Repairs[dialect.RepairUsage] == 0 {
		w.edits = append(w.edits, jsonwalk.Edit{Span: jsonwalk.Span{Start: inside, End: inside}, New: fmt.Sprintf(`"prompt_tokens":%d,`, c.prompt)})
		w.Repairs[dialect.RepairUsage]++
	}
}

// readVectors reads the list of vectors; one more than were asked for is as good as millions.
func (w *embeddingsWalk) readVectors(s *jsonwalk.Scanner, body []byte) []vector {
	if s.Kind() != '[' {
		s.Skip()
		return nil
	}
	most := w.inputs
	if most < 0 {
		most = MaxKept
	}
	var vectors []vector
	for ok := s.EnterArray(); ok && s.NextElement(); {
		if len(vectors) > most {
			s.Skip()
			continue
		}
		v := vector{index: len(vectors)}
		if s.Kind() == '{' {
			v.read(s, body)
		} else {
			v.whole = s.Skip()
		}
		vectors = append(vectors, v)
	}
	return vectors
}

// read reads one element of the list.
func (v *vector) read(s *jsonwalk.Scanner, body []byte) {
	v.whole.Start = s.Pos()
	for ok := s.EnterObject(); ok && s.NextMember(); {
		switch string(s.Name()) {
		case "index":
			v.index, v.indexed = int(ReadInt(s, body)), true
		case "embedding":
			v.text = s.Kind() == '"'
			v.embedding = readVector(s, body)
		default:
			s.Skip()
		}
	}
	v.whole.End = s.Pos()
}

// readVector consumes the value of an embedding and returns its place. It returns nothing if the value is not a
// vector: a list of numbers, or base64.
func readVector(s *jsonwalk.Scanner, body []byte) jsonwalk.Span {
	switch s.Kind() {
	case '"':
		span := s.Skip()
		if text, ok := jsonwalk.Text(span.Of(body)); ok && text != "" {
			if _, err := base64.StdEncoding.DecodeString(text); err == nil {
				return span
			}
		}
		return jsonwalk.Span{}
	case '[':
		start, numbers := s.Pos(), 0
		for ok := s.EnterArray(); ok && s.NextElement(); {
			if s.Kind() != '0' {
				numbers = math.MinInt
			}
			s.Skip()
			numbers++
		}
		if numbers <= 0 || s.Err() != nil {
			return jsonwalk.Span{}
		}
		return jsonwalk.Span{Start: start, End: s.Pos()}
	default:
		s.Skip()
		return jsonwalk.Span{}
	}
}

// order puts the vectors by index, and refuses what is not exactly 0…n-1.
func (w *embeddingsWalk) order() ([]vector, error) {
	n := len(w.vectors)
	if n != w.inputs && (w.inputs >= 0 || n == 0 || n > MaxKept) {
		return nil, fmt.Errorf("%w: it has %d vectors for %d inputs", ErrNoAnswer, n, w.inputs)
	}
	ordered := make([]vector, n)
	for _, v := range w.vectors {
		switch {
		case v.index >= n || ordered[v.index].whole.End != 0:
			return nil, fmt.Errorf("%w: the indexes of its vectors are not 0 to %d", ErrNoAnswer, n-1)
		case v.embedding.End == 0:
			return nil, fmt.Errorf("%w: vector %d is missing or invalid", ErrNoAnswer, v.index)
		}
		ordered[v.index] = v
	}
	return ordered, nil
}

// encodeVectors returns body with the vectors in order and in the encoding asked for.
func (f VectorForm) encodeVectors(body []byte, list jsonwalk.Span, came, ordered []vector, edits []jsonwalk.Edit) ([]byte, error) {
	same := true
	for i := range came {
		same = same && came[i].index == i && came[i].indexed && !came[i].int8 && (f.Other || came[i].text == f.Base64)
	}
	if same {
		if len(edits) == 0 {
			return body, nil
		}
		return jsonwalk.Apply(make([]byte, 0, len(body)+64), body, edits), nil
	}
	data := append(make([]byte, 0, list.Len()), '[')
	for i, v := range ordered {
		if i > 0 {
			data = append(data, ',')
		}
		data = append(data, '{')
		if !v.indexed {
			data = append(strconv.AppendInt(append(data, `"index":`...), int64(i), 10), ',')
		}
		data = append(data, body[v.whole.Start+1:v.embedding.Start]...)
		var err error
		if data, err = f.appendVector(data, body, v); err != nil {
			return nil, err
		}
		data = append(data, body[v.embedding.End:v.whole.End]...)
	}
	data = append(data, ']')
	edits = append(edits, jsonwalk.Edit{Span: list, New: string(data)})
	slices.SortFunc(edits, func(a, b jsonwalk.Edit) int { return a.Start - b.Start })
	return jsonwalk.Apply(nil, body, edits), nil
}

// appendVector appends one embedding in the encoding asked for.
func (f VectorForm) appendVector(dst, body []byte, v vector) ([]byte, error) {
	raw := v.embedding.Of(body)
	switch {
	case v.int8:
		return f.appendInt8(dst, raw), nil
	case f.Other || v.text == f.Base64:
		return append(dst, raw...), nil
	case f.Base64:
		floats, err := readFloats(raw)
		if err != nil {
			return nil, fmt.Errorf("%w: vector %d %w", ErrNoAnswer, v.index, err)
		}
		dst = base64.StdEncoding.AppendEncode(append(dst, '"'), floats)
		return append(dst, '"'), nil
	default:
		dst, err := appendNumbers(dst, raw)
		if err != nil {
			return nil, fmt.Errorf("%w: vector %d %w", ErrNoAnswer, v.index, err)
		}
		return dst, nil
	}
}

// appendInt8 appends a vector that is base64 of signed bytes in the encoding asked for. They are not scaled: vectors are
// compared by their angles.
func (f VectorForm) appendInt8(dst, raw []byte) []byte {
	text, _ := jsonwalk.Text(raw)
	numbers, _ := base64.StdEncoding.DecodeString(text) // readVector has seen that it is base64
	if f.Base64 {
		floats := make([]byte, 0, 4*len(numbers))
		for _, n := range numbers {
			floats = binary.LittleEndian.AppendUint32(floats, math.Float32bits(float32(int8(n))))
		}
		return append(base64.StdEncoding.AppendEncode(append(dst, '"'), floats), '"')
	}
	dst = append(dst, '[')
	for i, n := range numbers {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(int8(n)), 10)
	}
	return append(dst, ']')
}

// readFloats turns a JSON array of numbers into little-endian float32s.
func readFloats(raw []byte) ([]byte, error) {
	s := jsonwalk.NewScanner(raw, jsonwalk.Options{})
	if s.Kind() != '[' {
		return nil, errors.New("is no array of numbers")
	}
	var floats []byte
	for ok := s.EnterArray(); ok && s.NextElement(); {
		f, err := strconv.ParseFloat(string(s.Skip().Of(raw)), 32)
		if err != nil {
			return nil, errors.New("holds something that is no float32")
		}
		floats = binary.LittleEndian.AppendUint32(floats, math.Float32bits(float32(f)))
	}
	return floats, nil
}

// appendNumbers turns base64 of little-endian float32s into a JSON array of numbers, each the shortest that
// reads back as the same float32.
func appendNumbers(dst, raw []byte) ([]byte, error) {
	text, _ := jsonwalk.Text(raw)
	floats, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(floats)%4 != 0 {
		return nil, errors.New("is no base64 of float32 numbers")
	}
	dst = append(dst, '[')
	for i := 0; i < len(floats); i += 4 {
		if i > 0 {
			dst = append(dst, ',')
		}
		f := float64(math.Float32frombits(binary.LittleEndian.Uint32(floats[i:])))
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, errors.New("holds a number that JSON cannot write")
		}
		dst = strconv.AppendFloat(dst, f, 'g', -1, 32)
	}
	return append(dst, ']'), nil
}
