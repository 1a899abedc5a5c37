package importer

import (
	"fmt"
	"strings"
	"testing"
)

// TestPrices: Weir has prices of a million tokens in millionths of a dollar. What they cannot hold is rounded, but never to nothing, and the report says so.
func TestPrices(t *testing.T) {
	for _, test := range []struct {
		one, want string
		class     Class
	}{
		{"0.0000025", "input: 2.5,", Exact},
		{"0", "input: 0,", Exact},
		{"1e-12", "input: 0.000001,", Exact},
		{"1e-13", "input: 0.000001,", Approximate},
		{"1e-999", "input: 0.000001,", Approximate},
		{"0.00000000000149", "input: 0.000001,", Approximate},
		{"0.0000000000015", "input: 0.000002,", Approximate},
		{"0.01", "input: 10000,", Exact},
		{"0.0100001", "", Manual},
		{"1e999999999", "", Manual},
		{"1e-999999999", "", Manual},
		{"-0.1", "", Manual},
		{"free", "", Manual},
		{"0x1p-2", "", Manual},
		{"1/2", "", Manual},
		{"1_000", "", Manual},
	} {
		draft := convert(t, LiteLLM{}, "c.yaml", fmt.Sprintf("model_list:\n  - model_name: a\n    litellm_params: {model: openai/a, api_key: os.environ/A, input_cost_per_token: %q, output_cost_per_token: 0.000001}\n", test.one))
		text := string(draft.YAML())
		if test.want != "" && !strings.Contains(text, test.want) {
			t.Errorf("%s: %s is not in:\n%s", test.one, test.want, text)
		}
		var classes []Class
		for _, f := range draft.Report.Findings {
			if strings.HasSuffix(f.Path, "input_cost_per_token") {
				classes = append(classes, f.Class)
			}
		}
		if len(classes) != 1 || classes[0] != test.class {
			t.Errorf("%s is %v, want %v", test.one, classes, test.class)
		}
		if _, err := check(draft); err != nil {
			t.Errorf("%s: %v", test.one, err)
		}
	}
}
