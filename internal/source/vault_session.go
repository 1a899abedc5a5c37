package source

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/secret"
)

// When a login is seen to again after that has failed, and after Vault has not said how long it lasts.
const (
	tryAgain  = 10 * time.Second
	lookAgain = 5 * time.Minute
)

// session is a login to Vault: a token, and how long it is good.
type session struct {
	of        loginBy
	token     secret.Text
	renewable bool
	lasts     time.Duration // from when it was made or renewed last; 0 for ever
	ends      time.Time     // zero if it does not, or if that is not known
	next      time.Time     // when it is to be seen to
	failing   bool          // that has failed last, and the log says so
}

// loginBy identifies a login: settings that differ have another.
type loginBy struct {
	address, namespace, role, mount, tokenFile string
	token                                      secret.Text
}

func loginOf(settings *config.Vault) loginBy {
	by := loginBy{address: settings.Address, namespace: settings.Namespace, token: settings.Token}
	if k := settings.Kubernetes; k != nil {
		by.role, by.mount, by.tokenFile = k.Role, k.Mount, k.TokenFile
	}
	return by
}

// auth is what Vault says of a token that it made or renewed.
type auth struct {
	Auth *struct {
		Token     string `json:"client_token"`
		Lasts     int64  `json:"lease_duration"` // seconds; 0 for ever
		Renewable bool   `json:"renewable"`
	} `json:"auth"`
}

// token is the token to ask with. fresh says that Vault gave it just now.
func (v *vault) token(ctx context.Context, c *client) (token secret.Text, fresh bool, err error) {
	v.mu.Lock()
	have := v.session
	v.mu.Unlock()
	if have.of == loginOf(c.settings) && (have.ends.IsZero() || v.now().Before(have.ends)) {
		return have.token, false, nil
	}
	if c.settings.Kubernetes != nil {
		token, err = v.login(ctx, c)
		return token, true, err
	}
	v.lookUp(ctx, c)
	return c.settings.Token, true, nil
}

// login logs in with the service account of the pod.
func (v *vault) login(ctx context.Context, c *client) (secret.Text, error) {
	k := c.settings.Kubernetes
	account := config.ReadingOf(config.ReadFile(k.TokenFile))
	if account.Err != nil {
		return secret.Text{}, fmt.Errorf("cannot read the token of the service account from %s: %w", k.TokenFile, account.Err)
	}
	body, err := json.Marshal(struct {
		Role string `json:"role"`
		JWT  string `json:"jwt"`
	}{k.Role, strings.TrimSpace(account.Value.Reveal())})
	if err != nil {
		return secret.Text{}, errors.New("the token of the service account is not a text")
	}
	var answer auth
	err = c.call(ctx, secret.Text{}, question{http.MethodPost, "auth/" + k.Mount + "/login", body}, &answer)
	switch {
	case isStatus(err, http.StatusBadRequest), isStatus(err, http.StatusForbidden), isStatus(err, http.StatusInternalServerError):
		return secret.Text{}, fmt.Errorf("%w to the login: it does not take the role %q, or the service account", err, k.Role)
	case isStatus(err, http.StatusNotFound):
		return secret.Text{}, fmt.Errorf("%w to the login: no auth method is mounted at %s", err, k.Mount)
	case err != nil:
		return secret.Text{}, err
	case answer.Auth == nil || !usable(answer.Auth.Token):
		return secret.Text{}, fmt.Errorf("%s answered the login without a token", c.name)
	}
	token := secret.New(answer.Auth.Token)
	v.keep(c, token, seconds(answer.Auth.Lasts), answer.Auth.Renewable)
	return token, nil
}

// usable reports whether a token can be sent in a header.
func usable(token string) bool {
	for _, c := range []byte(token) {
		if c <= ' ' || c >= 0x7f {
			return false
		}
	}
	return token != "" && len(token) <= mostValue
}

// seconds is a time that Vault states. What it cannot mean is as good as for ever.
func seconds(n int64) time.Duration {
	if n < 0 || n > math.MaxInt64/int64(time.Second) {
		return 0
	}
	return time.Duration(n) * time.Second
}

// lookUp asks how long the token of the settings is good. A token that may not ask that is used as it is: reading says whether it is good.
func (v *vault) lookUp(ctx context.Context, c *client) {
	var answer struct {
		Data *struct {
			Lasts     int64 `json:"ttl"`
			Renewable bool  `json:"renewable"`
		} `json:"data"`
	}
	err := c.call(ctx, c.settings.Token, question{http.MethodGet, "auth/token/lookup-self", nil}, &answer)
	if err != nil || answer.Data == nil {
		v.keep(c, c.settings.Token, 0, false)
		v.mu.Lock()
		v.session.next = v.now().Add(lookAgain)
		v.mu.Unlock()
		return
	}
	v.keep(c, c.settings.Token, seconds(answer.Data.Lasts), answer.Data.Renewable)
}

// keep notes a token that was made or renewed just now. It is renewed after two thirds of its time.
func (v *vault) keep(c *client, token secret.Text, lasts time.Duration, renewable bool) {
	made := session{of: loginOf(c.settings), token: token, renewable: renewable, lasts: lasts}
	if lasts > 0 {
		made.ends = v.now().Add(lasts)
		made.next = v.now().Add(lasts / 3 * 2)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.session = made
}

// tend renews the login, or makes it again, if it is time.
func (v *vault) tend(ctx context.Context, settings *config.Secrets) {
	v.mu.Lock()
	have := v.session
	v.mu.Unlock()
	if have.of != loginOf(&settings.Vault) || have.next.IsZero() || v.now().Before(have.next) {
		return
	}
	ctx, cancel := context.WithTimeoutCause(ctx, settings.Timeout.D(), overtime(settings))
	defer cancel()
	c, err := newClient(&settings.Vault)
	if err == nil {
		err = v.extend(ctx, c, have)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if err == nil {
		if have.failing {
			v.log.Info("the login to Vault is good again")
		}
		return
	}
	if v.session.next = v.now().Add(tryAgain); !have.failing {
		v.session.failing = true
		v.log.Warn("the login to Vault cannot be renewed", "reason", err.Error(), "ends", have.ends)
	}
}

// extend makes a login last longer. One of a pod is made again where it cannot be renewed, or where renewing adds little because it reaches
// the most that Vault allows.
func (v *vault) extend(ctx context.Context, c *client, have session) error {
	pod := c.settings.Kubernetes != nil
	switch {
	case !pod && have.lasts == 0: // Vault did not say how long it lasts
		v.lookUp(ctx, c)
		return nil
	case !pod && !have.renewable:
		return errors.New("the token is not renewable: put another in its place")
	}
	if have.renewable {
		lasts, renewable, err := v.renew(ctx, c, have.token)
		switch {
		case err == nil && (!pod || lasts > have.lasts/2):
			v.keep(c, have.token, lasts, renewable)
			return nil
		case err != nil && !pod:
			return err
		}
	}
	_, err := v.login(ctx, c)
	return err
}

// renew asks Vault to let a token last longer.
func (v *vault) renew(ctx context.Context, c *client, token secret.Text) (lasts time.Duration, renewable bool, err error) {
	var answer auth
	err = c.call(ctx, token, question{http.MethodPost, "auth/token/renew-self", []byte("{}")}, &answer)
	switch {
	case isStatus(err, http.StatusForbidden), isStatus(err, http.StatusBadRequest):
		return 0, false, fmt.Errorf("%w: it does not renew the token", err)
	case err != nil:
		return 0, false, err
	case answer.Auth == nil:
		return 0, false, fmt.Errorf("%s answered the renewal without a token", c.name)
	}
	return seconds(answer.Auth.Lasts), answer.Auth.Renewable, nil
}

// expires is when the login ends, unless it is renewed.
func (v *vault) expires() time.Time {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.session.ends
}
