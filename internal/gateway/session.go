package gateway

import (
	"cmp"
	"net/http"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/route"
)

// sessionHeaders are those with which coding agents name the conversation that a request belongs to: Claude Code, Codex and opencode, as they were
// seen to send them.
var sessionHeaders = [...]string{"X-Claude-Code-Session-Id", "Session-Id", "X-Session-Id"}

// inSession completes what a request says of its user, if a model sticks to that: where the body names none, the session does that a header names.
func inSession(p llm.Profile, w llm.Wants, header http.Header) llm.Profile {
	if !w.User || p.User != 0 {
		return p
	}
	for _, name := range sessionHeaders {
		if session := header.Get(name); session != "" {
			p.User = cmp.Or(route.Hash(session), 1)
			break
		}
	}
	return p
}
