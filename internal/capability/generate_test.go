package capability

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/recorded"
)

var update = flag.Bool("update", false, "write table.tsv anew from the data kept beside the repository")

// The data, next to the repository: the response of https://models.dev/api.json, and what it lacks of prices in the package genai-prices.
const (
	dataFile    = "prices/models.dev.api.selected.json"
	licenceFile = "prices/LICENSE.models.dev"

	feesFile        = "prices/genai-prices.npm-0.1.8.data.json"
	feesLicenceFile = "prices/LICENSE.genai-prices"
)

// vendors are those of the data whose models the table holds, as the data names them.
var vendors = []string{
	"alibaba", "amazon-bedrock", "anthropic", "azure", "cerebras", "cloudflare-workers-ai", "cohere", "databricks", "deepseek", "fireworks-ai",
	"github-models", "google", "google-vertex", "google-vertex-anthropic", "groq", "huggingface", "mistral", "moonshotai", "nvidia", "openai",
	"openrouter", "perplexity", "togetherai", "xai", "zai",
}

// sourceModel is what the data says of a model.
type sourceModel struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Family      string `json:"family"`
	Updated     string `json:"last_updated"`
	Attachment  bool   `json:"attachment"`
	Reasoning   bool   `json:"reasoning"`
	Tools       bool   `json:"tool_call"`
	Schema      bool   `json:"structured_output"`
	Temperature *bool  `json:"temperature"`
	Options     []struct {
		Type     string    `json:"type"`
		Values   []*string `json:"values"`
		Min, Max int
	} `json:"reasoning_options"`
	Modalities struct{ Input, Output []string } `json:"modalities"`
	Limit      struct{ Context, Input, Output int }
	Cost       *struct {
		sourcePrice
		Tiers []struct {
			Tier struct{ Size int }
			sourcePrice
		}
	}
}

type sourcePrice struct {
	Input       *float64 `json:"input"`
	Output      *float64 `json:"output"`
	CacheRead   *float64 `json:"cache_read"`
	CacheWrite  *float64 `json:"cache_write"`
	Reasoning   *float64 `json:"reasoning"`
	InputAudio  *float64 `json:"input_audio"`
	OutputAudio *float64 `json:"output_audio"`
}

// TestTable: the table is what the data says. With -update it is written.
func TestTable(t *testing.T) {
	t.Parallel()
	data, ok := beside(t, dataFile)
	licence, _ := beside(t, licenceFile)
	fees, also := beside(t, feesFile)
	feesLicence, _ := beside(t, feesLicenceFile)
	licence, ok = slices.Concat(licence, []byte("\n---\n\n"), feesLicence), ok && also
	switch {
	case !ok && *update:
		t.Fatalf("the data is not kept beside the repository, as %s and %s", dataFile, feesFile)
	case !ok:
		t.Skipf("the data is not kept beside the repository, as %s and %s: the table is not compared with it", dataFile, feesFile)
	}
	made := generate(t, data, readFees(t, fees))
	if *update {
		write(t, "table.tsv", made)
		write(t, "table.LICENSE", licence)
		return
	}
	if diff := cmp.Diff(table, string(made)); diff != "" {
		t.Errorf("make generate would change table.tsv:\n%s", diff)
	}
	kept, err := os.ReadFile("table.LICENSE")
	if err != nil || !bytes.Equal(kept, licence) {
		t.Errorf("table.LICENSE is not the licence of the data: %v", err)
	}
}

func beside(t *testing.T, name string) (content []byte, ok bool) {
	t.Helper()
	found, ok, err := recorded.Beside(filepath.FromSlash(name))
	if err == nil && ok {
		content, err = os.ReadFile(found)
	}
	if err != nil {
		t.Fatal(err)
	}
	return content, ok
}

func write(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

func generate(t *testing.T, data []byte, fees vendorFees) []byte {
	t.Helper()
	var source map[string]struct{ Models map[string]sourceModel }
	if err := json.Unmarshal(data, &source); err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	newest := ""
	for _, vendor := range vendors {
		if len(source[vendor].Models) == 0 {
			t.Errorf("the data has no models of %s", vendor)
		}
		for id, m := range source[vendor].Models {
			newest = max(newest, m.Updated)
			var input *float64
			if m.Cost != nil {
				input = m.Cost.Input
			}
			rows = append(rows, m.row(vendor, id, fees.of(vendor, id, input)))
		}
	}
	slices.SortFunc(rows, slices.Compare)
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Written by make generate; not to be edited. The data is that of https://models.dev, as of %s,\n", newest)
	b.WriteString("# with fees and some rates of https://github.com/pydantic/genai-prices, both under the MIT licences in table.LICENSE.\n")
	b.WriteString("# vendor, model, name, params (params.go), abilities, context, input, output, efforts, budget,\n")
	b.WriteString("# prices in millionths of a dollar for a million tokens (above:input,output,cache read,cache write,reasoning,input audio,output audio,\n")
	b.WriteString("# cache write for an hour,input image,output image), fees in millionths of a dollar for a thousand (searches,calls)\n")
	for _, row := range rows {
		line := strings.Join(row, "\t")
		if strings.Count(line, "\t") != columns-1 || strings.ContainsAny(line, "\n\r") {
			t.Errorf("a row cannot be written: %q", line)
		}
		b.WriteString(line + "\n")
	}
	return b.Bytes()
}

// row is the model's line of the table.
func (m *sourceModel) row(vendor, id string, fees *fees) []string {
	var efforts []string
	budget := ""
	abilities := []string{}
	say := func(a Ability, yes bool) {
		if yes && !slices.Contains(abilities, string(a)) {
			abilities = append(abilities, string(a))
		}
	}
	say(Reasons, m.Reasoning)
	for _, o := range m.Options {
		say(Toggles, o.Type == "toggle")
		for _, v := range o.Values {
			if v != nil {
				efforts = append(efforts, *v)
			}
		}
		if o.Type == "budget_tokens" {
			say(Budgets, true)
			budget = digits(max(o.Min, 0)) + "-" + digits(max(o.Max, 0))
		}
	}
	say(Tools, m.Tools)
	say(Schema, m.Schema)
	say(Temperature, m.Temperature != nil && *m.Temperature)
	say(Files, m.Attachment)
	for _, a := range []Ability{Images, PDF, Audio, Video} {
		say(a, slices.Contains(m.Modalities.Input, string(a)))
	}
	output := m.Limit.Output
	if m.embeds() {
		output = 0 // it is the length of a vector
	}
	return []string{
		vendor, id, m.Name, m.params(vendor, id), strings.Join(abilities, ","),
		digits(m.Limit.Context), digits(m.Limit.Input), digits(output), strings.Join(efforts, ","), budget, m.prices(fees), fees.column(),
	}
}

func (m *sourceModel) embeds() bool { return strings.Contains(m.Family+m.ID, "embed") }

// params are the letters of the model's family. What has no family refuses a temperature if the data says so; that says
// nothing about models that do not chat.
func (m *sourceModel) params(vendor, id string) string {
	if _, letters := family(vendor, bare(id)); letters != "" {
		return strings.Trim(letters, "-")
	}
	chats := slices.Contains(m.Modalities.Input, "text") && slices.Contains(m.Modalities.Output, "text") && !m.embeds()
	if chats && m.Temperature != nil && !*m.Temperature {
		return string(noTemperature)
	}
	return ""
}

func (m *sourceModel) prices(fees *fees) string {
	if m.Cost == nil {
		return ""
	}
	tiers := []string{":" + m.Cost.classes(fees.rates(0))}
	for _, tier := range m.Cost.Tiers {
		tiers = append(tiers, digits(tier.Tier.Size)+":"+tier.classes(fees.rates(tier.Tier.Size)))
	}
	return strings.Join(tiers, ";")
}

// classes are the prices of a million tokens, which the data has in dollars, more of them at the end.
func (p *sourcePrice) classes(more []*float64) string {
	var all []string
	for _, class := range append([]*float64{p.Input, p.Output, p.CacheRead, p.CacheWrite, p.Reasoning, p.InputAudio, p.OutputAudio}, more...) {
		all = append(all, millionths(class))
	}
	return strings.TrimRight(strings.Join(all, ","), ",")
}

// millionths is an amount of dollars in millionths, nothing for none.
func millionths(dollars *float64) string {
	if dollars == nil {
		return ""
	}
	return strconv.FormatInt(int64(math.Round(*dollars*1e6)), 10)
}

// digits is a number, or nothing for zero.
func digits(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
