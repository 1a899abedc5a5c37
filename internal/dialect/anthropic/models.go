package anthropic

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

// Models is how the API lists models.
var Models = dialect.Models{List: listModels, One: func(m dialect.Model) []byte { return appendModel(nil, &m) }, Errors: &Errors}

// Bounds of a page.
const (
	usualPage = 20
	mostPage  = 1000
)

// listModels is a page of models: those after, or before, an id.
func listModels(all []dialect.Model, query url.Values) ([]byte, *llm.Error) {
	most := usualPage
	if limit := query.Get("limit"); limit != "" {
		n, err := strconv.Atoi(limit)
		if err != nil || n < 1 || n > mostPage {
			return nil, &llm.Error{Kind: llm.InvalidValue, Param: "limit", Message: "'limit' must be a number from 1 to 1000."}
		}
		most = n
	}
	byID := func(m dialect.Model, id string) int { return strings.Compare(m.ID, id) }
	more := false
	if before := query.Get("before_id"); before != "" {
		end, _ := slices.BinarySearchFunc(all, before, byID)
		more = end > most
		all = all[max(end-most, 0):end]
	} else {
		if after := query.Get("after_id"); after != "" {
			at, found := slices.BinarySearchFunc(all, after, byID)
			if found {
				at++
			}
			all = all[at:]
		}
		more = len(all) > most
		all = all[:min(most, len(all))]
	}
	first, last := llm.JSON("null"), llm.JSON("null")
	if len(all) > 0 {
		first, last = llm.Quote(all[0].ID), llm.Quote(all[len(all)-1].ID)
	}
	out := []byte(`{"data":[`)
	for i := range all {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendModel(out, &all[i])
	}
	out = strconv.AppendBool(append(out, `],"has_more":`...), more)
	out = append(append(out, `,"first_id":`...), first...)
	return append(append(append(out, `,"last_id":`...), last...), '}'), nil
}

// appendModel appends a model. Its time is that of the epoch if it is not known, as the API has it.
func appendModel(dst []byte, m *dialect.Model) []byte {
	dst = llm.AppendQuote(append(dst, `{"type":"model","id":`...), m.ID)
	dst = llm.AppendQuote(append(dst, `,"display_name":`...), cmp.Or(m.DisplayName, m.ID))
	dst = append(append(dst, `,"created_at":"`...), time.Unix(m.Created, 0).UTC().Format(time.RFC3339)...)
	dst = appendLimit(append(dst, `","max_input_tokens":`...), m.ContextLength)
	dst = appendLimit(append(dst, `,"max_tokens":`...), m.MaxOutputTokens)
	return append(dst, `,"capabilities":null}`...)
}

func appendLimit(dst []byte, n int) []byte {
	if n == 0 {
		return append(dst, "null"...)
	}
	return strconv.AppendInt(dst, int64(n), 10)
}
