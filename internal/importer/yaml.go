package importer

import (
	"fmt"
	"strconv"
	"strings"
)

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// most is how large a config may be with comments: Weir reads no larger one than 4 MiB.
const most = 3 << 20

// YAML is the config that the draft describes, with comments that name the places in the source and what is not exact. In a very large one the
// latter are missing, so that Weir reads it.
func (d *Draft) YAML() []byte {
	text := d.yaml(d.Report.doubts())
	if len(text) > most {
		text = d.yaml(nil)
	}
	return text
}

func (d *Draft) yaml(doubts map[string][]string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Made by weir import %s from %s: %s.\n# The report says of each value what became of it. Check it with: weir check\n", d.From, oneLine(d.File), d.Report.Summary())
	d.settings(&b)
	b.WriteString("\nproviders:")
	if len(d.Providers) == 0 {
		b.WriteString(" {}")
	}
	b.WriteString("\n")
	for _, p := range d.Providers {
		fmt.Fprintf(&b, "  %s:%s\n", quote(p.Name), place(p.At))
		for _, line := range p.lines() {
			b.WriteString("    " + line + "\n")
		}
	}
	b.WriteString("\nmodels:")
	if len(d.Models) == 0 {
		b.WriteString(" {}")
	}
	b.WriteString("\n")
	for _, m := range d.Models {
		if b.Len() > most { // YAML writes it again, without them
			doubts = nil
		}
		m.write(&b, doubts)
	}
	for _, o := range d.Offers {
		fmt.Fprintf(&b, "\n# %s\n", oneLine(o.Why))
		for _, line := range o.Lines {
			b.WriteString("# " + oneLine(line) + "\n")
		}
	}
	return []byte(b.String())
}

// settings writes what is neither a provider nor a model.
func (d *Draft) settings(b *strings.Builder) {
	var lines []string
	if d.AdminToken != "" {
		lines = append(lines, "admin: {token: "+quote(string(d.AdminToken))+"}")
	}
	if d.Timezone != "" {
		lines = append(lines, "timezone: "+literal(d.Timezone))
	}
	if d.Requests > 0 {
		lines = append(lines, "limits: {requests: "+decimal(d.Requests)+"}")
	}
	if len(lines) > 0 {
		b.WriteString("\n" + strings.Join(lines, "\n") + "\n")
	}
}

// place is a comment that names the line of a value.
func place(n *Node) string {
	if n == nil || n.Line == 0 {
		return ""
	}
	return fmt.Sprintf("   # line %d", n.Line)
}

// oneLine keeps a text from ending a comment.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 || r == 0xfeff {
			return ' '
		}
		return r
	}, s)
}

// lines are the fields of a provider.
func (p *Provider) lines() []string {
	lines := []string{"kind: " + quote(p.Kind)}
	for _, f := range []Setting{{"base_url", p.BaseURL}, {"api_version", p.APIVersion}, {"region", p.Region}, {"project", p.Project}, {"credentials_file", p.CredentialsFile}, {"proxy", p.Proxy}} {
		if f.Value != "" {
			lines = append(lines, f.line())
		}
	}
	switch len(p.APIKeys) {
	case 0:
	case 1:
		lines = append(lines, "api_key: "+quote(string(p.APIKeys[0])))
	default:
		keys := make([]string, len(p.APIKeys))
		for i, key := range p.APIKeys {
			keys[i] = quote(string(key))
		}
		lines = append(lines, "api_keys: ["+strings.Join(keys, ", ")+"]")
	}
	if len(p.AWS) > 0 {
		lines = append(lines, "aws: "+settings(p.AWS))
	}
	if p.SignsIn {
		lines = append(lines, "entra: "+settings(p.Entra))
	}
	if p.Concurrent > 0 {
		lines = append(lines, "concurrent: "+decimal(p.Concurrent))
	}
	if len(p.Headers) > 0 {
		lines = append(lines, "headers: "+settings(p.Headers))
	}
	if len(p.ForwardHeaders) > 0 {
		lines = append(lines, "forward_headers: "+texts(p.ForwardHeaders))
	}
	return lines
}

func (s *Setting) line() string { return s.Name + ": " + quote(string(s.Value)) }

// settings are names and values in one line.
func settings(all []Setting) string {
	parts := make([]string, len(all))
	for i := range all {
		parts[i] = quote(all[i].Name) + ": " + quote(string(all[i].Value))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// texts is a list of literal texts in one line.
func texts(all []string) string {
	parts := make([]string, len(all))
	for i, s := range all {
		parts[i] = literal(s)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// literal is a text that means itself as a value of the config.
func literal(s string) string { return quote(string(Literal(s))) }

// write writes a model.
func (m *Model) write(b *strings.Builder, doubts map[string][]string) {
	fmt.Fprintf(b, "  %s:%s\n", quote(m.Name), place(m.At))
	if m.Policy != "" {
		fmt.Fprintf(b, "    policy: %s\n", m.Policy)
	}
	b.WriteString("    targets:\n")
	for _, t := range m.Targets {
		if t.At != nil {
			for _, doubt := range doubts[t.At.Path] {
				b.WriteString("      # " + oneLine(doubt) + "\n")
			}
		}
		fmt.Fprintf(b, "      - %s\n", t.line())
	}
	if len(m.Fallbacks.To) > 0 {
		fmt.Fprintf(b, "    fallbacks: {on: [%s], to: %s}\n", strings.Join(m.Fallbacks.On, ", "), texts(m.Fallbacks.To))
	}
	var timeouts []string
	if m.First != "" {
		timeouts = append(timeouts, "first_token: "+m.First)
	}
	if m.Total != "" {
		timeouts = append(timeouts, "total: "+m.Total)
	}
	if len(timeouts) > 0 {
		fmt.Fprintf(b, "    timeouts: {%s}\n", strings.Join(timeouts, ", "))
	}
	if m.Attempts > 0 {
		fmt.Fprintf(b, "    retries: {max_attempts: %d}\n", m.Attempts)
	}
}

// line is a target in one line.
func (t *Target) line() string {
	fields := []string{"provider: " + literal(t.Provider.Name), "model: " + literal(t.Model)}
	if t.Like != "" {
		fields = append(fields, "like: "+literal(t.Like))
	}
	for _, f := range []struct {
		name string
		n    int64
	}{{"weight", t.Weight}, {"rpm", t.RPM}, {"tpm", t.TPM}, {"concurrent", t.Places}} {
		if f.n > 0 {
			fields = append(fields, f.name+": "+decimal(f.n))
		}
	}
	if len(t.Price) > 0 {
		parts := make([]string, len(t.Price))
		for i, p := range t.Price {
			parts[i] = p.Name + ": " + string(p.Value)
		}
		fields = append(fields, "price: {"+strings.Join(parts, ", ")+"}")
	}
	if len(t.Takes) > 0 {
		fields = append(fields, "capabilities: "+values(t.Takes))
	}
	var params []string
	if len(t.Default) > 0 {
		params = append(params, "default: "+values(t.Default))
	}
	if len(t.Set) > 0 {
		params = append(params, "set: "+values(t.Set))
	}
	if len(t.Omit) > 0 {
		params = append(params, "omit: "+texts(t.Omit))
	}
	if len(params) > 0 {
		fields = append(fields, "params: {"+strings.Join(params, ", ")+"}")
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

// values are names with values of any kind, in one line.
func values(all []JSON) string {
	parts := make([]string, len(all))
	for i, p := range all {
		parts[i] = quote(p.Name) + ": " + strings.ReplaceAll(p.Value, "$", "$$")
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
