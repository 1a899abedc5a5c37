package importer

import (
	"fmt"
	"slices"
	"strings"
)

// The most that a limit and a weight of Weir's may be.
const (
	maxLimit  = 1_000_000_000
	maxPlaces = 1_000_000
	maxWeight = 10_000
)

// limits converts what a deployment may get at once and in a minute.
func (l *litellm) limits(d *deployment, t *Target) {
	for _, f := range []struct {
		name, ours string
		most       int64
		to         *int64
	}{{"rpm", "rpm", maxLimit, &t.RPM}, {"tpm", "tpm", maxLimit, &t.TPM}, {"max_parallel_requests", "concurrent", maxPlaces, &t.Places}, {"weight", "weight", maxWeight, &t.Weight}} {
		n := d.params.Get(f.name)
		if n.IsNull() {
			continue
		}
		value, ok := n.Int()
		if !ok || value < 1 || value > f.most {
			l.Manual(n, fmt.Sprintf("Weir takes a whole number from 1 to %d here: it was left out", f.most))
			continue
		}
		*f.to = value
		l.Exact(n, f.ours+" of the target")
	}
	if n := d.params.Get("cooldown_time"); n != nil {
		l.Approximate(n, breaker)
	}
	for _, name := range []string{"max_retries", "num_retries"} {
		if n := d.params.Get(name); n != nil {
			l.Approximate(n, "left out: how often is tried is said of the model, in retries.max_attempts")
		}
	}
	if n := d.params.Get("order"); n != nil {
		d.order, _ = n.Int()
	}
}

// prices are LiteLLM's names of prices for one token, and Weir's for a million.
var prices = []struct{ theirs, ours string }{
	{"input_cost_per_token", "input"},
	{"output_cost_per_token", "output"},
	{"cache_read_input_token_cost", "cache_read"},
	{"cache_creation_input_token_cost", "cache_write"},
	{"cache_creation_input_token_cost_above_1hr", "cache_write_1h"},
	{"input_cost_per_audio_token", "input_audio"},
	{"output_cost_per_audio_token", "output_audio"},
	{"output_cost_per_reasoning_token", "reasoning"},
	{"input_cost_per_image_token", "input_image"},
	{"output_cost_per_image_token", "output_image"},
}

// price converts prices, which stand in litellm_params or in model_info. If the price of input or output cannot be read, the target gets no price: Weir
// then takes what it knows of the model, and a price of nothing would hide what is spent.
func (l *litellm) price(d *deployment, t *Target) {
	found, wrong := map[string]string{}, false
	for _, p := range prices {
		n := d.price(p.theirs)
		if n == nil {
			continue
		}
		if million, _, ok := perMillion(n.Text()); ok {
			found[p.ours] = million
			continue
		}
		l.Manual(n, "it is no price of one token, or too high: it was left out")
		wrong = wrong || p.ours == "input" || p.ours == "output"
	}
	for _, p := range prices {
		n := d.price(p.theirs)
		value, ok := found[p.ours]
		switch _, exact, _ := perMillion(n.Text()); {
		case !ok:
		case wrong:
			l.Approximate(n, "left out, because the price of its input or output is")
		case exact:
			l.Exact(n, fmt.Sprintf("price.%s of the target, for a million tokens", p.ours))
		default:
			l.Approximate(n, fmt.Sprintf("price.%s of the target, for a million tokens: $%s, because Weir counts in millionths of a dollar for a million", p.ours, value))
		}
	}
	if len(found) == 0 || wrong {
		return
	}
	for _, needed := range []string{"input", "output"} {
		if found[needed] == "" {
			found[needed] = "0"
			l.Approximate(d.params.Get("model"), fmt.Sprintf("it has a price, but none for %s tokens: they cost nothing", needed))
		}
	}
	for _, p := range prices {
		if value, ok := found[p.ours]; ok {
			t.Price = append(t.Price, Setting{p.ours, Text(value)})
		}
	}
}

// price is a price of that name.
func (d *deployment) price(name string) *Node {
	if n := d.params.First(name); n != nil {
		return n
	}
	return d.info.First(name)
}

// facts are LiteLLM's names of what a model takes, and Weir's.
var facts = []struct {
	theirs, ours string
	boolean      bool
}{
	{"max_input_tokens", "max_input_tokens", false},
	{"max_output_tokens", "max_output_tokens", false},
	{"supports_vision", "images", true},
	{"supports_function_calling", "tools", true},
	{"supports_audio_input", "audio", true},
	{"supports_pdf_input", "files", true},
	{"supports_response_schema", "structured_output", true},
	{"supports_tool_choice", "tool_choice", true},
	{"supports_assistant_prefill", "prefill", true},
}

// info converts model_info.
func (l *litellm) info(d *deployment, t *Target) {
	if d.info == nil {
		return
	}
	for _, name := range []string{"id", "description", "db_model", "created_at", "updated_at", "created_by", "updated_by", "team_id", "litellm_provider", "key", "base_model", "mode", "metadata"} {
		n := d.info.Get(name)
		if n == nil {
			continue
		}
		switch name {
		case "base_model":
			l.baseModel(n, t)
		case "mode":
			l.Exact(n, "not needed: Weir knows by the path of a request what is asked")
		case "team_id":
			l.Manual(n, "the model is one team's alone: give the other keys and teams models that leave it out")
		default:
			l.Exact(n, "not needed: it only describes the deployment")
		}
	}
	for _, f := range facts {
		l.fact(d.info.Get(f.theirs), f.ours, f.boolean, t)
	}
	if n := d.info.Get("max_tokens"); n != nil {
		if d.info.Get("max_output_tokens").IsNull() {
			l.fact(n, "max_output_tokens", false, t)
		} else {
			l.Exact(n, "the same as max_output_tokens")
		}
	}
}

// fact converts one thing that a model takes.
func (l *litellm) fact(n *Node, ours string, boolean bool, t *Target) {
	if n.IsNull() {
		return
	}
	if boolean {
		if _, ok := n.Bool(); !ok {
			l.Manual(n, "it is neither true nor false: it was left out")
			return
		}
		value, _ := n.Bool()
		t.Takes = append(t.Takes, JSON{ours, fmt.Sprint(value)})
	} else {
		value, ok := n.Int()
		if !ok || value < 1 || value > maxLimit {
			l.Manual(n, "it is no number of tokens: it was left out")
			return
		}
		t.Takes = append(t.Takes, JSON{ours, decimal(value)})
	}
	l.Exact(n, "capabilities."+ours+" of the target")
}

// baseModel converts base_model: the model whose price and properties apply.
func (l *litellm) baseModel(n *Node, t *Target) {
	vendor, name, ok := strings.Cut(n.Text(), "/")
	if kind, known := litellmKindOf(vendor); ok && known {
		t.Like = kind.kind + "/" + modelOf(kind.kind, name)
	} else {
		kind := t.Provider.Kind
		if kind == azureKind {
			kind = openaiKind
		}
		if bare := litellmBare(n.Text()); bare != "" && bare != "vertex_ai" {
			kind = bare
		}
		t.Like = kind + "/" + n.Text()
	}
	kind, model, _ := strings.Cut(t.Like, "/")
	if strings.HasSuffix(t.Model, "*") || !l.to.Known(kind, model) {
		l.Manual(n, fmt.Sprintf("Weir knows nothing of %s: set price at the target, or like with a model that is known", t.Like))
		t.Like = ""
		return
	}
	l.Exact(n, "like of the target")
}

// members are parameters of a request. Given in the config, LiteLLM adds them where the caller gives none.
var members = []string{
	"temperature", "top_p", "top_k", "min_p", "max_tokens", "max_completion_tokens", "reasoning_effort", "thinking", "stop", "seed", "n", "presence_penalty",
	"frequency_penalty", "repetition_penalty", "logit_bias", "logprobs", "top_logprobs", "response_format", "tools", "tool_choice", "parallel_tool_calls", "user",
	"modalities", "audio", "verbosity", "service_tier", "store", "metadata", "prediction", "safety_identifier", "prompt_cache_key", "web_search_options", "dimensions",
	"chat_template_kwargs", "reasoning", "include_reasoning", "num_ctx", "keep_alive", "think", "transforms", "provider",
}

// defaults converts parameters of requests that the config gives, extra_body among them, and those that it leaves out.
func (l *litellm) defaults(d *deployment, t *Target) {
	for _, name := range members {
		if n := d.params.Get(name); !n.IsNull() {
			l.parameter(n, name, t)
		}
	}
	if body := d.params.Get("extra_body"); body.IsMap() {
		for _, f := range body.Fields {
			l.parameter(f.Value, f.Name, t)
		}
	}
	dropped := d.params.Get("additional_drop_params")
	if dropped.IsNull() {
		return
	}
	for _, name := range dropped.Texts() {
		given := slices.ContainsFunc(t.Default, func(j JSON) bool { return strings.EqualFold(j.Name, name) })
		if !given && !strings.ContainsAny(name, ".[]*") && !slices.Contains(t.Omit, name) && !reads(name) {
			t.Omit = append(t.Omit, name)
		}
	}
	l.Approximate(dropped, "params.omit of the target: it replaces what Weir itself leaves out for this model; names of parts of members are left out")
}

// reads reports whether Weir reads or writes a member of a request itself.
func reads(name string) bool {
	return slices.Contains([]string{"input", "messages", "model", "prompt", "stream", "stream_options", "encoding_format"}, strings.ToLower(name))
}

// parameter adds one to what the target's requests have by default.
func (l *litellm) parameter(n *Node, name string, t *Target) {
	if reads(name) {
		l.Unsupported(n, "left out: Weir reads this member of requests itself")
		return
	}
	if slices.ContainsFunc(t.Default, func(j JSON) bool { return j.Name == name }) {
		l.Approximate(n, "left out: it is given twice, and the other counts")
		return
	}
	if strings.HasPrefix(n.Text(), environment) {
		l.Manual(n, "left out: a parameter of requests cannot come from a variable")
		return
	}
	t.Default = append(t.Default, JSON{name, n.JSON()})
	l.Exact(n, "params.default of the target")
}
