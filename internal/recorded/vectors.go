package recorded

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"testing"
)

// manyNumbers is how long a list of numbers is that must be a vector.
const manyNumbers = 8

// Vectors are all lists of many numbers in a vendor's answer, whatever its form, in their order: such answers hold no others.
func Vectors(t *testing.T, body []byte) [][]float64 {
	t.Helper()
	if !json.Valid(body) {
		t.Fatalf("this is no JSON: %s", body)
	}
	return vectorsIn(body)
}

func vectorsIn(value json.RawMessage) (all [][]float64) {
	var numbers []float64
	var members map[string]json.RawMessage
	var elements []json.RawMessage
	switch {
	case json.Unmarshal(value, &numbers) == nil:
		if len(numbers) > manyNumbers {
			all = append(all, numbers)
		}
	case json.Unmarshal(value, &elements) == nil:
		for _, one := range elements {
			all = append(all, vectorsIn(one)...)
		}
	case json.Unmarshal(value, &members) == nil:
		for _, one := range members {
			all = append(all, vectorsIn(one)...)
		}
	}
	return all
}

// CheckVectors compares an answer in OpenAI's form, in numbers or in base64, with the expected vectors; in base64 they are
// the nearest float32s.
func CheckVectors(t *testing.T, answer []byte, want [][]float64) {
	t.Helper()
	var list struct {
		Data []struct {
			Index     int
			Embedding json.RawMessage
		}
	}
	if err := json.Unmarshal(answer, &list); err != nil {
		t.Fatal(err)
	}
	if len(list.Data) != len(want) || len(want) == 0 {
		t.Fatalf("%d vectors for %d", len(list.Data), len(want))
	}
	for i, one := range list.Data {
		if one.Index != i {
			t.Errorf("vector %d says it is %d", i, one.Index)
		}
		got, exact := numbers(t, one.Embedding)
		if len(got) != len(want[i]) {
			t.Fatalf("vector %d has %d numbers, not %d", i, len(got), len(want[i]))
		}
		for j, n := range want[i] {
			if !exact {
				n = float64(float32(n))
			}
			if got[j] != n {
				t.Fatalf("number %d of vector %d is %v, not %v", j, i, got[j], n)
			}
		}
	}
}

// numbers are those of a vector, and whether they came as numbers.
func numbers(t *testing.T, embedding json.RawMessage) (list []float64, exact bool) {
	t.Helper()
	var text string
	if json.Unmarshal(embedding, &text) != nil {
		if all := vectorsIn(embedding); len(all) == 1 {
			return all[0], true
		}
		t.Fatal("an embedding is no vector")
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	for ; len(raw) >= 4; raw = raw[4:] {
		list = append(list, float64(math.Float32frombits(binary.LittleEndian.Uint32(raw))))
	}
	return list, false
}
