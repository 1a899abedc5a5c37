package openai

import (
	"encoding/json"
	"math"
	"testing"
)

// Every float32 must survive the way from base64 to JSON and back.
func FuzzVector(f *testing.F) {
	f.Add(uint32(0x3f800000))
	f.Add(uint32(1))
	f.Fuzz(func(t *testing.T, bits uint32) {
		v := math.Float32frombits(bits)
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return
		}
		raw, err := json.Marshal([]byte{byte(bits), byte(bits >> 8), byte(bits >> 16), byte(bits >> 24)})
		if err != nil {
			t.Fatal(err)
		}
		numbers, err := appendNumbers(nil, raw)
		if err != nil {
			t.Fatal(err)
		}
		back, err := readFloats(numbers)
		if err != nil || len(back) != 4 || uint32(back[0])|uint32(back[1])<<8|uint32(back[2])<<16|uint32(back[3])<<24 != bits {
			t.Fatalf("%08x became %s and then %x (%v)", bits, numbers, back, err)
		}
	})
}
