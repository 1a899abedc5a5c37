package capability

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/money"
	"pgregory.net/rapid"
)

func TestFind(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		vendor, model string
		want          string // the row's model, with * after a family's; "" for an unknown one
	}{
		{"openai", "gpt-5", "gpt-5"},
		{"openai", "gpt-5-2025-08-07", "gpt-5"},
		{"openai", "gpt-4o-2024-05-13", "gpt-4o-2024-05-13"}, // a dated version with a row of its own
		{"openai", "openai/gpt-5-mini", "gpt-5-mini"},
		{"openai", "openai/gpt-5-mini-2025-08-07", "gpt-5-mini"},
		{"openai", "ft:gpt-4o-mini-2024-07-18:acme::AbC", "gpt-4o-mini"},
		{"openai", "gpt-5.7-hyper", "gpt-5.*"},
		{"openai", "gpt-5.1-new", "gpt-5.1*"},
		{"openai", "gpt-5-2025-08", "gpt-5*"},
		{"openai", "gpt-50", ""},
		{"openai", "o3-2025-04-16", "o3"},
		{"openai", "o30", ""},
		{"openai", "gpt", ""},
		{"openai", "", ""},
		{"openai", "GPT-5", ""},
		{"azure", "o1", "o1"},
		{"azure", "gpt-5-of-the-team", "gpt-5*"},
		{"anthropic", "claude-sonnet-4-5-20250929", "claude-sonnet-4-5-20250929"},
		{"anthropic", "claude-opus-4-8-20260701", "claude-opus-4-8"},
		{"openrouter", "openai/gpt-5", "openai/gpt-5"},
		{"openrouter", "openai/gpt-5:nitro", "openai/gpt-5"},
		{"openrouter", "nobody/nothing", ""},
		{"huggingface", "moonshotai/Kimi-K2.7-Code:fastest", "moonshotai/Kimi-K2.7-Code"},
		{"fireworks-ai", "accounts/fireworks/models/gpt-oss-20b", "accounts/fireworks/models/gpt-oss-20b"},
		{"nobody", "gpt-5", ""},
		{"", "", ""},
		{"#", "", ""},
	} {
		row, ok := Find(tt.vendor, tt.model)
		got := row.Model
		if row.Family {
			got += "*"
		}
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s %q is %q %v, want %q", tt.vendor, tt.model, got, ok, tt.want)
		}
		if row.Family && (row.Context != 0 || row.Name != "" || row.Price != nil) {
			t.Errorf("%s %q: a family is given what only one model has: %+v", tt.vendor, tt.model, row)
		}
	}
}

func TestRow(t *testing.T) {
	t.Parallel()
	got, _ := Find("openai", "gpt-5.4")
	want := Row{
		Vendor: "openai", Model: "gpt-5.4", Name: "GPT-5.4", Context: 1_050_000, MaxInput: 922_000, MaxOutput: 128_000,
		Abilities: []Ability{Reasons, Tools, Schema, Files, Images, PDF},
		Efforts:   []string{"none", "low", "medium", "high", "xhigh"},
		Price:     money.Plain(2_500_000, 15_000_000),
	}
	want.Price.CacheRead, want.Price.Search = 250_000, new(money.Nano(10_000_000))
	long := money.Of(5_000_000, 22_500_000)
	long.CacheRead = 500_000
	want.Price.Long = []money.Step{{Above: 272_000, Rates: long.Set()}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !got.Can(Images) || got.Can(Temperature) {
		t.Errorf("%v", got.Abilities)
	}
	if embedding, _ := Find("openai", "text-embedding-3-small"); embedding.MaxOutput != 0 || embedding.Context != 8191 {
		t.Errorf("the length of a vector is taken for an answer's: %+v", embedding)
	}
}

// A variant of a model is like it, but does not cost what it costs. What it costs is known only if it has a row with a price.
func TestPricesOfVariants(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		vendor, model string
		priced        bool
	}{
		{"openrouter", "openai/gpt-5", true},
		{"openrouter", "openai/gpt-5:nitro", true},
		{"openrouter", "openai/gpt-5:free", false},
		{"openrouter", "openai/gpt-oss-20b:free", false}, // its row has a price of 0, so it is unknown
		{"openai", "ft:gpt-4o-mini-2024-07-18:acme::AbC", false},
		{"openai", "gpt-4o-mini-2024-07-18", true},
		{"openai", "gpt-5-of-mine", false},
	} {
		row, ok := Find(tt.vendor, tt.model)
		if !ok || (row.Price != nil) != tt.priced {
			t.Errorf("%s: %v, %+v", tt.model, ok, row.Price)
		}
	}
}

// What one source lacks of prices comes from another.
func TestFees(t *testing.T) {
	t.Parallel()
	haiku, _ := Find("anthropic", "claude-haiku-4-5")
	if p := haiku.Price; p.CacheWrite1h != 2_000_000 || p.Search == nil || *p.Search != 10_000_000 || p.Request != 0 {
		t.Errorf("%+v", p)
	}
	sonar, _ := Find("perplexity", "sonar")
	if p := sonar.Price; p.Search != nil || p.Request != 12_000_000 {
		t.Errorf("%+v", p)
	}
	if other, _ := Find("groq", "llama-3.3-70b-versatile"); other.Price.Search != nil || other.Price.Request != 0 {
		t.Errorf("%+v", other.Price)
	}
}

func TestParams(t *testing.T) {
	t.Parallel()
	all := strings.Join(sampling, " ")
	for _, tt := range []struct {
		vendor, model, effort string
		renames               bool
		omit                  string
	}{
		{"openai", "gpt-5", "", true, all + " stop"},
		{"openai", "gpt-5", "low", true, all + " stop"},
		{"openai", "gpt-5-mini-2025-08-07", "", true, all + " stop"},
		{"openai", "gpt-5-chat-latest", "", true, "reasoning_effort"},
		{"openai", "gpt-5.1", "", true, "stop"},
		{"openai", "gpt-5.1", "none", true, "stop"},
		{"openai", "gpt-5.1", "low", true, all + " stop"},
		{"openai", "gpt-5.1-codex", "none", true, all + " stop"},
		{"openai", "gpt-5.2-2025-12-11", "high", true, all + " stop"},
		{"openai", "gpt-5.4-mini", "low", true, all + " stop"},
		{"openai", "gpt-5.5", "", true, all},
		{"openai", "gpt-5.5", "none", true, ""},
		{"openai", "gpt-5.6-terra", "", true, all},
		{"openai", "gpt-6-astra", "none", true, ""},
		{"openai", "o1", "", true, all},
		{"openai", "o4-mini", "", true, all + " stop"},
		{"openai", "gpt-4o", "", false, "reasoning_effort"},
		{"openai", "gpt-4.1-mini", "", false, "reasoning_effort"},
		{"openai", "ft:gpt-4.1-mini-2025-04-14:a::b", "", false, "reasoning_effort"},
		{"openai", "text-embedding-3-small", "", false, ""},
		{"openai", "unheard-of", "", false, ""},
		{"azure", "gpt-5", "", true, all + " stop"},
		{"github-models", "openai/gpt-5-mini", "", true, all + " stop"},
		{"github-models", "openai/o1", "", true, all},
		{"github-models", "meta/llama-3.3-70b-instruct", "", false, ""},
		{"azure", "deepseek-r1", "", false, ""},
		{"xai", "grok-4.3", "", false, "presence_penalty frequency_penalty stop"},
		{"xai", "grok-4.20-0309-non-reasoning", "", false, "reasoning_effort"},
		{"xai", "grok-4.20-0309-reasoning", "", false, "presence_penalty frequency_penalty stop reasoning_effort"},
		{"xai", "grok-4.20-multi-agent-0309", "", false, "presence_penalty frequency_penalty stop"},
		{"xai", "grok-3-mini", "", false, "presence_penalty frequency_penalty stop"},
		{"moonshotai", "kimi-k2.5", "", false, "temperature"},
		{"openrouter", "openai/gpt-5", "", false, ""}, // it leaves out by itself what a model refuses
		{"groq", "llama-3.3-70b-versatile", "", false, ""},
		{"", "gpt-5", "", false, ""},
	} {
		rename, omit := Params(tt.vendor, tt.model, tt.effort, false)
		if (rename["max_tokens"] == "max_completion_tokens") != tt.renames || strings.Join(omit, " ") != tt.omit {
			t.Errorf("%s %s with effort %q: %v %v", tt.vendor, tt.model, tt.effort, rename, omit)
		}
	}
}

// With GPT-5.4 the API refuses an effort together with tools; without an effort it does not reason.
func TestParamsBesideTools(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ model, effort, omit string }{
		{"gpt-5.4", "low", "reasoning_effort stop"},
		{"gpt-5.4-mini", "none", "stop"},
		{"gpt-5.4", "", "stop"},
		{"gpt-5.2", "low", strings.Join(sampling, " ") + " stop"},
	} {
		if _, omit := Params("openai", tt.model, tt.effort, true); strings.Join(omit, " ") != tt.omit {
			t.Errorf("%s with effort %q: %v", tt.model, tt.effort, omit)
		}
	}
}

// rows are the table's lines.
func rows() []string {
	lines := strings.Split(strings.TrimSuffix(table, "\n"), "\n")
	return slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "#") })
}

// Every line can be found, and says what it says in a form that can be read.
func TestEveryRow(t *testing.T) {
	t.Parallel()
	if len(rows()) < 1000 || !strings.HasSuffix(table, "\n") {
		t.Fatalf("the table has %d rows", len(rows()))
	}
	abilities := []Ability{Reasons, Toggles, Budgets, Tools, Schema, Temperature, Files, Images, PDF, Audio, Video}
	for _, line := range rows() {
		c := strings.Split(line, "\t")
		if len(c) != columns {
			t.Fatalf("%q has %d columns", line, len(c))
		}
		row, ok := Find(c[0], c[1])
		if !ok || row.Family || row.Vendor != c[0] || row.Model != c[1] || search(c[0], c[1]) != line {
			t.Errorf("%s %s is not found: %+v", c[0], c[1], row)
		}
		for _, a := range row.Abilities {
			if !slices.Contains(abilities, a) {
				t.Errorf("%s %s: unknown ability %q", c[0], c[1], a)
			}
		}
		if strings.Trim(c[3], lettersOfParams) != "" {
			t.Errorf("%s %s: unknown params %q", c[0], c[1], c[3])
		}
		for i, n := range []int{row.Context, row.MaxInput, row.MaxOutput} {
			if text := c[5+i]; text != "" && text != strconv.Itoa(n) || n < 0 {
				t.Errorf("%s %s: %q is no number", c[0], c[1], text)
			}
		}
		if p := row.Price; p != nil && (p.Fresh <= 0 || p.Text < 0 || p.CacheWrite1h < 0 || len(p.Long) != strings.Count(c[10], ";")) {
			t.Errorf("%s %s: %q has the price %+v", c[0], c[1], c[10], p)
		}
	}
}

const lettersOfParams = "msnutpxrf"

func TestFamilies(t *testing.T) {
	t.Parallel()
	for line := range strings.Lines(families) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(c) != 3 || c[2] == "" || strings.Trim(c[2], lettersOfParams+"-") != "" {
			t.Errorf("%q is not understood", line)
			continue
		}
		for vendor := range strings.SplitSeq(c[0], ",") {
			if !slices.Contains(vendors, vendor) {
				t.Errorf("%q: no such vendor", line)
			}
			if name, params := family(vendor, c[1]); name != c[1] || params != c[2] {
				t.Errorf("%q is not found: %q %q", line, name, params)
			}
		}
	}
}

// Whatever callers ask for, a lookup ends, and its two forms agree.
func TestLookupsHold(t *testing.T) {
	t.Parallel()
	known := rows()
	rapid.Check(t, func(t *rapid.T) {
		c := strings.Split(rapid.SampledFrom(known).Draw(t, "row"), "\t")
		noise := rapid.StringOf(rapid.SampledFrom([]rune("/:@-.\t\n#* 0128ftgpo5é\x00")))
		vendor := rapid.OneOf(rapid.Just(c[0]), noise).Draw(t, "vendor")
		model := noise.Draw(t, "before") + rapid.OneOf(rapid.Just(c[1]), rapid.String()).Draw(t, "model") + noise.Draw(t, "after")
		effort := rapid.SampledFrom([]string{"", "none", "low", "?"}).Draw(t, "effort")
		row, ok := Find(vendor, model)
		rename, omit := Params(vendor, model, effort, false)
		if !ok && (len(rename) > 0 || len(omit) > 0) {
			t.Fatalf("nothing is known of %q, but %v and %v", model, rename, omit)
		}
		if ok && (row.Vendor != vendor || row.Model == "" || !strings.Contains(model, row.Model)) {
			t.Fatalf("%q is taken for %+v", model, row)
		}
	})
}

func BenchmarkParams(b *testing.B) {
	for _, model := range []string{"gpt-4o-mini", "gpt-5-mini-2025-08-07", "unheard-of"} {
		b.Run(model, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Params("openai", model, "", false)
			}
		})
	}
}

// A model does not lack what the data does not mention.
func TestLacks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		vendor, model string
		lacks         string // among images, tools, schema
	}{
		{"openai", "gpt-4o", ""},
		{"openai", "gpt-3.5-turbo", "image tools schema"},
		{"groq", "llama-3.3-70b-versatile", "image schema"},
		{"anthropic", "claude-haiku-4-5", ""}, // it follows a schema, but the data does not say so for this vendor
		{"openai", "text-embedding-3-small", ""},
		{"openai", "gpt-5-of-the-future", ""}, // its family is known, and what that refuses
	} {
		row, ok := Find(tt.vendor, tt.model)
		var lacks []string
		for _, a := range []Ability{Images, Tools, Schema} {
			if row.Lacks(a) {
				lacks = append(lacks, string(a))
			}
		}
		if got := strings.Join(lacks, " "); !ok || got != tt.lacks {
			t.Errorf("%s/%s lacks %q, want %q", tt.vendor, tt.model, got, tt.lacks)
		}
	}
}
