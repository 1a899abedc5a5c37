package gateway

import (
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
)

// Bounds on what a caller may put on its request.
const (
	mostTags   = 8
	longestTag = 64 // characters of a name, and of a value
)

const tagCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:/-"

// parseTags reads the header weir-tags: a=b,c=d. The tags are sorted by name, for the same tags are the same in reports, in whatever order they
// come.
func parseTags(value string) ([]ledger.Tag, *llm.Error) {
	var tags []ledger.Tag
	for pair := range strings.SplitSeq(value, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(pair), "=")
		if !ok || !isTag(name) || !isTag(value) || len(tags) == mostTags {
			return nil, badHeader("Weir-Tags", "has at most 8 tags, as in: project=alpha,user=u-17. Names and values have 1 to 64 letters, digits and ._:/-")
		}
		if slices.ContainsFunc(tags, func(t ledger.Tag) bool { return t.Name == name }) {
			return nil, badHeader("Weir-Tags", "names a tag twice. Send each name once")
		}
		tags = append(tags, ledger.Tag{Name: strings.Clone(name), Value: strings.Clone(value)})
	}
	slices.SortFunc(tags, func(a, b ledger.Tag) int { return strings.Compare(a.Name, b.Name) })
	return tags, nil
}

func isTag(text string) bool {
	return text != "" && len(text) <= longestTag && strings.Trim(text, tagCharacters) == ""
}
