package admin

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/secret"
)

// Client calls the admin API of a running Weir. It is safe for concurrent use.
type Client struct {
	BaseURL   string // scheme, host and port, as http://127.0.0.1:8931
	Token     secret.Text
	TokenFrom string       // the place where Token was found, for the error after it was refused
	HTTP      *http.Client // nil is http.DefaultClient
}

// APIError is an answer of the admin API that refuses the call. Its text says what to do.
type APIError struct {
	Status  int
	Code    string // as in the envelope
	Message string
}

// Error implements error.
func (e *APIError) Error() string { return e.Message }

// UnreachableError is a call that reached no server. Its text says what to do.
type UnreachableError struct {
	URL string
	Err error
}

// Error implements error.
func (e *UnreachableError) Error() string {
	return fmt.Sprintf("cannot reach Weir's admin API at %s: is weir serve running? --admin or WEIR_ADMIN names another address (%v)", e.URL, e.Err)
}

// Unwrap gives the cause.
func (e *UnreachableError) Unwrap() error { return e.Err }

// NewKey is what a new key is to be.
type NewKey struct {
	Name      string
	Models    []string  // patterns; empty allows all
	ExpiresAt time.Time // zero for never
	Explain   bool      // its requests may ask what was tried for them
	Team      string    // by id or name, "" for none
	Limits    LimitsChange
	Budgets   BudgetsChange

	Idempotency *time.Duration // how long answers to requests with an Idempotency-Key are kept

	Strict bool // no key is made if a pattern matches no model today
}

// KeyChange says what UpdateKey replaces; nil leaves a thing as it is.
type KeyChange struct {
	Name      *string
	Models    *[]string  // an empty list allows all models
	ExpiresAt *time.Time // the zero time is never
	Explain   *bool
	Team      *string // by id or name, "" for none
	Limits    LimitsChange
	Budgets   BudgetsChange

	Idempotency *time.Duration // how long answers to requests with an Idempotency-Key are kept; 0 keeps none

	Strict bool // nothing is changed if a new pattern matches no model today
}

// CreateKey makes a key. The returned text is the only copy there will ever be.
func (c *Client) CreateKey(ctx context.Context, key NewKey) (Key, secret.Text, error) {
	body := struct {
		Name      string     `json:"name"`
		Models    []string   `json:"models,omitempty"`
		ExpiresAt *time.Time `json:"expires_at,omitempty"`
		Explain   bool       `json:"explain,omitempty"`
		Team      string     `json:"team,omitempty"`
		limitsBody
		budgetsBody
		Idempotency json.RawMessage `json:"idempotency,omitempty"`
	}{key.Name, key.Models, orNil(key.ExpiresAt), key.Explain, key.Team, key.Limits.body(), key.Budgets.body(), keptBody(key.Idempotency)}
	return c.mint(ctx, "/admin/v1/keys"+strictly(key.Strict), body)
}

// ListKeys returns all keys, the revoked ones too, the config file's first, then by time of creation.
func (c *Client) ListKeys(ctx context.Context) ([]Key, error) {
	return listAll[Key](ctx, c, "/admin/v1/keys")
}

// listAll returns all pages of a list.
func listAll[T any](ctx context.Context, c *Client, path string) ([]T, error) {
	all, cursor := []T{}, ""
	for {
		var got page[T]
		if err := c.call(ctx, http.MethodGet, path+"?limit=1000&cursor="+url.QueryEscape(cursor), nil, &got); err != nil {
			return nil, err
		}
		all = append(all, got.Data...)
		if got.Next == nil || len(got.Data) == 0 {
			return all, nil
		}
		cursor = *got.Next
	}
}

// ShowKey returns the key with that id or name.
func (c *Client) ShowKey(ctx context.Context, ref string) (Key, error) {
	var key Key
	err := c.call(ctx, http.MethodGet, keyPath(ref), nil, &key)
	return key, err
}

// UpdateKey replaces what change names.
func (c *Client) UpdateKey(ctx context.Context, ref string, change KeyChange) (Key, error) {
	body := struct {
		Name      *string         `json:"name,omitempty"`
		Models    json.RawMessage `json:"models,omitempty"`
		ExpiresAt json.RawMessage `json:"expires_at,omitempty"`
		Explain   *bool           `json:"explain,omitempty"`
		Team      json.RawMessage `json:"team,omitempty"`
		limitsBody
		budgetsBody
		Idempotency json.RawMessage `json:"idempotency,omitempty"`
	}{Name: change.Name, Explain: change.Explain, Idempotency: keptBody(change.Idempotency), limitsBody: change.Limits.body(), budgetsBody: change.Budgets.body()}
	var err error
	if change.Models != nil {
		body.Models, err = marshalModels(*change.Models)
	}
	if err == nil && change.Team != nil {
		body.Team, err = json.Marshal(orNull(*change.Team))
	}
	if err == nil && change.ExpiresAt != nil {
		body.ExpiresAt, err = json.Marshal(orNil(*change.ExpiresAt))
	}
	if err != nil {
		return Key{}, err
	}
	var key Key
	err = c.call(ctx, http.MethodPatch, keyPath(ref)+strictly(change.Strict), body, &key)
	return key, err
}

// marshalModels writes patterns, and null for none, which is all models.
func marshalModels(models []string) ([]byte, error) {
	if len(models) == 0 {
		models = nil
	}
	return json.Marshal(models)
}

// orNull is nil for "".
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func strictly(strict bool) string {
	if strict {
		return "?strict=true"
	}
	return ""
}

// RotateKey mints a new secret for a key; the one until now works for grace more.
func (c *Client) RotateKey(ctx context.Context, ref string, grace time.Duration) (Key, secret.Text, error) {
	body := struct {
		Grace string `json:"grace"`
	}{grace.String()}
	return c.mint(ctx, keyPath(ref)+"/rotate", body)
}

// RevokeKey ends a key for good. Its running requests finish, unless now.
func (c *Client) RevokeKey(ctx context.Context, ref string, now bool) (Key, error) {
	var key Key
	err := c.call(ctx, http.MethodDelete, keyPath(ref)+"?now="+strconv.FormatBool(now), nil, &key)
	return key, err
}

// ListModels returns the models that the key with that id or name may use, by id; with "" all that there are.
func (c *Client) ListModels(ctx context.Context, key string) ([]Model, error) {
	path := "/admin/v1/models"
	if key != "" {
		path += "?key=" + url.QueryEscape(key)
	}
	var list modelPage
	err := c.call(ctx, http.MethodGet, path, nil, &list)
	return list.Data, err
}

// ListLimits returns all limits and budgets that apply to a key, or those of one team, model or target: of says which, in the parameters of
// GET /admin/v1/limits.
func (c *Client) ListLimits(ctx context.Context, of url.Values) (LimitList, error) {
	var list LimitList
	err := c.call(ctx, http.MethodGet, "/admin/v1/limits?"+of.Encode(), nil, &list)
	return list, err
}

// Explain asks what Weir would now do with a request for a model, made with the key of that id or name. body is the request
// as a caller would send it, nil if nothing is known of it.
func (c *Client) Explain(ctx context.Context, model, key string, body []byte) (Explanation, error) {
	query := url.Values{"model": {model}}
	if key != "" {
		query.Set("key", key)
	}
	path := "/admin/v1/explain?" + query.Encode()
	var explanation Explanation
	if body == nil {
		return explanation, c.call(ctx, http.MethodGet, path, nil, &explanation)
	}
	return explanation, c.call(ctx, http.MethodPost, path, asItIs(body), &explanation)
}

// asItIs is a body that is sent without being looked at.
type asItIs []byte

// Usage asks what was used. The parameters are those of GET /admin/v1/usage.
func (c *Client) Usage(ctx context.Context, query url.Values) (ledger.UsagePage, error) {
	var page ledger.UsagePage
	err := c.call(ctx, http.MethodGet, "/admin/v1/usage?"+query.Encode(), nil, &page)
	return page, err
}

// Attempts asks for a page of the ledger's rows, the newest first, and the cursor of the next one. The parameters are those of
// GET /admin/v1/attempts.
func (c *Client) Attempts(ctx context.Context, query url.Values) (rows []Attempt, next *string, err error) {
	var page attemptPage
	err = c.call(ctx, http.MethodGet, "/admin/v1/attempts?"+query.Encode(), nil, &page)
	return page.Data, page.Next, err
}

// Requests asks for a page of requests, the newest first. The parameters are those of GET /admin/v1/requests.
func (c *Client) Requests(ctx context.Context, query url.Values) (RequestPage, error) {
	var page RequestPage
	err := c.call(ctx, http.MethodGet, "/admin/v1/requests?"+query.Encode(), nil, &page)
	return page, err
}

// Request asks for a request with its calls.
func (c *Client) Request(ctx context.Context, id string) (Trail, error) {
	var trail Trail
	err := c.call(ctx, http.MethodGet, "/admin/v1/requests/"+url.PathEscape(id), nil, &trail)
	return trail, err
}

// Metrics returns the figures of GET /metrics, in Prometheus' text format.
func (c *Client) Metrics(ctx context.Context) (string, error) {
	response, err := c.send(ctx, http.MethodGet, "/metrics", nil)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return "", c.unreachable(err)
	}
	if response.StatusCode != http.StatusOK {
		return "", c.refused(response.StatusCode, text)
	}
	return string(text), nil
}

// Adjust corrects what a call cost, and returns the row of the correction.
func (c *Client) Adjust(ctx context.Context, a Adjustment) (Attempt, error) {
	var row Attempt
	err := c.call(ctx, http.MethodPost, "/admin/v1/adjustments", a, &row)
	return row, err
}

// Verify has Weir add up all rows of the ledger again.
func (c *Client) Verify(ctx context.Context) (Verification, error) {
	var v Verification
	err := c.call(ctx, http.MethodGet, "/admin/v1/verify", nil, &v)
	return v, err
}

// Config returns what the config in force has.
func (c *Client) Config(ctx context.Context) (Config, error) {
	var config Config
	err := c.call(ctx, http.MethodGet, "/admin/v1/config", nil, &config)
	return config, err
}

// Reload has Weir read its config again.
func (c *Client) Reload(ctx context.Context) (ReloadResult, error) {
	var result ReloadResult
	err := c.call(ctx, http.MethodPost, "/admin/v1/reload", nil, &result)
	return result, err
}

func keyPath(ref string) string { return "/admin/v1/keys/" + url.PathEscape(ref) }

func (c *Client) mint(ctx context.Context, path string, body any) (Key, secret.Text, error) {
	var made minted
	if err := c.call(ctx, http.MethodPost, path, body, &made); err != nil {
		return Key{}, secret.Text{}, err
	}
	return made.Key, secret.New(made.Secret), nil
}

// maxAnswer bounds what is read of an answer: a thousand keys with many patterns fit.
const maxAnswer = 256 << 20

// call sends body and reads the answer into result.
func (c *Client) call(ctx context.Context, method, path string, body, result any) error {
	response, err := c.send(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return c.unreachable(err)
	}
	if response.StatusCode != http.StatusOK {
		return c.refused(response.StatusCode, answer)
	}
	if err := json.Unmarshal(answer, result); err != nil {
		return c.stranger(response.StatusCode)
	}
	return nil
}

// send sends body as JSON, unless it is nil or asItIs. The caller closes the answer's body.
func (c *Client) send(ctx context.Context, method, path string, body any) (*http.Response, error) {
	var content io.Reader
	if text, ok := body.(asItIs); ok {
		content = bytes.NewReader(text)
	} else if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(c.BaseURL, "/")+path, content)
	if err != nil {
		return nil, fmt.Errorf("the admin API's address %q is no URL such as http://127.0.0.1:8931", c.BaseURL)
	}
	request.Header.Set("Authorization", "Bearer "+c.Token.Reveal())
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	client := *http.DefaultClient
	if c.HTTP != nil {
		client = *c.HTTP
	}
	// The token is for the address that it was given with, not for where that one points.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := client.Do(request)
	if err != nil {
		return nil, c.unreachable(err)
	}
	return response, nil
}

func (c *Client) unreachable(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err // the URL is named below
	}
	var untrusted *tls.CertificateVerificationError
	if errors.As(err, &untrusted) {
		return fmt.Errorf("the certificate of Weir's admin API at %s is not trusted: set SSL_CERT_FILE to a file with it, or with the certificate of its issuer (%w)", c.BaseURL, untrusted.Err)
	}
	return &UnreachableError{c.BaseURL, err}
}

func (c *Client) stranger(status int) error {
	return fmt.Errorf("what answers at %s (with status %d) is not Weir's admin API: check --admin or WEIR_ADMIN; the public address is another one", c.BaseURL, status)
}

// refused makes an error of an envelope.
func (c *Client) refused(status int, answer []byte) error {
	var envelope struct {
		Error struct {
			Message string `json:"message"`
			Code    string `json:"code"`
		} `json:"error"`
	}
	if err := json.Unmarshal(answer, &envelope); err != nil || envelope.Error.Message == "" || envelope.Error.Code == "unknown_url" {
		return c.stranger(status)
	}
	refusal := &APIError{Status: status, Code: envelope.Error.Code, Message: envelope.Error.Message}
	if status == http.StatusUnauthorized && c.TokenFrom != "" {
		refusal.Message = fmt.Sprintf("the admin token in %s was refused by %s: give that server's own with --token-file or WEIR_ADMIN_TOKEN", c.TokenFrom, c.BaseURL)
	}
	return refusal
}
