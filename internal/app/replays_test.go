package app_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/dialecttest"
	"github.com/weirproxy/weir/internal/recorded"
)

// replays are how recorded traffic is sent through the program: the kind of its provider with what else it needs, and the expected
// result.
var replays = []struct {
	name, kind string
	replay     func(t *testing.T, rig *rig)
}{
	{"streams", "openai", replayStreams},
	{"answers", "openai", replayAnswers},
	{"embeddings", "openai", replayEmbeddings},
	{"refusals", "openai", replayRefusals},
	{"messages", "anthropic", replayMessages},
	{"cohere", "cohere", replayCohere},
	{"gemini", "gemini", replayGemini},
	{"cohere-embeddings", "cohere", replayCohereEmbeddings},
	{"gemini-embeddings", "gemini", replayGeminiEmbeddings},
	{"vertex-embeddings", "vertex, project: p, region: global, headers: {Authorization: Bearer k}", replayVertexEmbeddings},
	{"converse", "bedrock", replayConverse},
}

// exceptions are the recordings that are not replayed.
var exceptions = []recorded.Exception{
	{Pattern: "*/responses.*", Why: "calls of the Responses API, which Weir does not send to providers"},
	{Pattern: "*/models.*", Why: "lists of models; only their names are read"},
	{Pattern: "bedrock/invoke.*", Why: "calls with bodies of the models' own: TestRecordingsOfClaudeOnBedrock replays Claude's, Weir makes no others"},
	{Pattern: "bedrock/embeddings.*", Why: "how a model is asked depends on its name: internal/relay replays them"},
	{Pattern: "ollama/native-*", Why: "Ollama's own API, which it has in addition to OpenAI's"},
	{Pattern: "ollama/embeddings.*", Why: "the same: they have a `prompt`"},
	{Pattern: "writer/completions.*.stream--*", Why: "old completions that are of no dialect but their own"},
}

// replayAll replays everything, each kind of provider in parallel.
func replayAll(t *testing.T, table *recorded.Table, everyCut bool) {
	t.Helper()
	t.Run("replays", func(t *testing.T) {
		for _, r := range replays {
			t.Run(r.name, func(t *testing.T) {
				t.Parallel()
				rig := newRigOf(t, r.kind)
				rig.Table, rig.everyCut = table, everyCut
				r.replay(t, rig)
			})
		}
	})
}

// The streams are cut after and within every event.
func TestLongRecordings(t *testing.T) {
	long(t)
	replayAll(t, recorded.NewTable(t), true)
}

// Every recording goes through the real program, over the wire, or is an exception with a reason.
func TestRecordings(t *testing.T) {
	t.Parallel()
	table := recorded.NewTable(t)
	replayAll(t, table, false)
	if strings.Contains(flag.Lookup("test.run").Value.String(), "/") {
		return // only some were asked for
	}
	text := table.Check(t, exceptions)
	t.Log("\n" + text)
	page, err := os.ReadFile("../../docs/how-it-works/recordings.md")
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- written by go test ./internal/app -run TestRecordings -update: begin -->\n", "<!-- written by go test ./internal/app -run TestRecordings -update: end -->\n"
	before, rest, _ := strings.Cut(string(page), begin)
	old, after, ok := strings.Cut(rest, end)
	switch {
	case !ok:
		t.Fatal("docs/how-it-works/recordings.md has lost the lines around the table")
	case dialecttest.Update():
		if err := os.WriteFile("../../docs/how-it-works/recordings.md", []byte(before+begin+text+end+after), 0o600); err != nil {
			t.Fatal(err)
		}
	default:
		if diff := cmp.Diff(old, text); diff != "" {
			t.Errorf("docs/how-it-works/recordings.md says something else; -update writes it:\n%s", diff)
		}
	}
}
