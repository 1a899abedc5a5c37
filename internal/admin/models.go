package admin

import (
	"fmt"
	"net/http"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/llm"
)

// Model is a logical model as the admin API shows it. What is not known is nil.
type Model struct {
	ID              string   `json:"id"`      // ends in * if it stands for every name that begins so
	Targets         []string `json:"targets"` // provider/model, as the config names them
	DisplayName     *string  `json:"display_name"`
	ContextLength   *int     `json:"context_length"`
	MaxOutputTokens *int     `json:"max_output_tokens"`
}

// modelPage is the list of models, which has one page only.
type modelPage struct {
	Data []Model `json:"data"`
	Next *string `json:"next"`
}

// listModels answers what a key may use, or, without one, what there is.
func (h *Handler) listModels(r *http.Request) (any, error) {
	if err := readQuery(r, "key"); err != nil {
		return nil, err
	}
	caller, err := h.caller(r)
	if err != nil {
		return nil, err
	}
	return modelPage{Data: append([]Model{}, h.Models(caller)...)}, nil // never null
}

// caller is whoever holds the key that the query names, or, without one, somebody who may use everything.
func (h *Handler) caller(r *http.Request) (*auth.Principal, error) {
	query := r.URL.Query()
	if !query.Has("key") {
		return &auth.Principal{}, nil
	}
	key, err := h.Keys.Show(query.Get("key"))
	if err != nil {
		return nil, err
	}
	if status := key.Status(h.Now()); status != auth.Active {
		return nil, &llm.Error{Kind: llm.Conflict, Param: "key", Message: fmt.Sprintf("The key %q (%s) is %s and sees no models; weir keys list shows all keys.", key.Name, key.ID, status)}
	}
	return &auth.Principal{KeyID: key.ID, KeyName: key.Name, Models: key.Models}, nil
}
