package cloud

import (
	"context"
	"io"
	"net/http"

	"github.com/weirproxy/weir/internal/secret"
)

// Bearer puts a token on calls that is good for an hour or so. It is safe for concurrent use. Close stops it.
type Bearer struct{ tokens *keeper[secret.Text] }

// Authorize sets the Authorization of req. It waits only if no valid token is at hand.
func (b *Bearer) Authorize(ctx context.Context, req *http.Request, _ io.Reader) error {
	token, err := b.tokens.get(ctx)
	if err != nil {
		return err
	}
	req.Header["Authorization"] = []string{"Bearer " + token.value.Reveal()}
	return nil
}

// Refused records that the token in the headers of a call was refused, and reports whether another is available.
func (b *Bearer) Refused(h http.Header) bool {
	return b.tokens.refused(func(token secret.Text) bool { return h.Get("Authorization") == "Bearer "+token.Reveal() })
}

// State is where the token is from. It fetches one if it has none.
func (b *Bearer) State(ctx context.Context) (State, error) {
	token, err := b.tokens.get(ctx)
	if err != nil {
		return State{}, err
	}
	return State{token.source, token.until}, nil
}

// Private returns what must not be shown.
func (b *Bearer) Private() []string {
	if token := b.tokens.peek(); token != nil {
		return []string{token.value.Reveal()}
	}
	return nil
}

// Close stops a fetch that is under way.
func (b *Bearer) Close() { b.tokens.close() }
