package relay

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// What a caller makes up does not make a header of any length.
func TestAnnounced(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 1000 {
		many = append(many, fmt.Sprintf("made_up_%03d", i))
	}
	for _, tt := range []struct{ names, want []string }{
		{nil, nil},
		{[]string{"seed", "n"}, []string{"seed", "n"}},
		{many, append(slices.Clone(many[:153]), "and 847 more")},
		{[]string{"n", strings.Repeat("x", 1<<20), "seed"}, []string{"n", "and 2 more"}},
		{[]string{strings.Repeat("x", 1<<20)}, []string{"and 1 more"}},
	} {
		got := announced(tt.names)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%.100q become %.100q, want %.100q", tt.names, got, tt.want)
		}
		if n := len(strings.Join(got, ", ")); n > mostAnnounced+20 {
			t.Errorf("%d bytes are told", n)
		}
	}
}
