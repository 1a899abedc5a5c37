package source

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/secret"
)

// vault reads ${vault:…}: the newest version of secrets in an engine for keys and values of version 2.
type vault struct {
	log *slog.Logger
	now func() time.Time

	mu      sync.Mutex // guards what follows
	session session
}

func newVault(log *slog.Logger, now func() time.Time) *vault { return &vault{log: log, now: now} }

// kept is a secret of Vault: its fields, or why it cannot be read.
type kept struct {
	fields map[string]json.RawMessage
	err    error
}

func (v *vault) read(ctx context.Context, settings *config.Secrets, refs []config.Reference) []config.Reading {
	var paths []string
	for _, ref := range refs {
		if path, _, err := ref.Field(); err == nil && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	found := v.secrets(ctx, &settings.Vault, paths)
	readings := make([]config.Reading, len(refs))
	for i, ref := range refs {
		path, field, err := ref.Field()
		if err != nil {
			readings[i].Err = err
			continue
		}
		at := slices.Index(paths, path)
		readings[i].Value, readings[i].Err = found[at].field(field)
	}
	return readings
}

// secrets reads the secrets at some paths, each once. Where the login is refused that worked before, it is made again: a token may have been
// revoked.
func (v *vault) secrets(ctx context.Context, settings *config.Vault, paths []string) []kept {
	failed := func(err error) []kept { return slices.Repeat([]kept{{err: err}}, len(paths)) }
	c, err := newClient(settings)
	if err != nil {
		return failed(err)
	}
	token, fresh, err := v.token(ctx, c)
	if err != nil {
		return failed(err)
	}
	found := each(paths, func(path string) kept { return c.secret(ctx, token, path) })
	if fresh || settings.Kubernetes == nil || !slices.ContainsFunc(found, func(k kept) bool { return isStatus(k.err, http.StatusForbidden) }) {
		return found
	}
	if token, err = v.login(ctx, c); err != nil {
		return failed(err)
	}
	return each(paths, func(path string) kept { return c.secret(ctx, token, path) })
}

// secret reads the secret at one path.
func (c *client) secret(ctx context.Context, token secret.Text, path string) kept {
	var answer struct {
		Data *struct {
			Data     map[string]json.RawMessage `json:"data"`
			Metadata *struct {
				Destroyed bool   `json:"destroyed"`
				Deleted   string `json:"deletion_time"`
			} `json:"metadata"`
		} `json:"data"`
	}
	err := c.call(ctx, token, question{http.MethodGet, path, nil}, &answer)
	switch {
	case isStatus(err, http.StatusNotFound):
		return kept{err: fmt.Errorf("%w: it has no secret at this path, or its newest version is deleted", err)}
	case isStatus(err, http.StatusForbidden):
		return kept{err: fmt.Errorf("%w: the token is not valid any more, or no policy of it allows to read this path", err)}
	case err != nil:
		return kept{err: err}
	case answer.Data == nil || answer.Data.Metadata == nil:
		return kept{err: fmt.Errorf("%s answered without data and metadata: is the engine one for keys and values, of version 2?", c.name)}
	case answer.Data.Metadata.Destroyed || answer.Data.Metadata.Deleted != "" && answer.Data.Data == nil:
		return kept{err: errors.New("the newest version of the secret is deleted")}
	}
	return kept{fields: answer.Data.Data}
}

// field is one field of a secret.
func (k *kept) field(name string) (secret.Text, error) {
	if k.err != nil {
		return secret.Text{}, k.err
	}
	raw, ok := k.fields[name]
	var text *string
	switch {
	case !ok:
		return secret.Text{}, errors.New("the secret has no such field")
	case json.Unmarshal(raw, &text) != nil || text == nil:
		return secret.Text{}, errors.New("the field is not a text: put it into quotes in Vault")
	case *text == "":
		return secret.Text{}, errors.New("the field is empty")
	case len(*text) > mostValue:
		return secret.Text{}, fmt.Errorf("the field is longer than %d KiB", mostValue>>10)
	}
	return secret.New(*text), nil
}
