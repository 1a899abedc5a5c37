package admin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/weirproxy/weir/internal/llm"
)

const (
	maxBody     = 1 << 20
	bodyTimeout = 30 * time.Second
)

// member is one that a body may have, and where its value goes.
type member struct {
	name string
	into any // a pointer, for json.Unmarshal
}

// readObject reads the body. It must be empty or one JSON object with only these members, each at most once and
// spelt exactly so. encoding/json alone would let duplicates and other cases pass.
func readObject(r *http.Request, members ...member) error {
	body, err := readBody(r)
	if body == nil || err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	if open, err := decoder.Token(); err != nil || open != json.Delim('{') {
		return notJSON(err)
	}
	var seen []string
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return notJSON(err)
		}
		if err := readMember(decoder, name.(string), seen, members); err != nil { // names of members are strings
			return err
		}
		seen = append(seen, name.(string))
	}
	if _, err := decoder.Token(); err != nil {
		return notJSON(err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return notJSON(errors.New("something follows the object"))
	}
	return nil
}

// readBody reads the body; it returns nil if the body is empty.
func readBody(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(r.Body)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, &llm.Error{Kind: llm.TooLarge, Message: fmt.Sprintf("The body is over %d bytes.", tooLarge.Limit)}
	case err != nil:
		return nil, &llm.Error{Kind: llm.InvalidJSON, Message: "The body could not be read to its end.", Cause: err}
	case len(bytes.TrimSpace(body)) == 0:
		return nil, nil
	case !utf8.Valid(body):
		return nil, notJSON(errors.New("it is not UTF-8"))
	}
	return body, nil
}

func readMember(decoder *json.Decoder, name string, seen []string, members []member) error {
	if slices.Contains(seen, name) {
		return notJSON(fmt.Errorf("the member %q is there twice", name))
	}
	i := slices.IndexFunc(members, func(m member) bool { return m.name == name })
	if i < 0 {
		known := make([]string, len(members))
		for i, m := range members {
			known[i] = m.name
		}
		name = llm.Clip(name)
		return &llm.Error{Kind: llm.InvalidValue, Param: name, Message: fmt.Sprintf("%q is no member of this body. %s", name, knownNames(known))}
	}
	err := decoder.Decode(members[i].into)
	var wrongType *json.UnmarshalTypeError
	var refusal *llm.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refusal):
		return &llm.Error{Kind: refusal.Kind, Param: name, Message: name + ": " + refusal.Message}
	case errors.As(err, &wrongType):
		return &llm.Error{Kind: llm.InvalidType, Param: name, Message: fmt.Sprintf("%s is of the wrong type (%s).", name, wrongType.Value)}
	default:
		return notJSON(err)
	}
}

func knownNames(known []string) string {
	if len(known) == 0 {
		return "It takes none."
	}
	return "Known are: " + strings.Join(known, ", ") + "."
}

func notJSON(cause error) error {
	message := "The body is not one JSON object."
	if cause != nil {
		message = "The body is not one JSON object: " + cause.Error() + "."
	}
	return &llm.Error{Kind: llm.InvalidJSON, Message: message}
}

// maxURL bounds the path and the query of a call together, in bytes: what is wrong with them is sent back and logged.
const maxURL = 8 << 10

// checkURL refuses a URL that is too long, and one whose query cannot be read whole: url.URL.Query would leave out what it cannot read, so that a list without a
// filter would be taken for the one that was asked for.
func checkURL(u *url.URL) error {
	if len(u.Path)+len(u.RawQuery) > maxURL {
		return &llm.Error{Kind: llm.TooLarge, Message: fmt.Sprintf("The URL is over %d bytes.", maxURL)}
	}
	if _, err := url.ParseQuery(u.RawQuery); err != nil {
		return &llm.Error{Kind: llm.InvalidValue, Message: fmt.Sprintf("The URL's query cannot be read: %v. Write a %% as %%25, and a ; as %%3B.", err)}
	}
	return nil
}

// readQuery refuses parameters other than these, and any that is there twice.
func readQuery(r *http.Request, known ...string) error {
	query := r.URL.Query()
	for name, values := range query {
		if !slices.Contains(known, name) {
			return &llm.Error{Kind: llm.InvalidValue, Param: name, Message: fmt.Sprintf("%q is no parameter of this call. %s", name, knownNames(known))}
		}
		if len(values) > 1 {
			return &llm.Error{Kind: llm.InvalidValue, Param: name, Message: fmt.Sprintf("%q is given twice.", name)}
		}
	}
	return nil
}

// readFlag reads the query's only parameter, which is true, false or left out.
func readFlag(r *http.Request, name string) (bool, error) {
	if err := readQuery(r, name); err != nil {
		return false, err
	}
	text := r.URL.Query().Get(name)
	if text == "" {
		return false, nil
	}
	value, err := strconv.ParseBool(text)
	if err != nil {
		return false, &llm.Error{Kind: llm.InvalidValue, Param: name, Message: name + " is true or false."}
	}
	return value, nil
}

// patterns reads a list of model patterns, or null for all models. An empty list is refused, for some would
// mean all by it, and some none.
type patterns struct {
	given bool
	list  []string
}

func (p *patterns) UnmarshalJSON(text []byte) error {
	p.given = true
	if err := json.Unmarshal(text, &p.list); err != nil {
		return &llm.Error{Kind: llm.InvalidType, Message: "a list of strings, or null for all models, is expected."}
	}
	if p.list != nil && len(p.list) == 0 {
		return &llm.Error{Kind: llm.InvalidValue, Message: "the list is empty: null, or leaving it out of a new key, allows all models."}
	}
	return nil
}

// instant reads an RFC 3339 date-time, or null for never.
type instant struct {
	given bool
	at    time.Time
}

func (i *instant) UnmarshalJSON(text []byte) error {
	i.given = true
	var value *string
	if err := json.Unmarshal(text, &value); err != nil {
		return &llm.Error{Kind: llm.InvalidType, Message: "an RFC 3339 date-time such as 2027-01-31T12:00:00Z, or null for never, is expected."}
	}
	if value == nil {
		return nil
	}
	at, err := time.Parse(time.RFC3339, *value)
	if err != nil || at.IsZero() {
		return &llm.Error{Kind: llm.InvalidValue, Message: "an RFC 3339 date-time such as 2027-01-31T12:00:00Z, or null for never, is expected."}
	}
	i.at = at
	return nil
}
