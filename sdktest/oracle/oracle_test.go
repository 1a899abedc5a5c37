// Package oracle compares what Weir sends to vendors with the types of the vendors' own SDKs for Go, which Weir itself
// does not use. Every member must be one that the vendor's type has, with its type, and no required member may be
// missing. The requests come from the golden files of the dialects, and from those of the matrix. It takes minutes to
// compile, so it is `make vendors`, a part of `make test-all`.
package oracle

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	"google.golang.org/genai"
)

// message is a call of Anthropic's API. Its SDK adds stream itself.
type message struct {
	anthropic.MessageNewParams
	Stream bool `json:"stream"`
}

// generate is a call of Gemini's; the SDK has only its parts.
type generate struct {
	Contents          []genai.Content        `json:"contents"`
	SystemInstruction genai.Content          `json:"systemInstruction"`
	GenerationConfig  genai.GenerationConfig `json:"generationConfig"`
	Tools             []genai.Tool           `json:"tools"`
	ToolConfig        genai.ToolConfig       `json:"toolConfig"`
	SafetySettings    []genai.SafetySetting  `json:"safetySettings"`
	CachedContent     string                 `json:"cachedContent"`
	Labels            map[string]string      `json:"labels"`
	ServiceTier       genai.ServiceTier      `json:"serviceTier"`
}

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }

// dialects are the folders of internal/dialect and the type of a request.
var dialects = map[string]struct {
	request reflect.Type
	unions  map[reflect.Type][]reflect.Type
}{
	"anthropic": {request: typeOf[message]()},
	"gemini":    {request: typeOf[generate]()},
	"converse": {typeOf[bedrockruntime.ConverseInput](), map[reflect.Type][]reflect.Type{
		typeOf[types.ContentBlock](): {
			typeOf[types.ContentBlockMemberAudio](), typeOf[types.ContentBlockMemberCachePoint](), typeOf[types.ContentBlockMemberDocument](),
			typeOf[types.ContentBlockMemberImage](), typeOf[types.ContentBlockMemberReasoningContent](), typeOf[types.ContentBlockMemberText](),
			typeOf[types.ContentBlockMemberToolResult](), typeOf[types.ContentBlockMemberToolUse](), typeOf[types.ContentBlockMemberVideo](),
		},
		typeOf[types.SystemContentBlock](): {
			typeOf[types.SystemContentBlockMemberCachePoint](), typeOf[types.SystemContentBlockMemberText](),
		},
		typeOf[types.ToolResultContentBlock](): {
			typeOf[types.ToolResultContentBlockMemberDocument](), typeOf[types.ToolResultContentBlockMemberImage](),
			typeOf[types.ToolResultContentBlockMemberJson](), typeOf[types.ToolResultContentBlockMemberText](),
		},
		typeOf[types.Tool]():                  {typeOf[types.ToolMemberToolSpec](), typeOf[types.ToolMemberCachePoint]()},
		typeOf[types.ToolInputSchema]():       {typeOf[types.ToolInputSchemaMemberJson]()},
		typeOf[types.ToolChoice]():            {typeOf[types.ToolChoiceMemberAny](), typeOf[types.ToolChoiceMemberAuto](), typeOf[types.ToolChoiceMemberTool]()},
		typeOf[types.ImageSource]():           {typeOf[types.ImageSourceMemberBytes](), typeOf[types.ImageSourceMemberS3Location]()},
		typeOf[types.AudioSource]():           {typeOf[types.AudioSourceMemberBytes](), typeOf[types.AudioSourceMemberS3Location]()},
		typeOf[types.DocumentSource]():        {typeOf[types.DocumentSourceMemberBytes](), typeOf[types.DocumentSourceMemberText](), typeOf[types.DocumentSourceMemberS3Location]()},
		typeOf[types.ReasoningContentBlock](): {typeOf[types.ReasoningContentBlockMemberReasoningText](), typeOf[types.ReasoningContentBlockMemberRedactedContent]()},
		typeOf[types.OutputFormatStructure](): {typeOf[types.OutputFormatStructureMemberJsonSchema]()},
	}},
}

func TestRequests(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "internal", "dialect")
	for name := range dialects {
		files, err := filepath.Glob(filepath.Join(root, name, "testdata", "requests*", "*.txt"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(root, name, "testdata")); err == nil && len(files) < 20 {
			t.Errorf("%s has only %d files of requests", name, len(files))
		}
		for _, file := range files {
			t.Run(name+"/"+strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
				t.Parallel()
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				_, sent, _ := strings.Cut(string(data), "-- becomes --\n")
				fits(t, name, sent)
			})
		}
	}
}

// fits holds what is sent against the vendor's type, if it was not refused.
func fits(t *testing.T, dialect, sent string) {
	t.Helper()
	if !strings.HasPrefix(sent, "{") {
		return
	}
	d := dialects[dialect]
	r := &reader{unions: d.unions}
	r.fits("", decode(t, sent), d.request)
	for _, wrong := range r.wrong {
		t.Error(wrong)
	}
}

// columns are those of the matrix, with the dialect that each speaks.
var columns = map[string]string{"anthropic": "anthropic", "gemini": "gemini", "gemini-3": "gemini", "vertex": "gemini", "converse": "converse"}

func TestMatrix(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "..", "internal", "app", "testdata", "matrix", "requests", "*.txt"))
	if err != nil || len(files) < 30 {
		t.Fatalf("only %d files: %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for column, dialect := range columns {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txt")+"/"+column, func(t *testing.T) {
				_, sent, ok := strings.Cut(string(data), "\n-- "+column+" --\n")
				sent, _, _ = strings.Cut(sent, "\n-- ")
				head, body, _ := strings.Cut(sent, "\n{")
				if !ok || (body == "") != strings.HasPrefix(head, "refused: ") {
					t.Fatalf("this is no request: %s", sent)
				}
				if body != "" {
					fits(t, dialect, "{"+body)
				}
			})
		}
	}
}

// decode reads the JSON before what else the file says.
func decode(t *testing.T, text string) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

// Each fault is found: an unknown member, a wrong type, an invalid value, a missing member.
func TestFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`anthropic {"model":"m","max_tokens":1,"messages":[],"seed":1}`:                                                       `has no "seed"`,
		`anthropic {"model":"m","messages":[]}`:                                                                               `lacks "max_tokens"`,
		`anthropic {"model":"m","max_tokens":"1","messages":[]}`:                                                              `1 is no int64`,
		`anthropic {"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"type":"txt","text":"x"}]}]}`:           `type is txt`,
		`anthropic {"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"type":"text","text":"x","b":1}]}]}`:    `has no "b"`,
		`gemini {"contents":[{"role":"user","parts":[{"txt":"x"}]}]}`:                                                         `has no "txt"`,
		`gemini {"generationConfig":{"maxOutputTokens":1.5}}`:                                                                 `1.5 is no int32`,
		`gemini {"contents":[{"parts":[{"inlineData":{"data":"*"}}]}]}`:                                                       `no base64`,
		`converse {"messages":[{"role":"usr","content":[{"text":"x"}]}]}`:                                                     `usr is not one of`,
		`converse {"messages":[{"role":"user","content":[{"txt":"x"}]}]}`:                                                     `has no "txt"`,
		`converse {"messages":[{"role":"user","content":[{"text":"x","image":{}}]}]}`:                                         `2 members`,
		`converse {"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"}},"strictly":1}}]}}`: `has no "strictly"`,
	} {
		name, body, _ := strings.Cut(text, " ")
		r := &reader{unions: dialects[name].unions}
		if r.fits("", decode(t, body), dialects[name].request); !strings.Contains(strings.Join(r.wrong, "\n"), want) {
			t.Errorf("%s: %q", text, r.wrong)
		}
	}
}
