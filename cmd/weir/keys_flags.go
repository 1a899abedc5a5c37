package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/secret"
)

// adminFlags are how a managing command finds the admin API.
type adminFlags struct {
	Admin     string `placeholder:"URL" help:"The admin API. Default: WEIR_ADMIN, else the config's admin.listen."`
	TokenFile string `placeholder:"FILE" help:"File with the admin token. Default: the token in WEIR_ADMIN_TOKEN, else the config's admin.token, else DATA/admin.token."`
	Config    string `placeholder:"FILE" help:"Config file that names these. Default: WEIR_CONFIG, else ./weir.yaml if it exists."`
}

// callTimeout bounds one call of the admin API, which answers from memory or after one small write.
const callTimeout = 30 * time.Second

// client makes a client of the admin API from the flags, the environment and, only if these leave something
// open, the config.
func (f adminFlags) client(sys *system) (*admin.Client, error) {
	return f.clientOf(sys, func() (*config.Config, error) {
		cfg, err := loadConfig(adminLoader(sys), f.Config, sys)
		if err != nil {
			return nil, &exitError{2, fmt.Errorf("%w\nTo do without the config, give --admin (or WEIR_ADMIN) and --token-file (or WEIR_ADMIN_TOKEN)", err)}
		}
		return cfg, nil
	})
}

// clientOf is client with the config that load returns.
func (f adminFlags) clientOf(sys *system, load func() (*config.Config, error)) (*admin.Client, error) {
	address := f.Admin
	if address == "" {
		address, _ = sys.env("WEIR_ADMIN")
	}
	token, from, err := f.token(sys)
	if err != nil {
		return nil, err
	}
	if address == "" || token.IsZero() {
		cfg, err := load()
		if err != nil {
			return nil, err
		}
		if address == "" {
			if address, err = localURL("admin.listen", "--admin URL", cfg.Admin.Listen); err != nil {
				return nil, &exitError{2, err}
			}
		}
		if token.IsZero() {
			if token, from, err = configuredToken(cfg); err != nil {
				return nil, err
			}
		}
	}
	base, err := parseAdmin(address)
	if err != nil {
		return nil, &exitError{2, err}
	}
	return &admin.Client{BaseURL: base, Token: token, TokenFrom: from, HTTP: &http.Client{Timeout: callTimeout}}, nil
}

// token is what --token-file or WEIR_ADMIN_TOKEN say, and which of them; zero if neither does.
func (f adminFlags) token(sys *system) (token secret.Text, from string, err error) {
	if f.TokenFile != "" {
		token, err := admin.ReadToken(f.TokenFile)
		if err != nil {
			return secret.Text{}, "", &exitError{2, fmt.Errorf("--token-file: %w", err)}
		}
		return token, f.TokenFile, nil
	}
	if text, _ := sys.env("WEIR_ADMIN_TOKEN"); text != "" {
		return secret.New(strings.TrimSpace(text)), "WEIR_ADMIN_TOKEN", nil
	}
	return secret.Text{}, "", nil
}

// noTokenError is a data folder without an admin token.
type noTokenError struct{ path string }

// Error implements error.
func (e *noTokenError) Error() string {
	return fmt.Sprintf("%s has no admin token: the first weir serve makes it there. Start Weir, run this command in the folder of its config or data, or give --token-file", e.path)
}

func configuredToken(cfg *config.Config) (token secret.Text, from string, err error) {
	if !cfg.Admin.Token.IsZero() {
		return cfg.Admin.Token, "the config's admin.token", nil
	}
	path := admin.TokenFile(cfg.Data)
	token, err = admin.OwnToken(cfg.Data)
	if errors.Is(err, fs.ErrNotExist) {
		return secret.Text{}, "", &noTokenError{path}
	}
	return token, path, err
}

// localURL is the URL of a listener from this machine. If field of the config has no usable address, the error
// names flag as the way to give one.
func localURL(field, flag string, listen config.Listener) (string, error) {
	host, port, err := net.SplitHostPort(listen.Addr)
	if err != nil || port == "0" {
		return "", fmt.Errorf("the config's %s %q names no port to call: give %s", field, listen.Addr, flag)
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	scheme := "http://"
	if listen.TLS != nil {
		scheme = "https://"
	}
	return scheme + net.JoinHostPort(host, port), nil
}

// parseAdmin checks an address that a person typed, and adds the scheme that most leave out.
func parseAdmin(address string) (string, error) {
	text := address
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	parsed, err := url.Parse(text)
	if err != nil || parsed.Host == "" || parsed.User != nil || parsed.RawQuery != "" || parsed.Fragment != "" ||
		strings.Trim(parsed.Path, "/") != "" || !slices.Contains([]string{"http", "https"}, parsed.Scheme) {
		return "", errors.New("--admin or WEIR_ADMIN is a URL such as http://127.0.0.1:8931, without a path or user name")
	}
	return parsed.Scheme + "://" + parsed.Host, nil
}

// noneWord clears what a flag of update names.
const noneWord = "none"

// teamFlag is a team, or none.
type teamFlag struct {
	given bool
	ref   string // its id or name, "" for none
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *teamFlag) UnmarshalText(text []byte) error {
	*f = teamFlag{given: true}
	switch string(text) {
	case "":
		return errors.New("a team is missing: give its id or name, or none")
	case noneWord:
	default:
		f.ref = string(text)
	}
	return nil
}

// limitsFlags are the limits of a key or a team.
type limitsFlags struct {
	RPM        limitFlag `name:"rpm" placeholder:"N" help:"Requests a minute. All may come at once, and come back evenly. Default: any number; for update, none lifts the limit."`
	TPM        limitFlag `name:"tpm" placeholder:"N" help:"Tokens a minute, of prompts and answers. Default: any number; for update, none lifts the limit."`
	Concurrent limitFlag `placeholder:"N" help:"Requests at once. Default: any number; for update, none lifts the limit."`
}

// change is what the flags say.
func (f limitsFlags) change() admin.LimitsChange {
	given := func(f limitFlag) *int64 {
		if !f.given {
			return nil
		}
		return &f.n
	}
	return admin.LimitsChange{RPM: given(f.RPM), TPM: given(f.TPM), Concurrent: given(f.Concurrent)}
}

// check refuses none for something new.
func (f limitsFlags) check() error {
	for _, one := range []limitFlag{f.RPM, f.TPM, f.Concurrent} {
		if one.given && one.n == 0 {
			return &exitError{2, errors.New("what is new has no limit to lift: omit --rpm, --tpm or --concurrent")}
		}
	}
	return nil
}

// limits are those of something new.
func (f limitsFlags) limits() auth.Limits {
	return auth.Limits{Requests: f.RPM.n, Tokens: f.TPM.n, Concurrent: f.Concurrent.n}
}

// budgetFlags are the budgets of a key or a team.
type budgetFlags struct {
	Budget  []string    `placeholder:"50usd/month" sep:"none" help:"So much in a period: usd or tok, ktok, Mtok by hour, day, week, month or in total. May be repeated. Default: no budget; for update, all are replaced, and none takes them away."`
	Reserve reserveFlag `placeholder:"WORD" help:"What a call holds while it runs: strict, the most that it can take, or expected, what is usual. Default: expected."`
	Cut     *bool       `negatable:"" help:"End a stream with an error when its budget has no room for more of it. Default: it goes on."`
	Warn    warnFlag    `placeholder:"50%,90%" help:"Shares of a budget at which to warn in the log, and by the alerts of the config, once in a period. That all of it is spent is said in any case. Default: none; for update, none stops it."`
}

// change is what the flags say.
func (f budgetFlags) change() (c admin.BudgetsChange, err error) {
	if len(f.Budget) > 0 {
		specs := []budget.Spec{}
		switch none := slices.Contains(f.Budget, noneWord); {
		case none && len(f.Budget) > 1:
			return c, &exitError{2, errors.New("--budget: none takes all budgets away and stands alone: omit it, or the other budgets")}
		case !none:
			if specs, err = budget.ParseAll(f.Budget); err != nil {
				return c, &exitError{2, fmt.Errorf("--budget: %w", err)}
			}
		}
		c.Budgets = &specs
	}
	if f.Reserve.word != "" {
		c.Reserve = &f.Reserve.word
	}
	c.Cut = f.Cut
	if f.Warn.given {
		c.Warn = &f.Warn.shares
	}
	return c, nil
}

// policy are the budgets of something new, nil for none.
func (f budgetFlags) policy() (*budget.Policy, error) {
	if len(f.Budget) == 1 && f.Budget[0] == noneWord || f.Warn.given && len(f.Warn.shares) == 0 {
		return nil, &exitError{2, errors.New("what is new has no budget to take away: omit --budget or --warn")}
	}
	c, err := f.change()
	if err != nil || c == (admin.BudgetsChange{}) {
		return nil, err
	}
	p := &budget.Policy{Strict: f.Reserve.word == strictWord, Cut: f.Cut != nil && *f.Cut, Warn: f.Warn.shares}
	if c.Budgets == nil {
		return nil, &exitError{2, errors.New("--reserve, --cut and --warn say how budgets are kept, and a budget is missing: give --budget, such as --budget 50usd/month")}
	}
	p.Budgets = *c.Budgets
	return p, nil
}

const strictWord, expectedWord = "strict", "expected"

// reserveFlag is what a call holds of budgets.
type reserveFlag struct{ word string }

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *reserveFlag) UnmarshalText(text []byte) error {
	if f.word = string(text); f.word != strictWord && f.word != expectedWord {
		return fmt.Errorf("%q is neither strict nor expected", text)
	}
	return nil
}

// warnFlag is a list of shares, or none.
type warnFlag struct {
	given  bool
	shares []int
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *warnFlag) UnmarshalText(text []byte) error {
	*f = warnFlag{given: true}
	if string(text) == noneWord {
		return nil
	}
	for share := range strings.SplitSeq(string(text), ",") {
		digits, ok := strings.CutSuffix(strings.TrimSpace(share), "%")
		n, err := strconv.ParseUint(digits, 10, 8)
		if !ok || err != nil || n < 1 || n > 100 {
			return fmt.Errorf("%q is not a list of whole shares from 1%% to 100%%, such as 50%%,90%%", text)
		}
		f.shares = append(f.shares, int(n))
	}
	return nil
}

// limitFlag is a limit, or none.
type limitFlag struct {
	given bool
	n     int64 // 0 for none
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *limitFlag) UnmarshalText(text []byte) error {
	*f = limitFlag{given: true}
	if string(text) == noneWord {
		return nil
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || n < 1 || n > auth.MaxLimit {
		return fmt.Errorf("%q is not a whole number from 1 to %d, such as 60", text, auth.MaxLimit)
	}
	f.n = n
	return nil
}

// modelsFlag is a list of model patterns, or none.
type modelsFlag struct {
	given, none bool
	list        []string
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *modelsFlag) UnmarshalText(text []byte) error {
	*f = modelsFlag{given: true}
	if string(text) == noneWord {
		f.none = true
		return nil
	}
	for pattern := range strings.SplitSeq(string(text), ",") {
		pattern = strings.TrimSpace(pattern)
		if pattern == "" {
			return errors.New("a model is missing: give patterns such as 'fast,embed-*', or leave the flag out")
		}
		f.list = append(f.list, pattern)
	}
	return nil
}

// warn prints what the admin API finds doubtful about a change.
func warn(sys *system, warnings []string) error {
	for _, one := range warnings {
		if _, err := fmt.Fprintln(sys.stderr, "warning:", one); err != nil {
			return err
		}
	}
	return nil
}

// expiresFlag is a time from now, a fixed time, or none.
type expiresFlag struct {
	given, none bool
	wait        time.Duration
	fixed       time.Time
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *expiresFlag) UnmarshalText(text []byte) error {
	*f = expiresFlag{given: true}
	if string(text) == noneWord {
		f.none = true
		return nil
	}
	var err error
	if f.wait, err = admin.ParseDuration(string(text)); err == nil {
		if f.wait <= 0 {
			return errors.New("the time is over at once: to end a key, revoke it")
		}
		return nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if f.fixed, err = time.Parse(layout, string(text)); err == nil {
			return nil
		}
	}
	return fmt.Errorf("%q is not a duration such as 90d, a date such as 2027-01-31 (its first moment, UTC), or an RFC 3339 date-time", text)
}

// at is the time meant, zero for never.
func (f expiresFlag) at(now time.Time) time.Time {
	if f.wait > 0 {
		return now.Add(f.wait).UTC().Truncate(time.Second)
	}
	return f.fixed
}

// check refuses a time that is over.
func (f expiresFlag) check(now time.Time) error {
	if at := f.at(now); !at.IsZero() && !at.After(now) {
		return &exitError{2, errors.New("--expires is in the past: give a date after today, or a duration such as 90d; weir keys revoke ends a key now")}
	}
	return nil
}

// graceFlag is a duration with days and weeks.
type graceFlag struct{ wait time.Duration }

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *graceFlag) UnmarshalText(text []byte) error {
	var err error
	f.wait, err = admin.ParseDuration(string(text))
	return err
}
