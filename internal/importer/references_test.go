package importer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// hostile is a value of a source that would run a program, ask Vault and read a file if it became one of Weir's config as it is.
const hostile = "x}${exec:touch pwned}${vault:secret/data/a#b}${file:/etc/passwd}"

// TestSourcesReferToNothing: whatever value of a source is text that Weir's config has a meaning for, it has none in the result. A source may be
// anyone's.
func TestSourcesReferToNothing(t *testing.T) {
	const more = `
general_settings: {timezone: Europe/Berlin, master_key: sk-hidden-master}
model_list:
  - model_name: a
    litellm_params: {model: b, custom_llm_provider: made-up, api_base: "https://llm.example.com/v1", api_key: sk-hidden-key}
`
	hostileEach(t, LiteLLM{}, "more.yaml", more)
	for _, from := range sources {
		files, err := filepath.Glob(filepath.Join("testdata", from.Name(), "*[nl]")) // .json and .yaml, and what they became
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if filepath.Ext(file) == ".golden" {
				continue
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			hostileEach(t, from, file, string(data))
		}
	}
}

// hostileEach converts a source once for each of its values, which is the hostile one then.
func hostileEach(t *testing.T, from Source, file, source string) {
	t.Helper()
	for i := 0; ; i++ {
		in := input(file, source)
		doc, err := parse(in.Name, in.Data, in.Read)
		if err != nil {
			t.Fatal(err)
		}
		left := i
		n := nthScalar(doc.Root, &left)
		if n == nil {
			return
		}
		n.kind, n.value = text, hostile
		draft := &Draft{From: from.Name(), File: in.Name, Known: in.Known, Report: &Report{}}
		if from.Convert(doc, draft) != nil {
			continue
		}
		var result yaml.Node
		if err := yaml.Unmarshal(draft.YAML(), &result); err != nil {
			t.Fatalf("%s: %v", n.Path, err)
		}
		if live := liveReference(&result); live != "" {
			t.Errorf("%s: %s refers to something: %s", file, n.Path, live)
		}
	}
}

// nthScalar is the scalar with so many others before it, nil if there are fewer.
func nthScalar(n *Node, left *int) *Node {
	for _, f := range n.Fields {
		if found := nthScalar(f.Value, left); found != nil {
			return found
		}
	}
	for _, item := range n.Items {
		if found := nthScalar(item, left); found != nil {
			return found
		}
	}
	if n.IsMap() || n.IsList() {
		return nil
	}
	if *left--; *left < 0 {
		return n
	}
	return nil
}

// liveReference is a value that refers to something that is not a variable, "" without one. Names are not looked into.
func liveReference(n *yaml.Node) string {
	if n.Kind == yaml.MappingNode {
		for i := 1; i < len(n.Content); i += 2 {
			if found := liveReference(n.Content[i]); found != "" {
				return found
			}
		}
		return ""
	}
	for _, item := range n.Content {
		if found := liveReference(item); found != "" {
			return found
		}
	}
	means := strings.ReplaceAll(n.Value, "$$", "")
	for _, begin := range []string{"${exec:", "${vault:", "${file:", "${EXEC:"} {
		if strings.Contains(means, begin) {
			return n.Value
		}
	}
	return ""
}

// TestSecretsElsewhere: passwords in addresses of proxies and in headers of any name are not copied.
func TestSecretsElsewhere(t *testing.T) {
	for _, test := range []struct {
		from   Source
		source string
	}{
		{LiteLLM{}, `{"model_list": [{"model_name": "a", "litellm_params": {"model": "openai/x", "api_key": "os.environ/A", "extra_headers": {"Cookie": "hidden-cookie", "Proxy-Authorization": "hidden-login", "X-Password": "hidden-password"}}}]}`},
		{Bifrost{}, `{"providers": {"openai": {"keys": [{"value": "env.A", "models": ["*"], "weight": 1}], "network_config": {"extra_headers": {"Cookie": "hidden-cookie"}}, "proxy_config": {"type": "http", "url": "http://user:hidden-password@proxy:3128"}}}}`},
		{NewAPI{}, `{"channels": [{"id": 1, "type": 1, "key": "sk-hidden-key", "status": 1, "name": "a", "models": "one", "setting": "{\"proxy\": \"socks5://user:hidden-password@proxy:1080\"}", "header_override": "{\"X-Client-Secret\": \"hidden-header\"}"}]}`},
	} {
		draft := convert(t, test.from, "c.json", test.source)
		var report strings.Builder
		if err := draft.Report.Write(&report, Exact); err != nil {
			t.Fatal(err)
		}
		if all := report.String() + string(draft.YAML()); strings.Contains(all, "hidden-") {
			t.Errorf("%s: a secret is in the result or in the report:\n%s", test.from.Name(), all)
		} else if _, err := check(draft); err != nil {
			t.Errorf("%s: %v\n%s", test.from.Name(), err, all)
		} else if !strings.Contains(all, "set the variable") {
			t.Errorf("%s: the report names no variable:\n%s", test.from.Name(), all)
		}
	}
}

// TestShortKeys: a key is not copied because it is short, and a word that only fills the field stays.
func TestShortKeys(t *testing.T) {
	for key, copied := range map[string]bool{"sk-1234": false, "EMPTY": true, "none": true, "sk-no-key-required": true} {
		draft := convert(t, LiteLLM{}, "c.json", `{"general_settings": {"master_key": "sk-1234"}, "model_list": [{"model_name": "a", "litellm_params": {"model": "openai/x", "api_key": "`+key+`"}}]}`)
		if text := string(draft.YAML()); strings.Contains(text, key) != copied || draft.AdminToken != "" {
			t.Errorf("%s:\n%s", key, text)
		}
	}
}
