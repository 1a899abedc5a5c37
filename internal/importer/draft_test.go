package importer

import "testing"

// TestNames: equal names get numbers that are not taken, and very many of them do soon.
func TestNames(t *testing.T) {
	var n names
	var got []string
	for _, name := range []string{"a", "a", "a-3", "a", "a-3", "b", "a-2"} {
		got = append(got, n.take(name, "-"))
	}
	if want := "[a a-2 a-3 a-4 a-3-2 b a-2-2]"; words(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
	for range 300_000 {
		n.take("test", "-")
	}
	if last := n.take("test", "-"); last != "test-300001" {
		t.Error(last)
	}
}

// TestFillers: what only fills a field stays in the clear, and nothing that may be a secret does.
func TestFillers(t *testing.T) {
	for text, want := range map[string]bool{
		"none": true, "EMPTY": true, "dummy-key": true, "x": true, "sk-1": false, "hunter2": false, "123": false, "a.b": false, "letmein-now": false,
	} {
		if got := fills(text); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}

// TestSecretHeaders: a header has a credential by its name, or by its value.
func TestSecretHeaders(t *testing.T) {
	for header, want := range map[[2]string]bool{
		{"X-Team", "blue"}: false, {"X-Team", "Bearer abc"}: true, {"X-Team", "sk-abc"}: true, {"X-Team", "basic abc"}: true, {"X-Api-Key", "blue"}: true, {"Cookie", ""}: true,
	} {
		if got := secretHeader(header[0], header[1]); got != want {
			t.Errorf("%v: %t", header, got)
		}
	}
}

// TestAmounts: no digit of a number is lost, and a number that would take minutes to read is refused.
func TestAmounts(t *testing.T) {
	for text, want := range map[string]string{
		"0.1": "1/10", " 12 ": "12/1", "-1e3": "-1000/1", "1E-2": "1/100",
		"": "", "1/2": "", "0x10": "", "0b1": "", "1_0": "", "Inf": "", "e": "", "1e": "", "1e1001": "", "1e-999999": "", "1e99999999999999999999": "",
	} {
		got := ""
		if r, ok := rational(text); ok {
			got = r.String()
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
