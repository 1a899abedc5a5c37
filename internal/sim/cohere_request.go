package sim

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/weirproxy/weir/internal/llm"
)

// cohereRequest is a call of the Chat API.
type cohereRequest struct{ *llm.Request }

// check refuses what the API refuses.
func (r cohereRequest) check() error {
	for _, n := range []struct {
		name, param string
		least, most float64
	}{
		{"temperature", "temperature", 0, 1e9},
		{"frequency_penalty", "frequency_penalty", 0, 1},
		{"presence_penalty", "presence_penalty", 0, 1},
		{"k", "top_k", 0, 500},
		{"p", "top_p", 0.01, 0.99},
	} {
		if value, ok := number(r.Request, n.param); ok && (value < n.least || value > n.most) {
			return fmt.Errorf("%s must be between %g and %g inclusive", n.name, n.least, n.most)
		}
	}
	documents := false
	for _, p := range r.Params {
		documents = documents || p.Name == "documents"
	}
	switch {
	case len(r.Messages) == 0:
		return errors.New("messages must not be empty")
	case !r.systemFirst():
		return errors.New("system turn must be the first in the list, and the only one")
	case len(r.Stop) > 5:
		return errors.New("no more than 5 stop sequences are allowed")
	case r.Choice.Kind == llm.ChoiceAny && len(r.Tools) == 0:
		return errors.New("tool_choice is REQUIRED, but the request has no tools")
	case r.Format.Kind != llm.FormatText && (len(r.Tools) > 0 || documents):
		return errors.New("response_format is not supported with tools or documents")
	}
	for _, x := range r.Extras {
		if x.Name != "thinking" && x.Name != "logprobs" {
			return fmt.Errorf("unknown field %q", x.Name)
		}
		if kind := x.Value.Kind(); x.Name == "logprobs" && kind != 't' && kind != 'f' {
			return errors.New("logprobs must be true or false")
		}
	}
	for _, name := range r.Left {
		return fmt.Errorf("unknown field %q", name)
	}
	for i := range r.Tools {
		if t := &r.Tools[i]; t.Schema == nil {
			return errors.New("a tool must be a function with a name and parameters")
		}
	}
	return r.checkTurns()
}

// systemFirst reports whether system turns come only at the start: all others are messages, and must not be missing.
func (r cohereRequest) systemFirst() bool {
	first := min(len(r.System), 1)
	for i := range r.Messages {
		if r.Messages[i].At != first+i {
			return false
		}
	}
	return true
}

// cohereTypes are the types of contents that each role may have.
var cohereTypes = map[string]map[string]bool{
	"system":    {"text": true},
	"user":      {"text": true, "image_url": true},
	"assistant": {"text": true, "thinking": true},
	"tool":      {"text": true, "document": true},
}

func (r cohereRequest) checkTurns() error {
	if err := checkContents("system", r.System); err != nil {
		return err
	}
	for i := range r.Messages {
		m := &r.Messages[i]
		role, parts := "user", m.Parts
		switch {
		case m.Role == llm.Assistant:
			role = "assistant"
		case len(parts) > 0 && parts[0].Kind == llm.Result:
			if role = "tool"; !r.called(i, parts[0].ID) {
				return fmt.Errorf("messages[%d]: tool_call_id %q is not that of a call before", m.At, parts[0].ID)
			}
			parts = append(parts[0].Parts[:len(parts[0].Parts):len(parts[0].Parts)], parts[1:]...)
		}
		if len(parts) == 0 {
			return fmt.Errorf("messages[%d]: message must not be empty in a turn", m.At)
		}
		if err := checkContents(role, parts); err != nil {
			return fmt.Errorf("messages[%d]: %w", m.At, err)
		}
	}
	return nil
}

// checkContents refuses what a message of a role cannot hold.
func checkContents(role string, parts []llm.Part) error {
	for i := range parts {
		p := &parts[i]
		typ := ""
		switch {
		case p.Kind == llm.Native && p.Name != nil:
			return fmt.Errorf("unknown field %s", p.Name)
		case p.Kind == llm.Native:
			if typ = typeOf(p.Raw); strictly(p.Raw, new(cohereOwn)) != nil || typ != "image_url" && typ != "document" {
				return fmt.Errorf("unknown field in %s", p.Raw)
			}
		case p.Kind == llm.ToolCall && p.ID == "":
			return errors.New("a tool call needs an id")
		case p.Kind == llm.ToolCall, p.Kind == llm.Reasoning && p.Name != nil: // the decoder has them of the assistant only
			continue
		case p.Kind == llm.Text:
			typ = "text"
		case p.Kind == llm.Image:
			typ = "image_url"
		case p.Kind == llm.Reasoning:
			typ = "thinking"
		}
		if !cohereTypes[role][typ] {
			return fmt.Errorf("content of the type %q is not for the role %s", typ, role)
		}
	}
	return nil
}

// cohereOwn is a content that the typed model has no words for.
type cohereOwn struct {
	Type     string          `json:"type"`
	Image    json.RawMessage `json:"image_url"`
	Document json.RawMessage `json:"document"`
}

// typeOf is the type that a content says to have.
func typeOf(raw llm.JSON) string {
	var content struct{ Type string }
	_ = json.Unmarshal(raw, &content) // an unreadable type is an unknown one
	return content.Type
}

// called reports whether a message before the one at i called a tool with that id.
func (r cohereRequest) called(i int, id string) bool {
	for j := range r.Messages[:i] {
		if calls(&r.Messages[j], id) {
			return true
		}
	}
	return false
}
