package config

import (
	"slices"
	"strings"
	"time"
)

func (d *decoder) checkKeys(c *Config) {
	byName, byDigest := map[string]*Key{}, map[Digest]*Key{}
	known, teams := namesOf(c.Models), d.checkTeams(c)
	for i := range c.Keys {
		k := &c.Keys[i]
		if !d.usable(k) {
			continue
		}
		if d.given(&k.Name) {
			if err := checkName(k.Name); err != nil {
				d.errorf(d.where(&k.Name), "key name %s %v", d.quote(&k.Name, k.Name), err)
			}
		}
		if other, twice := byName[k.Name]; d.given(&k.Name) && twice {
			d.errorf(d.where(&k.Name), "key %s is here twice (first on line %d): give it another name", d.quote(&k.Name, k.Name), d.where(&other.Name).line)
		}
		if other, twice := byDigest[k.Digest]; d.given(&k.Digest) && twice {
			d.errorf(d.where(&k.Digest), "this is the same key as the one on line %d: remove one", d.where(&other.Digest).line)
		}
		byName[k.Name], byDigest[k.Digest] = k, k
		d.checkScope(&k.Models, known, d.usable(&c.Models))
		d.checkRates(&k.RPM, &k.TPM, &k.Concurrent)
		d.checkSpending(&k.Spending)
		d.checkKept(&k.Idempotency)
		if d.given(&k.Team) && d.usable(&c.Teams) && !slices.Contains(teams, k.Team) {
			d.errorf(d.where(&k.Team), "unknown team %s%s", d.quote(&k.Team, k.Team), suggest(k.Team, teams, "the teams are"))
		}
	}
}

// checkTeams checks the teams, and returns their names.
func (d *decoder) checkTeams(c *Config) []string {
	c.teamsAt = d.name(&c.Teams)
	known, seen, names := namesOf(c.Models), map[string]*Team{}, []string{}
	for i := range c.Teams {
		t := &c.Teams[i]
		if !d.usable(t) {
			continue
		}
		if d.given(&t.Name) {
			if err := checkName(t.Name); err != nil {
				d.errorf(d.where(&t.Name), "team name %s %v", d.quote(&t.Name, t.Name), err)
			}
			if other, twice := seen[t.Name]; twice {
				d.errorf(d.where(&t.Name), "team %s is here twice (first on line %d): give it another name", d.quote(&t.Name, t.Name), d.where(&other.Name).line)
			}
			seen[t.Name], names = t, append(names, t.Name)
		}
		d.checkScope(&t.Models, known, d.usable(&c.Models))
		d.checkRates(&t.RPM, &t.TPM, &t.Concurrent)
		d.checkSpending(&t.Spending)
	}
	return names
}

// How long a key's answers may be kept.
const (
	minKept = time.Minute
	maxKept = 30 * 24 * time.Hour
)

// checkKept checks how long answers are kept.
func (d *decoder) checkKept(keep *Duration) {
	if d.given(keep) && (keep.D() < minKept || keep.D() > maxKept || keep.D()%time.Second != 0) {
		d.errorf(d.where(keep), "idempotency must be from 1m to 720h in whole seconds, such as 24h; remove it to keep no answers")
	}
}

// maxLimit is the highest limit.
const maxLimit = 1_000_000_000

// checkRates checks the limits of a key, a team or a model, or those of a target, which come without concurrent.
func (d *decoder) checkRates(limits ...*int) {
	names := [...]string{"rpm", "tpm", "concurrent"}
	for i, value := range limits {
		if d.given(value) && (*value < 1 || *value > maxLimit) {
			d.errorf(d.where(value), "%s must be from 1 to %d; remove it for no limit", names[i], maxLimit)
		}
	}
}

// TeamsError is an error about the teams of the config, at their place in the file.
func (c *Config) TeamsError(message string) error {
	return Errors{&Error{File: c.Path, Line: max(c.teamsAt.line, 1), Column: max(c.teamsAt.column, 1), Message: message}}
}

func namesOf(models []Model) []string {
	names := make([]string, len(models))
	for i := range models {
		names[i] = models[i].Name
	}
	return names
}

// checkScope checks what a key or a team may use; complete says whether known are all the models there are.
func (d *decoder) checkScope(models *[]string, known []string, complete bool) {
	if d.given(models) && len(*models) == 0 {
		d.errorf(d.where(models), "models is empty: name at least one, or remove the line to allow all")
	}
	for i := range *models {
		pattern := &(*models)[i]
		if !d.usable(pattern) {
			continue
		}
		if err := checkModelName(*pattern); err != nil {
			d.errorf(d.where(pattern), "model %s %v", d.quote(pattern, *pattern), err)
			continue
		}
		// A pattern may wait for models that come later; a plain name that nothing serves is a slip.
		serves := func(name string) bool {
			prefix, wild := strings.CutSuffix(name, "*")
			return *pattern == name || wild && strings.HasPrefix(*pattern, prefix)
		}
		if complete && !strings.Contains(*pattern, "*") && !slices.ContainsFunc(known, serves) {
			d.errorf(d.where(pattern), "unknown model %s%s", d.quote(pattern, *pattern), suggest(*pattern, known, "the models are"))
		}
	}
}
