package gemini

import (
	"cmp"
	"encoding/base64"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

// Models is how the API lists models.
var Models = dialect.Models{List: listModels, One: func(m dialect.Model) []byte { return appendModel(nil, &m) }, Errors: &Errors}

// Bounds of a page.
const (
	usualPage = 50
	mostPage  = 1000
)

// listModels is a page of models. A page's token is the id that it begins after, in base64.
func listModels(all []dialect.Model, query url.Values) ([]byte, *llm.Error) {
	size := usualPage
	if text := query.Get("pageSize"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return nil, &llm.Error{Kind: llm.InvalidValue, Param: "pageSize", Message: "'pageSize' must be a whole number."}
		}
		size = min(cmp.Or(n, usualPage), mostPage)
	}
	if token := query.Get("pageToken"); token != "" {
		after, err := base64.RawURLEncoding.DecodeString(token)
		if err != nil {
			return nil, &llm.Error{Kind: llm.InvalidValue, Param: "pageToken", Message: "'pageToken' must be the nextPageToken of a page before."}
		}
		at, found := slices.BinarySearchFunc(all, string(after), func(m dialect.Model, id string) int { return strings.Compare(m.ID, id) })
		if found {
			at++
		}
		all = all[at:]
	}
	page := all[:min(size, len(all))]
	out := []byte(`{"models":[`)
	for i := range page {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendModel(out, &page[i])
	}
	out = append(out, ']')
	if len(all) > len(page) {
		next := base64.RawURLEncoding.EncodeToString([]byte(page[len(page)-1].ID))
		out = llm.AppendQuote(append(out, `,"nextPageToken":`...), next)
	}
	return append(out, '}'), nil
}

// appendModel appends a model. Limits that are not known are left out.
func appendModel(dst []byte, m *dialect.Model) []byte {
	dst = llm.AppendQuote(append(dst, `{"name":`...), "models/"+m.ID)
	dst = llm.AppendQuote(append(dst, `,"displayName":`...), cmp.Or(m.DisplayName, m.ID))
	if m.ContextLength > 0 {
		dst = strconv.AppendInt(append(dst, `,"inputTokenLimit":`...), int64(m.ContextLength), 10)
	}
	if m.MaxOutputTokens > 0 {
		dst = strconv.AppendInt(append(dst, `,"outputTokenLimit":`...), int64(m.MaxOutputTokens), 10)
	}
	return append(dst, `,"supportedGenerationMethods":["generateContent","streamGenerateContent","countTokens"]}`...)
}
