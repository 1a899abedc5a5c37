package admin

import (
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/llm"
)

// TokenLogin says from where the admin token makes a session for a browser.
type TokenLogin string

// From where it does. "" is FromLoopback.
const (
	FromLoopback TokenLogin = "loopback" // from this machine alone
	FromAnywhere TokenLogin = "always"
	FromNowhere  TokenLogin = "never"
)

// maxLogin bounds the body of a login, in bytes.
const maxLogin = 4 << 10

// Session is what the console knows of who uses it.
type Session struct {
	Via         string       `json:"via"`         // how the session was made
	Expires     *time.Time   `json:"expires"`     // nil for the admin token itself
	Permissions []Permission `json:"permissions"` // what it may do
}

// sessionOf describes an operator.
func sessionOf(who *operator) Session {
	shown := Session{Via: "token", Permissions: who.permissions()}
	if who.session != nil {
		expires := who.session.expires.UTC().Round(time.Second)
		shown.Expires = &expires
	}
	return shown
}

// logIn makes a session from the admin token, always a new one.
func (h *Handler) logIn(r *http.Request) (any, error) {
	if err := h.ownPage(r); err != nil {
		return nil, err
	}
	if err := h.mayLogIn(r); err != nil {
		return nil, err
	}
	var token string
	if err := readQuery(r); err != nil {
		return nil, err
	}
	if err := readObject(r, member{"token", &token}); err != nil {
		return nil, err
	}
	if token == "" {
		return nil, &llm.Error{Kind: llm.MissingParameter, Param: "token", Message: "Send the admin token as token. " + whereToken}
	}
	if err := h.checkToken(r.RemoteAddr, token); err != nil {
		return nil, err
	}
	if before := h.sessionOf(r); before != nil {
		h.sessions.finish(before)
	}
	made, id := h.sessions.begin(h.Now())
	h.LoggedIn()
	h.Log.Warn("a browser was logged in to the console with the admin token", "remote", r.RemoteAddr, "expires", made.expires.UTC().Round(time.Second))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, h.cookie(r, id))
		respond(w, r, http.StatusOK, sessionOf(&operator{session: made}))
	}), nil
}

// whoAmI describes who calls.
func (h *Handler) whoAmI(r *http.Request) (any, error) {
	return sessionOf(operatorOf(r)), readQuery(r)
}

// logOut ends the session that calls.
func (h *Handler) logOut(r *http.Request) (any, error) {
	if err := readQuery(r); err != nil {
		return nil, err
	}
	if err := readObject(r); err != nil {
		return nil, err
	}
	own := operatorOf(r).session
	if own == nil {
		return nil, &llm.Error{Kind: llm.NotFound, Message: "The admin token itself has no session that could be ended."}
	}
	h.sessions.finish(own)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, name := range cookieNames {
			gone := cookieNamed(name, "")
			gone.MaxAge = -1
			http.SetCookie(w, gone)
		}
		respond(w, r, http.StatusOK, status{"ended"})
	}), nil
}

// mayLogIn refuses a login from where none may come.
func (h *Handler) mayLogIn(r *http.Request) error {
	switch {
	case h.TokenLogin == FromAnywhere:
		return nil
	case h.TokenLogin == FromNowhere:
		return &llm.Error{Kind: llm.Forbidden, Message: "The config has token_login: never under admin, so the admin token does not log in to the console. Commands and scripts can still use it."}
	case !onThisMachine(r):
		return &llm.Error{Kind: llm.Forbidden, Message: "The admin token logs in only from the machine that Weir runs on, called by a loopback name such as http://127.0.0.1:8931, and through no proxy. " +
			"Forward the port (ssh -L 8931:127.0.0.1:8931 HOST, kubectl port-forward), or set token_login: always under admin in the config."}
	}
	return nil
}

// onThisMachine reports whether a request was sent by a browser on this machine. That the connection comes from a loopback address is not enough: a proxy
// here connects from one for all its clients. A proxy shows by the headers that it adds, by a Host that is not loopback, or, where it sets none and writes
// its own Host, by the page's Origin. This is a rule about where people type the token, not one that keeps those out who have it: every other call
// accepts it from everywhere.
func onThisMachine(r *http.Request) bool {
	for _, name := range [...]string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Via"} {
		if len(r.Header[name]) > 0 {
			return false
		}
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		page, err := url.Parse(origin)
		if err != nil || !loopbackName(page.Hostname()) {
			return false
		}
	}
	return loopback(r.RemoteAddr) && loopbackName(nameOf(r.Host))
}

// nameOf is a Host without its port.
func nameOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.Trim(host, "[]")
}

// cookieNames are those that a session's cookie may have. With the prefix __Host- a browser takes it over TLS alone, and from this host alone.
var cookieNames = [...]string{"__Host-weir", "weir"}

// cookie is the one that a login sets. It is for TLS, unless the browser is on this machine and uses none.
func (h *Handler) cookie(r *http.Request, id string) *http.Cookie {
	if r.TLS != nil || h.calledByTLS && !onThisMachine(r) {
		return cookieNamed(cookieNames[0], id)
	}
	return cookieNamed(cookieNames[1], id)
}

// cookieNamed is a cookie for the whole listener that no script can read. It has no end of its own: the browser forgets it when it is closed, and Weir
// ends the session.
func cookieNamed(name, id string) *http.Cookie {
	return &http.Cookie{Name: name, Value: id, Path: "/", HttpOnly: true, Secure: name == cookieNames[0], SameSite: http.SameSiteLaxMode}
}

// maxCookies is how many cookies of one name are looked at. Other programs on this machine may have set some: cookies know no ports.
const maxCookies = 8

// sessionOf is the session whose cookie a request has; nil without one. Under which name it comes does not matter, because no client can choose an id.
func (h *Handler) sessionOf(r *http.Request) *session {
	if h.Console == nil {
		return nil
	}
	for _, name := range cookieNames {
		for i, cookie := range r.CookiesNamed(name) {
			if i == maxCookies {
				break
			}
			if found := h.sessions.find(cookie.Value, h.Now()); found != nil {
				return found
			}
		}
	}
	return nil
}

// ownPage refuses a request that may come from a foreign page, which a browser sends with the session's cookie. Reading is refused as well:
// such a page could not see the answer, but have it made.
func (h *Handler) ownPage(r *http.Request) error {
	site := r.Header.Get("Sec-Fetch-Site")
	if site != "" && site != "same-origin" && site != "none" || h.origins.Check(r) != nil {
		return &llm.Error{Kind: llm.Forbidden, Message: "A web page of another origin made this request, so the session of the console does not count. If it is the console itself, set admin.url in the config to the URL that its address bar shows."}
	}
	sent := r.Header.Get("Content-Type")
	if r.Method == http.MethodGet || r.Method == http.MethodHead || sent == "" && r.ContentLength == 0 {
		return nil
	}
	if kind, _, err := mime.ParseMediaType(sent); err != nil || kind != "application/json" {
		return &llm.Error{Kind: llm.UnsupportedMediaType, Message: "Send the body as Content-Type: application/json. No form of a web page can do that, so it is asked for where a browser may have sent the session of the console."}
	}
	return nil
}

// originsOf lets pages of the listener itself through, also where a proxy that others call by this URL writes its own Host.
func originsOf(called string) *http.CrossOriginProtection {
	origins := http.NewCrossOriginProtection()
	if u, err := url.Parse(called); err == nil && u.Host != "" {
		_ = origins.AddTrustedOrigin(u.Scheme + "://" + u.Host) // the config has checked it
	}
	return origins
}
