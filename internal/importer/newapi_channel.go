package importer

import (
	"fmt"
	"slices"
	"strings"
)

// newapiKind says what Weir calls a type of channel. Without a base the kind has the same address.
type newapiKind struct {
	kind string
	base string // what is called where the channel has no address
	tail string // what Weir's base_url has after the channel's
}

// newapiKinds are the types of new-api's channels that Weir serves.
var newapiKinds = map[int64]newapiKind{
	1: {openaiKind, "", "/v1"}, 3: {azureKind, "", ""}, 4: {ollamaKind, "", "/v1"}, 6: {openaiKind, "https://api.openaimax.com/v1", "/v1"},
	7: {openaiKind, "https://api.ohmygpt.com/v1", "/v1"}, 8: {openaiKind, "", ""}, 10: {openaiKind, "https://api.aiproxy.io/v1", "/v1"},
	12: {openaiKind, "https://api.api2gpt.com/v1", "/v1"}, 13: {openaiKind, "https://api.aigc2d.com/v1", "/v1"}, 14: {anthropicKind, "", "/v1"},
	17: {"qwen", "https://dashscope.aliyuncs.com/compatible-mode/v1", "/compatible-mode/v1"}, 19: {openaiKind, "https://api.360.cn/v1", "/v1"}, 20: {"openrouter", "", "/v1"},
	24: {geminiKind, "", "/v1beta"}, 25: {"moonshot", "https://api.moonshot.cn/v1", "/v1"}, 26: {"zai", "https://open.bigmodel.cn/api/paas/v4", "/api/paas/v4"},
	27: {"perplexity", "", ""}, 31: {openaiKind, "https://api.lingyiwanwu.com/v1", "/v1"}, 33: {bedrockKind, "", ""}, 34: {cohereKind, "", ""},
	35: {"minimax", "https://api.minimax.chat/v1", "/v1"}, 38: {openaiKind, "https://api.jina.ai/v1", "/v1"}, 40: {"siliconflow", "https://api.siliconflow.cn/v1", "/v1"},
	41: {vertexKind, "", ""}, 42: {"mistral", "", "/v1"}, 43: {"deepseek", "", "/v1"}, 45: {openaiKind, "https://ark.cn-beijing.volces.com/api/v3", "/api/v3"},
	46: {openaiKind, "https://qianfan.baidubce.com/v2", "/v2"}, 47: {openaiKind, "http://127.0.0.1:9997/v1", "/v1"}, 48: {"xai", "", "/v1"}, 53: {openaiKind, "https://llm.submodel.ai/v1", "/v1"},
}

// oneapiKinds are those of one-api's that differ: from 25 on its numbers are others.
var oneapiKinds = map[int64]newapiKind{
	25: newapiKinds[25], 26: {openaiKind, "https://api.baichuan-ai.com/v1", "/v1"}, 27: newapiKinds[35], 28: newapiKinds[42], 29: {"groq", "", "/v1"}, 30: newapiKinds[4],
	31: newapiKinds[31], 32: {openaiKind, "https://api.stepfun.com/v1", "/v1"}, 33: newapiKinds[33], 35: newapiKinds[34], 36: newapiKinds[43], 39: {"together", "", "/v1"},
	40: newapiKinds[45], 41: {"novita", "", ""}, 42: newapiKinds[41], 44: newapiKinds[40], 45: newapiKinds[48], 47: newapiKinds[46], 49: newapiKinds[17], 50: newapiKinds[8],
	51: {geminiKind, "", "/v1beta"},
}

// firstOther is the first type whose number is another one in one-api.
const firstOther = 25

func (a *newapi) kindOf(number int64) (k newapiKind, ok bool) {
	if a.one && number >= firstOther {
		k, ok = oneapiKinds[number]
		return k, ok
	}
	k, ok = newapiKinds[number]
	return k, ok
}

// channel converts a row of channels.
func (a *newapi) channel(n *Node) {
	a.statistics(n)
	number, _ := n.Get("type").Int()
	kind, ok := a.kindOf(number)
	if status, known := n.Get("status").Int(); known && status != enabled {
		a.say(n, Approximate, "left out: the channel is switched off")
		return
	}
	if !ok {
		a.say(n, Unsupported, fmt.Sprintf("left out: Weir has no kind of provider like type %d", number))
		return
	}
	name := word(n.Get("name").Text())
	if name == "" {
		name = "channel-" + n.Get("id").Text()
	}
	p := Provider{Name: name, At: n, Kind: kind.kind}
	if !a.address(n, kind, &p) {
		return
	}
	setting := row(n.Get("setting"))
	if proxy := setting.Get("proxy"); proxy.Text() != "" {
		p.Proxy = Literal(proxy.Text())
		if strings.Contains(proxy.Text(), "@") { // it has a password
			value, variable := a.secrets.hide(proxy.Text(), "PROXY_URL")
			p.Proxy = value
			a.about(n.Get("setting"), Manual, fmt.Sprintf("proxy has a password, and is not copied: set the variable %s to it", variable))
		}
	}
	a.headers(n, &p)
	if !a.key(n, &p) {
		a.say(n, Approximate, "left out: all keys of the channel are switched off")
		return
	}
	if org := n.Get("openai_organization"); org.Text() != "" {
		p.Headers = append(p.Headers, Setting{"OpenAI-Organization", Literal(org.Text())})
		a.say(org, Exact, "a header of the provider")
	}
	provider := a.to.Provider(p)
	a.say(n.Get("name"), Exact, "the provider "+provider.Name)
	a.say(n.Get("type"), Exact, "kind of the provider")
	a.settings(n, setting)
	a.serve(n, provider)
}

// address sets base_url, and what a cloud needs.
func (a *newapi) address(n *Node, kind newapiKind, p *Provider) bool {
	base := n.Get("base_url")
	p.BaseURL = Text(kind.base)
	if base.Text() != "" {
		address, why := rootOf(base.Text(), kind.tail)
		if why != "" {
			a.say(n, Unsupported, "left out, because "+strings.Replace(why, "api_base", "base_url", 1))
			return false
		}
		p.BaseURL = Literal(address)
		a.say(base, Exact, "base_url of the provider")
	}
	config, other := row(n.Get("config")), n.Get("other")
	switch p.Kind {
	case azureKind:
		version := other.Text()
		if version == "" {
			version = config.Get("api_version").Text()
		}
		if p.BaseURL == "" {
			a.say(n, Manual, "left out: the channel has no base_url, the address of its resource")
			return false
		}
		if version == "" {
			p.BaseURL += "/openai/v1"
		} else {
			p.APIVersion = Literal(version)
		}
	case bedrockKind, vertexKind:
		p.Region = Variable(strings.ToUpper(variableName(p.Name)) + "_REGION")
		if region := config.Get("region"); region.Text() != "" {
			p.Region = Literal(region.Text())
		}
		if p.Kind == vertexKind {
			p.Project = Variable(strings.ToUpper(variableName(p.Name)) + "_PROJECT")
			if project := config.Get("vertex_ai_project_id"); project.Text() != "" {
				p.Project = Literal(project.Text())
			}
			if region := other.Text(); region != "" && !strings.HasPrefix(region, "{") {
				p.Region = Literal(region)
			}
		}
	}
	if other.Text() != "" {
		a.say(other, Approximate, "api_version or region of the provider; what else it says was left out")
	}
	if n.Get("config") != nil {
		a.say(n.Get("config"), Approximate, "region, project and api_version of the provider; what else it says was left out")
	}
	return true
}

// key sets the credentials, which are not copied; false if all are switched off.
func (a *newapi) key(n *Node, p *Provider) bool {
	key := n.Get("key")
	switch {
	case key.Text() == "":
		if p.Kind != ollamaKind && p.Kind != vertexKind && p.Kind != bedrockKind {
			name := a.secrets.free(keyVariable(p.Name))
			p.APIKeys = []Text{Variable(name)}
			a.Add(Finding{n.File, n.Line, n.Column, Manual, n.Path, fmt.Sprintf("the source has no key, as what the managing API answers: set the variable %s to it", name)})
		}
		return true
	case p.Kind == vertexKind:
		a.say(key, Manual, "the credentials are not copied: write them to a file, and set credentials_file")
		return true
	case p.Kind == bedrockKind && strings.Contains(key.Text(), "|"):
		a.aws(key, p)
		return true
	}
	info := row(n.Get("channel_info"))
	keys := []string{strings.TrimSpace(key.Text())}
	if multi, _ := info.Get("is_multi_key").Bool(); multi || a.one {
		keys = strings.Fields(key.Text())
	}
	var variables []string
	for i, one := range keys {
		if status, known := info.Get("multi_key_status_list").Get(decimal(int64(i))).Int(); known && status != enabled {
			continue
		}
		value, variable := a.secrets.hide(one, keyVariable(p.Name))
		p.APIKeys = append(p.APIKeys, value)
		if variable != "" {
			variables = append(variables, variable)
		}
	}
	if len(variables) == 0 {
		a.say(key, Exact, "api_key of the provider")
	} else {
		a.say(key, Manual, "the secret is not copied: set the variable "+strings.Join(variables, ", ")+" to it")
	}
	return len(p.APIKeys) > 0
}

// aws sets an access key, which new-api keeps as its id, its secret and the region with bars between.
func (a *newapi) aws(key *Node, p *Provider) {
	all := strings.Split(strings.TrimSpace(key.Text()), "|")
	variables := make([]string, 2)
	for i, name := range []string{"access_key_id", "secret_access_key"} {
		value, variable := a.secrets.hide(all[i], "AWS_"+strings.ToUpper(name))
		p.AWS = append(p.AWS, Setting{name, value})
		variables[i] = variable
	}
	if len(all) > 2 && all[2] != "" {
		p.Region = Literal(all[2])
	}
	a.say(key, Manual, fmt.Sprintf("the secret is not copied: set the variables %s to its parts", strings.Join(variables, " and ")))
}

// headers sets headers that replace others.
func (a *newapi) headers(n *Node, p *Provider) {
	override := n.Get("header_override")
	if override.Text() == "" && !override.IsMap() {
		return
	}
	left := false
	for _, f := range row(override).fields() {
		if strings.Contains(f.Value.Text(), "{") || f.Value.Text() == "" || strings.ContainsAny(f.Name, "* ") || ownHeader(f.Name) {
			left = true
			continue
		}
		value := Literal(f.Value.Text())
		if secretHeader(f.Name, f.Value.Text()) {
			value, _ = a.secrets.hide(f.Value.Text(), "HEADER_"+strings.ToUpper(f.Name))
			left = true
		}
		p.Headers = append(p.Headers, Setting{f.Name, value})
	}
	if left {
		a.say(override, Manual, "headers of the provider, without those with placeholders and those that Weir sets itself: look at them, and set the variables of secrets")
		return
	}
	a.say(override, Exact, "headers of the provider")
}

// serve adds the channel to the models that it has.
func (a *newapi) serve(n *Node, provider *Provider) {
	mapping := row(n.Get("model_mapping"))
	priority, _ := n.Get("priority").Int()
	weight, _ := n.Get("weight").Int()
	groups := parts(n.Get("group").Text())
	if n.Get("group") == nil {
		groups = []string{standardGroup}
	}
	var left []string
	set := a.overrides(n)
	for _, name := range parts(n.Get("models").Text()) {
		upstream := name
		if to := mapping.Get(name).Text(); to != "" {
			upstream = to
		}
		if nameProblem(name) != "" || nameProblem(upstream) != "" || strings.Contains(name, "*") || strings.Contains(upstream, "*") || litellmUnserved(litellmModeOf(name)) {
			left = append(left, name)
			continue
		}
		if len(a.legs[name]) == 0 {
			a.names = append(a.names, name)
		}
		a.legs[name] = append(a.legs[name], newapiLeg{priority, weight, &Target{At: n, Provider: provider, Model: upstream, Set: set}})
		for _, group := range groups {
			if a.groups[group] == nil {
				a.groups[group] = map[string]bool{}
			}
			a.groups[group][name] = true
		}
	}
	if len(left) > 0 {
		a.say(n.Get("models"), Approximate, "models of these names, without those that Weir does not serve or cannot name: "+strings.Join(left, ", "))
	} else {
		a.say(n.Get("models"), Exact, "models of these names")
	}
	for _, f := range []struct{ name, text string }{{"model_mapping", "the target's model"}, {"priority", "channels of lower priority are fallbacks"}, {"weight", "weight of the target"}, {"group", "models that tokens of the group may use"}} {
		a.say(n.Get(f.name), Exact, f.text)
	}
}

// overrides are members of requests that the channel sets.
func (a *newapi) overrides(n *Node) (set []JSON) {
	override := n.Get("param_override")
	if override.Text() == "" && !override.IsMap() {
		return nil
	}
	all := row(override)
	if all == nil || all.Get("operations") != nil {
		a.say(override, Manual, "left out: set params of the targets to what it does")
		return nil
	}
	for _, f := range all.Fields {
		if !reads(f.Name) && !strings.Contains(f.Name, ".") {
			set = append(set, JSON{f.Name, f.Value.JSON()})
		}
	}
	if len(set) < len(all.Fields) {
		a.say(override, Approximate, "params.set of the targets, without members that Weir reads itself and parts of members")
	} else {
		a.say(override, Exact, "params.set of the targets")
	}
	return set
}

// settings reports what is left of the channel's settings.
func (a *newapi) settings(n, setting *Node) {
	if set := n.Get("setting"); set != nil {
		other := slices.ContainsFunc(setting.fields(), func(f Field) bool {
			on, isBool := f.Value.Bool()
			return f.Name != "proxy" && (isBool && on || !isBool && f.Value.Text() != "")
		})
		if other {
			a.say(set, Manual, "proxy of the provider; what else it says, such as a system prompt, was left out")
		} else {
			a.say(set, Exact, "proxy of the provider")
		}
	}
	if mapping := n.Get("status_code_mapping"); mapping != nil {
		if text := strings.TrimSpace(mapping.Text()); text == "" || text == "{}" {
			a.say(mapping, Exact, "none")
		} else {
			a.say(mapping, Unsupported, "Weir answers with the status that a failure has")
		}
	}
	if prompt := n.Get("system_prompt"); prompt.Text() != "" {
		a.say(prompt, Unsupported, "Weir adds no prompts")
	}
}

// statistics are columns that count or describe.
func (a *newapi) statistics(n *Node) {
	for _, name := range []string{
		"id", "status", "created_time", "test_time", "response_time", "balance", "balance_updated_time", "used_quota", "test_model", "auto_ban", "tag", "remark", "other_info",
		"need_reconcile", "channel_info", "settings",
	} {
		switch f := n.Get(name); {
		case f == nil:
		case name == "auto_ban":
			a.say(f, Approximate, breaker)
		case name == "settings" && f.Text() != "" && f.Text() != "{}":
			a.say(f, Manual, "what it says was left out: look whether it is needed")
		default:
			a.say(f, Exact, "read, or not needed")
		}
	}
	for _, name := range []string{"base_url", "key", "other", "model_mapping", "param_override", "header_override", "openai_organization", "system_prompt", "config", "setting"} {
		if f := n.Get(name); f != nil && f.Text() == "" && !f.IsMap() {
			a.say(f, Exact, "none")
		}
	}
}
