package admin

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"strings"

	"github.com/weirproxy/weir/internal/llm"
)

// operator is who calls the admin listener. All who send the token are one operator.
type operator struct {
	session *session // nil for the token itself
}

// via says how the operator has shown who it is.
func (o *operator) via() string {
	if o.session != nil {
		return "session"
	}
	return "token"
}

// operatorKey is where the context of a request has its operator.
type operatorKey struct{}

// operatorOf is who sent a request that needs a permission. For one that is open it is nil.
func operatorOf(r *http.Request) *operator {
	o, _ := r.Context().Value(operatorKey{}).(*operator)
	return o
}

// known serves next if the caller has a permission. What goes on in a session ends with it: the context of the request does.
func (h *Handler) known(needs Permission, next http.Handler) http.Handler {
	if needs == open {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who, err := h.operator(r)
		if err == nil && !who.may(needs) {
			err = &llm.Error{Kind: llm.Forbidden, Message: fmt.Sprintf("This needs the permission %q, which a %s does not have. Send the admin token itself, as: Authorization: Bearer TOKEN.", needs, who.via())}
		}
		if err != nil {
			if err.HTTPStatus() == http.StatusUnauthorized {
				w.Header().Set("Www-Authenticate", "Bearer")
			}
			render(w, r, err)
			return
		}
		ctx := context.WithValue(r.Context(), operatorKey{}, who)
		if who.session != nil {
			var done context.CancelFunc
			ctx, done = who.session.during(ctx, h.Now())
			defer done()
		}
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// operator finds out who sends a request. Without a token it is the session of its cookie.
func (h *Handler) operator(r *http.Request) (*operator, *llm.Error) {
	sent := r.Header["Authorization"]
	for _, other := range sent {
		if other != sent[0] { // a proxy in front may have read the other one
			return nil, &llm.Error{Kind: llm.InvalidValue, Param: "authorization", Message: `The header "authorization" is repeated with different values. Send it once.`}
		}
	}
	if own := h.sessionOf(r); own != nil && r.Header.Get("Authorization") == "" {
		if err := h.ownPage(r); err != nil {
			return nil, llm.AsError(err)
		}
		return &operator{session: own}, nil
	}
	scheme, token, _ := strings.Cut(strings.TrimSpace(r.Header.Get("Authorization")), " ")
	token = strings.TrimSpace(token)
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return nil, &llm.Error{Kind: llm.MissingKey, Message: "The admin API needs its token, as: Authorization: Bearer TOKEN. " + whereToken}
	}
	if err := h.checkToken(r.RemoteAddr, token); err != nil {
		return nil, err
	}
	return &operator{}, nil
}

// checkToken compares digests, so that its time and allocations reveal neither the token's length nor its
// beginning.
func (h *Handler) checkToken(remote, token string) *llm.Error {
	digest := sha256.Sum256([]byte(token))
	right := subtle.ConstantTimeCompare(digest[:], h.tokenDigest[:]) == 1
	wait, first := h.guesses.admit(remote, right, h.Now())
	switch {
	case wait > 0:
		if first {
			h.Log.Warn("wrong admin tokens come from an address: they are looked at once a second", "remote", remote)
		}
		return &llm.Error{Kind: llm.TooManyGuesses, RetryAfter: wait, Message: "Too many wrong admin tokens came from this address: it may send one each second. " + whereToken}
	case !right:
		return &llm.Error{Kind: llm.InvalidKey, Message: "This is not the token of this admin API. " + whereToken}
	}
	return nil
}

const whereToken = "It is admin.token in the config, else in the file admin.token of the data folder. API keys do not work here."
