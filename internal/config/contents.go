package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Contents are the names of what a config serves.
type Contents struct {
	Providers []string `json:"providers"`
	Models    []string `json:"models"`
	Teams     []string `json:"teams"` // those of the config alone, as the keys
	Keys      []string `json:"keys"`
}

// Contents are the names in c, each list in the file's order and never nil.
func (c *Config) Contents() Contents {
	names := Contents{[]string{}, []string{}, []string{}, []string{}}
	for i := range c.Providers {
		names.Providers = append(names.Providers, c.Providers[i].Name)
	}
	for i := range c.Models {
		names.Models = append(names.Models, c.Models[i].Name)
	}
	for i := range c.Teams {
		names.Teams = append(names.Teams, c.Teams[i].Name)
	}
	for i := range c.Keys {
		names.Keys = append(names.Keys, c.Keys[i].Name)
	}
	return names
}

// Without are the names that other lacks.
func (c Contents) Without(other Contents) Contents {
	lack := func(names, others []string) []string {
		return slices.DeleteFunc(append([]string{}, names...), func(name string) bool { return slices.Contains(others, name) })
	}
	return Contents{lack(c.Providers, other.Providers), lack(c.Models, other.Models), lack(c.Teams, other.Teams), lack(c.Keys, other.Keys)}
}

// IsEmpty reports whether c has no names at all.
func (c Contents) IsEmpty() bool { return len(c.Providers)+len(c.Models)+len(c.Teams)+len(c.Keys) == 0 }

// shownNames is how many names an error repeats.
const shownNames = 5

// Replaces returns an error if c has no providers, or no models, while before, the config in force, has some. The same holds for
// keys, unless stored keys work. A file that was cut short or emptied looks so. With `empty: true` it may.
func (c *Config) Replaces(before Contents, stored bool) error {
	now, file := c.Contents(), c.Path
	if file == "-" {
		file = "stdin"
	}
	var errs []error
	for _, section := range []struct {
		noun        string
		before, now []string
		matters     bool
	}{
		{"providers", before.Providers, now.Providers, true},
		{"models", before.Models, now.Models, true},
		{"keys", before.Keys, now.Keys, !stored},
	} {
		if c.Empty || !section.matters || len(section.before) == 0 || len(section.now) > 0 {
			continue
		}
		names := strings.Join(section.before[:min(len(section.before), shownNames)], ", ")
		if len(section.before) > shownNames {
			names += ", …"
		}
		errs = append(errs, fmt.Errorf("%s has no %s, and the config in force has %d (%s): is the file cut short? If it is meant, write empty: true",
			file, section.noun, len(section.before), names))
	}
	return errors.Join(errs...)
}
