package catalog

import "testing"

func TestAddressesAreReadAsTheVendorsClientsReadThem(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ kind, address, want string }{
		{"openai", "http://127.0.0.1:9/v1/", "http://127.0.0.1:9/v1"},
		{"anthropic", "https://gateway.example", "https://gateway.example/v1"},
		{"anthropic", "https://gateway.example/v1", "https://gateway.example/v1"},
		{"gemini", "https://gateway.example/", "https://gateway.example/v1beta"},
		{"groq", "https://gateway.example/groq", "https://gateway.example/groq/openai/v1"},
		{"cohere", "https://gateway.example", "https://gateway.example"},
		{"ollama", "0.0.0.0", "http://127.0.0.1:11434/v1"},
		{"ollama", "[::]:9", "http://127.0.0.1:9/v1"},
		{"ollama", ":9", "http://127.0.0.1:9/v1"},
		{"ollama", "gpu.lan", "http://gpu.lan:11434/v1"},
		{"ollama", "http://gpu.lan", "http://gpu.lan:80/v1"},
		{"ollama", "https://gpu.lan/ollama/", "https://gpu.lan:443/ollama/v1"},
		{"ollama", "http://gpu.lan:11434/v1", "http://gpu.lan:11434/v1"},
	} {
		row, _ := Find(tt.kind)
		if got := row.baseOf(tt.address); got != tt.want {
			t.Errorf("%s at %q: %s, not %s", tt.kind, tt.address, got, tt.want)
		}
	}
}
