package importer

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// The groups of new-api that are not made by anyone: auto stands for several, and users are of standard unless something else is said.
const (
	autoGroup     = "auto"
	standardGroup = "default"
)

// newapiAuto says which groups a token of the group auto uses: those of the first list that its user may use.
type newapiAuto struct{ groups, usable []string }

// newapiAutoDefault is what counts where the options do not say.
var newapiAutoDefault = newapiAuto{groups: []string{standardGroup}, usable: []string{standardGroup, "vip"}}

// read reads an option. One that cannot be read allows nothing.
func (g *newapiAuto) read(name string, value *Node) error {
	if name == "AutoGroups" {
		g.groups = nil
		return json.Unmarshal([]byte(value.Text()), &g.groups)
	}
	var described map[string]string
	err := json.Unmarshal([]byte(value.Text()), &described)
	g.usable = slices.Collect(maps.Keys(described))
	return err
}

// of are the groups that auto is for a user of a group.
func (g *newapiAuto) of(group string) (all []string) {
	for _, one := range g.groups {
		if one == group || slices.Contains(g.usable, one) {
			all = append(all, one)
		}
	}
	return all
}

// group is the group of a token, which is that of its user if it has none of its own, and the models that it may use.
func (a *newapi) group(n *Node, user string) (group string, models map[string]bool) {
	group = n.Get("group").Text()
	ofUser := a.users[user].Get("group").Text()
	if group == "" {
		group = ofUser
	}
	switch {
	case group == "":
		group = standardGroup
		if !a.listed && len(a.groups[group]) < len(a.names) {
			a.about(n, Manual, fmt.Sprintf("the source does not have its user, whose group it is of: it is taken to be %s", standardGroup))
		}
	case group == autoGroup:
		models = map[string]bool{}
		for _, one := range a.auto.of(ofUser) {
			maps.Copy(models, a.groups[one])
		}
		return group, models
	}
	return group, a.groups[group]
}
