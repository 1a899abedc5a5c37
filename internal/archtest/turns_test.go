package archtest

import (
	"go/ast"
	"go/token"
	"regexp"
	"strings"
	"testing"
)

// turns are turns of speech that readers need twice, each with what to write instead. The list is short on purpose: it holds what
// was mended everywhere, and what came back most often.
var turns = []struct {
	what  *regexp.Regexp
	write string
}{
	{regexp.MustCompile(`(?i)\b(?:no|some|any|every)body\b`), `name who acts: "no caller", "a client", "every key"`},
	{regexp.MustCompile(`(?i)\bin vain\b`), `"failed", "wasted", "without success"`},
	{regexp.MustCompile(`, for (?:it|they|there|this|these|that|he|she|we) (?:is|are|was|were|has|have|had|would|may|can|cannot|could|must|will|does|do|did)\b`), `"because"`},
	{regexp.MustCompile(`(?i)\b(?:tells?|told|telling) of\b`), `"reports", "says", "mentions"`},
	{regexp.MustCompile(`(?i)\b(?:come|comes|came|coming) into question\b`), `"is eligible"`},
	{regexp.MustCompile(`(?i)\bbe it\b`), `"whether … or …", "even if"`},
	{regexp.MustCompile(`(?i)\bthere (?:is|are|was|were) none of\b`), `"is missing", "has no"`},
	{regexp.MustCompile(`(?i)\bone behind the other\b`), `"one after the other": behind is a place, after is a time`},
	{regexp.MustCompile(`(?i)\bas ever\b`), `"as usual"`},
	{regexp.MustCompile(`(?i)\b(?:am|is|are|was|were|be|been|being) told\b`), `"gets", "is sent", "is reported"`},
	{regexp.MustCompile(`(?i)\b(?:tells?|telling) (?:which|what|whether|how|when|where|why|who|apart)\b|\btold (?:apart|on)\b`), `"says", "shows", "reports"; "distinguishes"`},
	{regexp.MustCompile(`(?i)\b(?:there|this|that|it|one|which) (?:is|are|was|were) none\b`), `"is missing", "without one"`},
	{regexp.MustCompile(`(?i)\bwhat stands\b|\bstands? (?:behind|beside|below|above) (?:it|them|a|an|the|this|that|each)\b`), `"is", "comes": text does not stand`},
	{regexp.MustCompile(`(?i)\b(?:comes?|came) behind\b|\b(?:anything|nothing|something) behind\b`), `"after"`},
	{regexp.MustCompile(`(?i)\banew\b`), `"again"`},
	{regexp.MustCompile(`(?i)\bin the midst\b`), `"in the middle"`},
	{regexp.MustCompile(`(?i)\bwho(?:m|so)?ever\b`), `name who acts: "a client that", "the operator"`},
	{regexp.MustCompile(`(?i)\b(?:foretells?|foretold|whereby|wherein|therein|thereof|thereby|hereby|hitherto|lest|nought|naught)\b`), `a word of today`},
}

// TestTurns looks for these turns in the comments of all Go files, in the program's strings (including --help and the metrics'
// help), and in the pages. It skips examples and quotations in backticks, and strings of tests.
func TestTurns(t *testing.T) {
	t.Parallel()
	tr := load(t)
	for _, r := range tr.rooms {
		for _, f := range r.files {
			for _, group := range f.syntax.Comments {
				checkTurns(t, tr.fset.Position(group.Pos()).String(), strings.Join(strings.Fields(group.Text()), " "))
			}
			if f.test || r.support() || strings.HasPrefix(r.name, "internal/archtest") {
				continue
			}
			ast.Inspect(f.syntax, func(n ast.Node) bool {
				if s, ok := n.(*ast.BasicLit); ok && s.Kind == token.STRING {
					checkTurns(t, tr.fset.Position(s.Pos()).String(), strings.Trim(s.Value, "`"))
				}
				return true
			})
		}
	}
	files(t, func(name string) {
		if strings.HasSuffix(name, ".md") && !foreign(name) {
			checkTurns(t, name, strings.Join(strings.Fields(inlineCode.ReplaceAllString(link.ReplaceAllString(prose(read(t, name)), "]()"), "``")), " "))
		}
	})
}

// checkTurns fails the test for each turn in the text of a place.
func checkTurns(t *testing.T, at, text string) {
	t.Helper()
	text = inlineCode.ReplaceAllString(text, "``")
	for _, turn := range turns {
		for _, found := range turn.what.FindAllString(text, -1) {
			t.Errorf("%s says %q: write %s", at, found, turn.write)
		}
	}
}
