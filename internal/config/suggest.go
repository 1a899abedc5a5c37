package config

import (
	"fmt"
	"strings"
)

// suggest ends an error about an unknown name. It names the known name that was probably meant, or else lists all
// names after the words in all.
func suggest(name string, known []string, all string) string {
	if best := closest(name, known); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	if len(known) == 0 {
		return ""
	}
	const most = 40
	if len(known) > most {
		known = append(known[:most:most], "…")
	}
	return fmt.Sprintf("; %s %s", all, strings.Join(known, ", "))
}

// closest returns the known name that differs from name by the fewest edits, if by few enough for a slip
// of the hand, else "".
func closest(name string, known []string) string {
	const longest, most = 64, 1000 // the work is their product, squared
	if len(name) > longest {
		return ""
	}
	known = known[:min(len(known), most)]
	best, least := "", len(name)/3+1
	for _, k := range known {
		if k == "" || len(k) > longest {
			continue
		}
		if strings.EqualFold(k, name) {
			return k
		}
		if e := edits(name, k); e < least {
			best, least = k, e
		}
	}
	return best
}

// edits counts the insertions, deletions, replacements and swaps of neighbours between a and b.
func edits(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			differ := 1
			if a[i-1] == b[j-1] {
				differ = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+differ)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
