package gateway

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/relay"
	"github.com/weirproxy/weir/internal/stored"
)

// savePatience is how long storing an answer may delay the end of it.
const savePatience = 5 * time.Second

// parse reads a body, and has the request go on from a stored answer if it names one. storing is nil if its own answer is not to be stored.
func (g *Gateway) parse(ctx context.Context, c call, body []byte, caller *auth.Principal, snap *Snapshot, ev *Event) (asked dialect.Request, storing *relay.Storing, refused *llm.Error) {
	asked, refused = c.ingress.Parse(body, parseOptions(c, snap, ev))
	api := c.ingress.Stored
	if refused != nil || api == nil || snap.Stored == nil {
		return asked, nil, refused
	}
	as := api.Of(asked)
	answer, fits := &stored.Response{ID: as.AnswerID(), Previous: strings.Clone(as.Previous())}, snap.Stored.Fits(len(as.Input()))
	if as.Stores() && fits {
		if !ev.hold.Grow(len(as.Input())) {
			return nil, nil, overloaded()
		}
		answer.Input = bytes.Clone(as.Input())
	}
	if answer.Previous != "" {
		turns, err := snap.chain(ctx, caller, answer.Previous, ev)
		if err != nil {
			return nil, nil, previousError(ctx, answer.Previous, err)
		}
		raw := as.Continue(api.History(turns))
		switch {
		case int64(len(raw)) > snap.MaxBody:
			return nil, nil, previousError(ctx, answer.Previous, stored.ErrTooLong)
		case !ev.hold.Grow(len(raw)):
			return nil, nil, overloaded()
		}
		if asked, refused = c.ingress.Parse(raw, parseOptions(c, snap, ev)); refused != nil {
			return nil, nil, refused
		}
		as = api.Of(asked)
	}
	if !as.Stores() {
		return asked, nil, nil
	}
	return asked, &relay.Storing{As: as, Save: func(body []byte) bool {
		if !fits { // what was asked is not here
			g.notStored(ctx, caller.KeyID, answer.ID, stored.ErrTooLarge)
			return false
		}
		answer.Answer = body
		return g.save(ctx, snap.Stored, caller.KeyID, answer)
	}}, nil
}

// save stores an answer, and reports whether it is stored. That its client is gone does not matter.
func (g *Gateway) save(ctx context.Context, book *stored.Book, keyID string, answer *stored.Response) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), savePatience)
	defer cancel()
	err := book.Save(ctx, keyID, answer)
	if err != nil {
		g.notStored(ctx, keyID, answer.ID, err)
	}
	return err == nil
}

// notStored logs why an answer is not stored.
func (g *Gateway) notStored(ctx context.Context, keyID, id string, err error) {
	level := slog.LevelWarn
	if errors.Is(err, stored.ErrTooLarge) { // as the config has it
		level = slog.LevelInfo
	}
	g.log.Log(ctx, level, "a response is not stored", "response", id, "key_id", keyID, "reason", err.Error())
}

// chain is the conversation up to a caller's stored answer.
func (s *Snapshot) chain(ctx context.Context, caller *auth.Principal, id string, ev *Event) ([]dialect.Turn, error) {
	list, err := s.Stored.Chain(ctx, caller.KeyID, id, s.MaxBody, ev.hold.Grow)
	turns := make([]dialect.Turn, len(list))
	for i, r := range list {
		turns[i] = dialect.Turn{ID: r.ID, Input: r.Input, Answer: r.Answer}
	}
	return turns, err
}

// previousError is why a request cannot go on from an answer.
func previousError(ctx context.Context, id string, err error) *llm.Error {
	const param = "previous_response_id"
	var broken *stored.BrokenError
	switch {
	case errors.As(err, &broken):
		return &llm.Error{Kind: llm.PreviousNotFound, Param: param, Message: "Previous response with id '" + shown(id) + "' goes on from '" + shown(broken.ID) + "', which is not found. Send what matters of the conversation as 'input'."}
	case errors.Is(err, stored.ErrNotFound):
		return &llm.Error{Kind: llm.PreviousNotFound, Param: param, Message: "Previous response with id '" + shown(id) + "' not found."}
	case errors.Is(err, stored.ErrTooLong):
		return &llm.Error{Kind: llm.InvalidValue, Param: param, Message: "The conversation of the response '" + shown(id) + "' is longer than a request may be. Send what matters of it as 'input'."}
	}
	return notNow(ctx, err)
}

// notNow is why stored answers could not be read, or deleted, though they may be there.
func notNow(ctx context.Context, err error) *llm.Error {
	switch {
	case errors.Is(err, stored.ErrNoRoom):
		return overloaded()
	case ctx.Err() != nil:
		return relay.Cancellation(ctx)
	}
	return llm.AsError(err)
}

// storedAnswer serves what there is of a stored answer: rest is its id, and what comes after it in the path.
func (g *Gateway) storedAnswer(w http.ResponseWriter, r *http.Request, ev *Event, snap *Snapshot, api *dialect.Stored, rest string) (err *llm.Error) {
	id, items := strings.CutSuffix(rest, "/input_items")
	if id = unescape(id); strings.Contains(id, "/") {
		_, _ = g.authenticate(r, ev)
		return refuseEarly(w, r, unknownURL(r, api.Path+rest, snap))
	}
	get := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch {
	case items && !get:
		return notAllowed(w, r, "GET, HEAD")
	case !get && r.Method != http.MethodDelete:
		return notAllowed(w, r, "GET, HEAD, DELETE")
	}
	answerEarly(w, r, func() {
		var body []byte
		if body, err = g.ofStored(r, ev, snap, api, id, items); err == nil {
			err = answer(w, r, ev, body)
		}
		if err != nil {
			render(w, r, err)
		}
	})
	return err
}

// ofStored is what a request for a stored answer is answered with.
func (g *Gateway) ofStored(r *http.Request, ev *Event, snap *Snapshot, api *dialect.Stored, id string, items bool) ([]byte, *llm.Error) {
	caller, refused := g.caller(r, ev, "stored_responses")
	if refused != nil {
		return nil, refused
	}
	if query := r.URL.Query(); query.Get("stream") == "true" || query.Get("starting_after") != "" {
		return nil, &llm.Error{Kind: llm.UnsupportedParameter, Param: "stream", Message: "Unsupported parameter: 'stream'. Weir gives a stored response whole."}
	}
	switch {
	case items:
		turns, err := snap.chain(r.Context(), caller, id, ev)
		if err != nil {
			return nil, storedError(r.Context(), id, err)
		}
		return api.Items(turns, r.URL.Query())
	case r.Method == http.MethodDelete:
		if err := snap.Stored.Delete(r.Context(), caller.KeyID, id); err != nil {
			return nil, storedError(r.Context(), id, err)
		}
		return api.Deleted(id), nil
	}
	found, err := snap.Stored.Get(r.Context(), caller.KeyID, id)
	if err != nil {
		return nil, storedError(r.Context(), id, err)
	}
	return found.Answer, nil
}

// storedError is why a stored answer cannot be had. It is the same for one that is not there and for another key's.
func storedError(ctx context.Context, id string, err error) *llm.Error {
	var broken *stored.BrokenError
	switch {
	case errors.As(err, &broken):
		return &llm.Error{Kind: llm.NotFound, Message: "Response with id '" + shown(id) + "' goes on from '" + shown(broken.ID) + "', which is not found."}
	case errors.Is(err, stored.ErrNotFound):
		return &llm.Error{Kind: llm.NotFound, Message: "Response with id '" + shown(id) + "' not found."}
	case errors.Is(err, stored.ErrTooLong):
		return &llm.Error{Kind: llm.InvalidValue, Message: "The conversation of the response '" + shown(id) + "' is longer than a request may be."}
	}
	return notNow(ctx, err)
}
