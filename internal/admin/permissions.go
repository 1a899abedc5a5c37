package admin

import "net/http"

// Permission is what a call of the admin listener needs. Each method of each route names one; "" is granted to no caller.
type Permission string

// The permissions. What each allows is in the table of openapi.json, where each call names its own.
const (
	open Permission = "open" // granted to every caller: no token is asked for

	OwnSession     Permission = "session.own"     // say who calls, end the own session, describe the API
	ReadKeys       Permission = "keys.read"       // list and show keys
	WriteKeys      Permission = "keys.write"      // make, change, rotate and revoke them
	ReadTeams      Permission = "teams.read"      // list and show teams
	WriteTeams     Permission = "teams.write"     // make, change and revoke them
	ReadModels     Permission = "models.read"     // models and their health; what would become of a request
	ReadUsage      Permission = "usage.read"      // sums of what was used, limits and budgets, how fast calls were
	ReadRequests   Permission = "requests.read"   // single requests and calls
	CutRequests    Permission = "requests.cut"    // end requests that run
	ResetProviders Permission = "providers.reset" // have providers be tried again at once
	CorrectCosts   Permission = "costs.correct"   // what a call cost
	TryModels      Permission = "models.try"      // make calls as the holder of an API key, which is sent with each
	VerifyLedger   Permission = "ledger.verify"   // add up the ledger again
	ReadConfig     Permission = "config.read"     // what the config in force has
	ReadSettings   Permission = "settings.read"   // all values of the config but secrets, and the store
	ReloadConfig   Permission = "config.reload"   // read the config file again
	CopyStore      Permission = "store.copy"      // all that the store has, digests of keys included
	ReadMetrics    Permission = "metrics.read"    // where metrics.token asks for a token
)

// grants are all permissions, with who has them. A session lacks what no page of the console needs: a browser that was left open must not be
// enough to carry the store away.
var grants = [...]struct {
	of             Permission
	token, session bool
}{
	{OwnSession, true, true},
	{ReadKeys, true, true},
	{WriteKeys, true, true},
	{ReadTeams, true, true},
	{WriteTeams, true, true},
	{ReadModels, true, true},
	{ReadUsage, true, true},
	{ReadRequests, true, true},
	{CutRequests, true, true},
	{ResetProviders, true, true},
	{CorrectCosts, true, true},
	{TryModels, true, true},
	{VerifyLedger, true, true},
	{ReadConfig, true, true},
	{ReadSettings, true, true},
	{ReloadConfig, true, true},
	{CopyStore, true, false},
	{ReadMetrics, true, true},
}

// permissions are what an operator has, in the order of the table.
func (o *operator) permissions() []Permission {
	var all []Permission
	for _, g := range grants {
		if o.session == nil && g.token || o.session != nil && g.session {
			all = append(all, g.of)
		}
	}
	return all
}

// may reports whether the operator has a permission.
func (o *operator) may(p Permission) bool {
	for _, has := range o.permissions() {
		if has == p {
			return true
		}
	}
	return false
}

// operation is what one method of a route does.
type operation struct {
	needs  Permission
	answer handlerFunc
}

// operations are those of a route, by their methods.
type operations map[string]operation

// operation finds the operation of a method. HEAD is a GET whose body is not sent.
func (r *route) operation(method string) (operation, bool) {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	found, ok := r.methods[method]
	return found, ok
}

// least is what is asked of a caller whose method the route does not have.
func (r *route) least() Permission {
	for _, op := range r.methods {
		if op.needs == open {
			return open
		}
	}
	return OwnSession
}
