package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/weirproxy/weir/internal/provider"
)

// try makes the trial with every credential, all at once, and reports whether there is one.
func (p *probe) try(ctx context.Context) bool {
	t, ok := p.Trial()
	if !ok {
		return false
	}
	findings := make([]Finding, p.Credentials())
	var wg sync.WaitGroup
	for i := range findings {
		wg.Go(func() {
			a, err := p.Try(ctx, i)
			findings[i] = judgeTrial(&t, a, err)
			findings[i].Step, findings[i].Credential = stepCredential, i+1
		})
	}
	wg.Wait()
	p.report.Findings = append(p.report.Findings, findings...)
	return true
}

// judgeTrial says what came of a trial.
func judgeTrial(t *provider.Trial, a provider.TrialAnswer, err error) Finding {
	said := func(v Verdict, found, advice string) Finding {
		return Finding{Verdict: v, Found: found, Advice: advice}
	}
	answered := fmt.Sprintf("%s answered %d", t.Call, a.Status)
	var lacking *provider.CredentialError
	switch {
	case errors.As(err, &lacking):
		return said(Bad, "cannot be put on a call", "see what is said of sign-in, and try again")
	case err != nil:
		return said(Unknown, fmt.Sprintf("cannot be tried: %s got no answer from %s: %v", t.Call, t.Host, cause(err)), "make one small call to a model of this provider to see")
	case a.Status == http.StatusOK:
		return said(Good, "is taken: "+answered, "")
	case a.Denied && t.May != "":
		return said(Good, "is taken, though it is not allowed "+t.May+", which calls do not need: "+answered, "")
	case a.Status == http.StatusUnauthorized, a.Status == http.StatusBadRequest && a.BadKey, a.Status == http.StatusForbidden && t.Manages:
		return said(Bad, "is refused: "+answered, "replace it: it is mistyped, revoked, expired or another provider's")
	case a.Status == http.StatusForbidden:
		return said(Bad, "is refused: "+answered, "see that the project is right, that the API is enabled in it, and that the account may use it")
	case a.Status == http.StatusTooManyRequests:
		return said(Unknown, "is at its rate limit: "+answered, "try again in a minute")
	case a.Status >= http.StatusInternalServerError:
		return said(Bad, answered, "the provider is in trouble: see its status page, and try again later")
	default:
		return said(Unknown, "cannot be tried: "+answered, "make one small call to a model of this provider to see")
	}
}
