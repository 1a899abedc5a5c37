package gemini

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Objects within a request whose members only this API knows.
const (
	configName   = "generationConfig"
	thinkingName = configName + ".thinkingConfig"
)

// form is what the answer has to look like, while it is read.
type form struct {
	media      string
	schema     llm.JSON
	name       string   // name of the member that holds the schema
	mediaValue llm.JSON // as media is spelled
}

func (d *decoder) config(value llm.JSON) {
	if !d.Is(value, '{', configName) {
		return
	}
	var f form
	for name, v := range draft.Given(value) {
		own := string(camel(name))
		param := configName + "." + own
		switch own {
		case "maxOutputTokens":
			n, err := strconv.ParseInt(string(d.number(v, param)), 10, 64)
			if d.Out.MaxToken = n; err != nil || n < 1 {
				d.Wrong(llm.InvalidValue, param, fmt.Sprintf("'%s' must be a whole number above zero.", param))
			}
		case "stopSequences":
			d.stop(v, param)
		case "responseMimeType":
			if d.Is(v, '"', param) {
				f.media, f.mediaValue = v.Text(), v
			}
		case "responseSchema", "responseJsonSchema":
			if d.Is(v, '{', param) {
				f.schema, f.name = v, own
			}
		case "responseModalities":
			if !onlyText(v) {
				d.extra(configName, own, v)
			}
		case "thinkingConfig":
			d.thinking(v)
		default:
			d.setting(own, string(name), v)
		}
	}
	d.format(f)
}

// onlyText reports whether a list of modalities is what holds without one.
func onlyText(list llm.JSON) bool {
	for _, modality := range jsonwalk.Elements(list) {
		if string(modality) != `"TEXT"` {
			return false
		}
	}
	return list.Kind() == '['
}

// setting reads a parameter that OpenAI's API has, too, or one that it has not.
func (d *decoder) setting(own, spelled string, value llm.JSON) {
	param := configName + "." + own
	for openai, name := range settings {
		switch {
		case name != own:
		case openai == "logprobs":
			if d.Is(value, 't', param) && value[0] == 't' {
				d.param(openai, value)
			}
			return
		default:
			if n := d.number(value, param); openai != "n" || string(n) != "1" {
				d.param(openai, n)
			}
			return
		}
	}
	d.extra(configName, spelled, value)
}

func (d *decoder) stop(value llm.JSON, param string) {
	if !d.Is(value, '[', param) {
		return
	}
	d.Out.Stop = nil
	for i, text := range jsonwalk.Elements(value) {
		text, at := llm.JSON(text), fmt.Sprintf("%s[%d]", param, i)
		if d.Is(text, '"', at) && len(text.Inner()) == 0 {
			d.Wrong(llm.InvalidValue, at, fmt.Sprintf("'%s' must not be empty.", at))
		}
		d.Out.Stop = append(d.Out.Stop, text)
	}
}

// format says what the answer has to look like. A schema without its media type is kept for this API only.
func (d *decoder) format(f form) {
	const jsonType = "application/json"
	if f.media != jsonType {
		if f.media != "" && f.media != "text/plain" {
			d.extra(configName, "responseMimeType", f.mediaValue)
		}
		if f.schema != nil {
			d.extra(configName, f.name, f.schema)
		}
		return
	}
	if d.Out.Format.Kind = llm.FormatJSON; f.schema != nil {
		d.Out.Format = llm.Format{Kind: llm.FormatSchema, Schema: d.schema(configName, f.name, f.schema)}
	}
}

// thinking reads how much the model is to reason, a level or a number of tokens, and whether its thoughts are shown. In OpenAI's
// words they always are; what says otherwise is the API's own, and null where the caller did not say so.
func (d *decoder) thinking(value llm.JSON) {
	if !d.Is(value, '{', thinkingName) {
		return
	}
	shown, leveled, counted := llm.JSON("null"), false, false
	for name, v := range draft.Given(value) {
		switch own := string(camel(name)); own {
		case "includeThoughts":
			if d.Is(v, 't', thinkingName+"."+own) && v[0] == 't' {
				shown, d.Out.Summary = v, llm.JSON(`"auto"`)
			}
		case "thinkingLevel":
			if word := v.Text(); slices.Contains([]string{minimal, low, medium, high}, strings.ToUpper(word)) {
				leveled, d.Out.Effort = true, strings.ToLower(word)
			} else {
				d.extra(thinkingName, own, v)
			}
		case "thinkingBudget":
			counted = true
			d.budget(v)
		default:
			d.extra(thinkingName, string(name), v)
		}
	}
	if leveled && counted {
		d.Wrong(llm.InvalidValue, thinkingName, "You can only set only one of thinking budget and thinking level.")
	}
	if asked := d.Out.Effort != "" && d.Out.Effort != "none"; asked != (shown[0] == 't') {
		d.extra(thinkingName, "includeThoughts", shown)
		d.Out.Extras[len(d.Out.Extras)-1].Summarizes = shown[0] == 't'
	}
}

// budget reads the number of tokens to reason with. One below zero leaves it to the model.
func (d *decoder) budget(value llm.JSON) {
	const param = thinkingName + ".thinkingBudget"
	number := d.number(value, param)
	switch n, err := strconv.ParseInt(string(number), 10, 32); {
	case err != nil:
		d.Wrong(llm.InvalidValue, param, fmt.Sprintf("'%s' must be a whole number.", param))
	case n < 0:
		d.extra(thinkingName, "thinkingBudget", number)
	case n == 0:
		d.Out.Effort = "none"
	default:
		d.Out.Effort, d.Out.Budget = llm.EffortOf(n), n
	}
}
