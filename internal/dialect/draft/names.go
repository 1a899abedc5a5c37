package draft

import "slices"

// names are those of a list, to find one in it. A body has room for hundreds of thousands of parameters that are left out, and
// each would be compared with all others.
type names map[string]struct{}

// few is how many names are looked through faster than looked up.
const few = 16

// add adds a name to the list unless it is there. Nothing else may add to it.
func (n *names) add(list []string, name string) []string {
	if len(list) < few {
		if slices.Contains(list, name) {
			return list
		}
		return append(list, name)
	}
	if *n == nil {
		*n = make(names, 2*len(list))
		for _, known := range list {
			(*n)[known] = struct{}{}
		}
	}
	if _, known := (*n)[name]; known {
		return list
	}
	(*n)[name] = struct{}{}
	return append(list, name)
}
