package config

import (
	"slices"
	"strings"
)

// warn reports what a config without errors says and hardly means.
func (d *decoder) warn(c *Config) {
	switch {
	case c.Empty:
	case len(c.Providers) == 0 && len(c.Models) == 0:
		d.warnf(place{1, 1}, "the config has neither providers nor models, so callers only get errors: weir init writes a file to begin with")
	case len(c.Models) == 0:
		name := c.Providers[0].Name
		d.warnf(d.name(&c.Providers), "the config has providers but no models, so callers cannot use them: to pass all models of %s through, add the line   models: {%q: {targets: [%q]}}",
			name, name+"/*", name+"/*")
	}
	d.warnStore(c)
	d.warnLogin(c)
	d.warnVault(&c.Secrets.Vault)
	for i := range c.Models {
		d.warnTimeouts(&c.Models[i].Timeouts)
	}
	names := namesOf(c.Models)
	for i := range c.Teams {
		d.warnScope(c.Teams[i].Models, names)
	}
	for i := range c.Keys {
		d.warnScope(c.Keys[i].Models, names)
	}
}

// warnScope reports the patterns that match no model today.
func (d *decoder) warnScope(patterns, names []string) {
	for i := range patterns {
		pattern := &patterns[i]
		if hint, none := MatchesNone(*pattern, names); none {
			d.warnf(d.where(pattern), "%s matches no model today%s", d.quote(pattern, *pattern), hint)
		}
	}
}

// warnTimeouts reports what total never lets happen.
func (d *decoder) warnTimeouts(t *Timeouts) {
	for _, one := range []struct {
		name  string
		value *Duration
	}{{"connect", &t.Connect}, {"first_token", &t.FirstToken}, {"idle", &t.Idle}} {
		if d.given(one.value) && d.usable(&t.Total) && *one.value > t.Total {
			d.warnf(d.where(one.value), "%s %v has no effect, because total ends the request after %v: lower it, or raise total", one.name, *one.value, t.Total)
		}
	}
}

// MatchesNone reports whether a key's pattern matches none of the models, and if so hints at the one that was probably meant.
// Both may have *: in a pattern anywhere, in the name of a model at its end.
func MatchesNone(pattern string, models []string) (hint string, none bool) {
	if slices.ContainsFunc(models, func(name string) bool { return overlap(pattern, name) }) {
		return "", false
	}
	return suggest(strings.ReplaceAll(pattern, "*", ""), models, "the models are"), true
}

// overlap reports whether some name matches both patterns; each * matches any run of characters. It takes time and
// memory proportional to len(a)·len(b).
func overlap(a, b string) bool {
	for a != "" && b != "" && a[0] != '*' && b[0] != '*' { // most differ here, and cost nothing then
		if a[0] != b[0] {
			return false
		}
		a, b = a[1:], b[1:]
	}
	// below[j] says whether the rest of a from the current place overlaps the rest of b from j on; the row before it is
	// one place later.
	below := make([]bool, len(b)+1)
	for i := len(a); i >= 0; i-- {
		row := make([]bool, len(b)+1)
		for j := len(b); j >= 0; j-- {
			switch {
			case i == len(a) && j == len(b):
				row[j] = true
			case i < len(a) && a[i] == '*':
				row[j] = below[j] || j < len(b) && row[j+1]
			case j < len(b) && b[j] == '*':
				row[j] = row[j+1] || i < len(a) && below[j]
			default:
				row[j] = i < len(a) && j < len(b) && a[i] == b[j] && below[j+1]
			}
		}
		below = row
	}
	return below[0]
}
