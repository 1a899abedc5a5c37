package recorded

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
)

// Told is what an answer says to a client, in any dialect. It shows whether a translation lost anything.
type Told struct {
	Text, Reasoning, Finish string
	Opaque                  string   // what reasoning and texts are signed with, and reasoning that cannot be read
	Calls                   []string // id, name, signature if it has one, and arguments as compact JSON
	Cited                   []string // pieces of the text, each with the address and the title of the page that it stems from
	Prompt, Cached, Written float64
	Output, Thoughts        float64
}

// call adds a call whose arguments are still to come, by argue.
func (s *Told) call(id, name, signature string) {
	if signature != "" {
		name += " " + signature
	}
	s.Calls = append(s.Calls, id+" "+name+" \x00")
}

// argue adds a piece of the arguments of the last call.
func (s *Told) argue(arguments string) { s.Calls[len(s.Calls)-1] += arguments }

// done spells all arguments alike.
func (s *Told) done(t *testing.T) {
	t.Helper()
	for i, call := range s.Calls {
		head, arguments, _ := strings.Cut(call, "\x00")
		var out bytes.Buffer
		if err := json.Compact(&out, []byte(arguments)); err != nil && arguments != "" {
			t.Fatalf("%v in %q", err, call)
		}
		if out.Len() == 0 {
			out.WriteString("{}")
		}
		s.Calls[i] = head + out.String()
	}
}

func unmarshal(t *testing.T, data []byte, to any) {
	t.Helper()
	if err := json.Unmarshal(data, to); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
}

// heard is what a client reads of a message, or of a delta of one, that was translated.
type heard struct {
	Content   string
	Reasoning string                             `json:"reasoning_content"`
	Thoughts  []struct{ Signature, Data string } `json:"thinking_blocks"`
	ToolCalls []struct {
		ID       string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
	Annotations []struct {
		Cited annotation `json:"url_citation"`
	}
}

// annotation is a citation as OpenAI's API has it.
type annotation struct {
	Start      int `json:"start_index"`
	End        int `json:"end_index"`
	URL, Title string
}

// of is the cited piece of a text, and its source.
func (a annotation) of(text string) string {
	return string([]rune(text)[a.Start:a.End]) + " " + a.URL + " " + a.Title
}

// Heard collects what a completion, or its chunks, say to a client of OpenAI's API.
func Heard(t *testing.T, payloads []string) (s Told) {
	t.Helper()
	for _, p := range payloads {
		var c struct {
			Choices []struct {
				Message, Delta heard
				Reason         string `json:"finish_reason"`
			}
			Usage *struct {
				Prompt  float64 `json:"prompt_tokens"`
				Output  float64 `json:"completion_tokens"`
				Details struct {
					Cached  float64 `json:"cached_tokens"`
					Written float64 `json:"cache_write_tokens"`
				} `json:"prompt_tokens_details"`
				Of struct {
					Reasoning float64 `json:"reasoning_tokens"`
				} `json:"completion_tokens_details"`
			}
		}
		unmarshal(t, []byte(p), &c)
		if u := c.Usage; u != nil {
			s.Prompt, s.Cached, s.Written, s.Output, s.Thoughts = u.Prompt, u.Details.Cached, u.Details.Written, u.Output, u.Of.Reasoning
		}
		for _, choice := range c.Choices {
			s.hear(t, choice.Message)
			s.hear(t, choice.Delta)
			s.Finish += choice.Reason
		}
	}
	s.done(t)
	return s
}

func (s *Told) hear(t *testing.T, m heard) {
	t.Helper()
	s.Text, s.Reasoning = s.Text+m.Content, s.Reasoning+m.Reasoning
	for _, b := range m.Thoughts {
		s.Opaque += b.Signature + b.Data
	}
	for _, a := range m.Annotations {
		s.Cited = append(s.Cited, a.Cited.of(s.Text))
	}
	for _, call := range m.ToolCalls {
		if call.ID != "" {
			id, signature := signed(t, call.ID)
			s.call(id, call.Function.Name, signature)
		}
		s.argue(call.Function.Arguments)
	}
}

// signed splits the id of a call from the signature of the call that follows it. The reasoning of a message may be there too; it is
// reported in the message's blocks.
func signed(t *testing.T, id string) (own, signature string) {
	t.Helper()
	own, carried, _ := strings.Cut(id, "__thought__")
	text, err := base64.RawURLEncoding.DecodeString(carried)
	if err != nil {
		t.Fatalf("%v in %s", err, id)
	}
	if bytes.HasPrefix(text, []byte("{")) {
		var extra struct {
			Google struct {
				Signature string `json:"thought_signature"`
			}
		}
		unmarshal(t, text, &extra)
		signature = extra.Google.Signature
	}
	return own, signature
}
