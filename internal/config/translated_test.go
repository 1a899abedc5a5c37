package config

import (
	"strings"
	"testing"
)

// A kind of another dialect has its requests translated, so it has no members to rename and no need to ask for usage. Its
// credential has a header of its own.
func TestTranslatedKinds(t *testing.T) {
	t.Parallel()
	loader := Loader{Kinds: []Kind{{Name: "other", Translated: true}, {Name: "same"}}}
	if _, err := loader.Parse("weir.yaml", []byte("providers: {p: {kind: same, base_url: \"http://127.0.0.1:1\", fetch_images: true}}\nmodels: {m: {targets: [p/m]}}\n")); err == nil || !strings.Contains(err.Error(), ": remove") {
		t.Errorf("fetch_images, though nothing is translated: %v", err)
	}
	for field, faulty := range map[string]bool{
		"fetch_images: false":      false,
		"params: {rename: {a: b}}": true, "stream_usage: always": true, "headers: {x-api-key: k}": true, "headers: {x-goog-api-key: k}": true, "params: {omit: [a]}": false,
	} {
		for kind, refuses := range map[string]bool{"other": faulty, "same": false} {
			_, err := loader.Parse("weir.yaml", []byte("providers: {p: {kind: "+kind+", base_url: \"http://127.0.0.1:1\", api_key: k, "+field+"}}\nmodels: {m: {targets: [p/m]}}\n"))
			if (err != nil) != refuses {
				t.Errorf("kind %s with %s: %v", kind, field, err)
			}
			if err != nil && !strings.Contains(err.Error(), ": remove") && !strings.Contains(err.Error(), "use one of them") {
				t.Errorf("%v does not say what to do", err)
			}
		}
	}
}
