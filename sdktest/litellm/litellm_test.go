// Package litellm moves forty teams from LiteLLM to Weir, as docs/guides/import-litellm.md says it: a real proxy of LiteLLM's from PyPI, with its tables in
// Postgres, has keys, teams, users, budgets and limits made by its own API, and spends. Weir takes over its config and its database, and then answers
// the same calls with the same keys beside it. `make clients` runs it.
package litellm

import (
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/sdktest/internal/install"
)

// teams are how many move.
const teams = 40

const master = "sk-master-of-litellm"

const config = `model_list:
  - model_name: smart
    litellm_params: {model: openai/gpt-4o, api_base: "http://%[1]s/v1", api_key: os.environ/UP_KEY, input_cost_per_token: 0.00001, output_cost_per_token: 0.00002}
  - model_name: quick
    litellm_params: {model: openai/gpt-4o-mini, api_base: "http://%[1]s/v1", api_key: os.environ/UP_KEY, input_cost_per_token: 0.00001, output_cost_per_token: 0.00002}
  - model_name: slow
    litellm_params: {model: openai/o3, api_base: "http://%[1]s/v1", api_key: os.environ/UP_KEY, input_cost_per_token: 0.00001, output_cost_per_token: 0.00002}
general_settings: {master_key: os.environ/LITELLM_MASTER_KEY, database_url: os.environ/DATABASE_URL, proxy_batch_write_at: 1}
`

// tried is a key with what is to become of its call of a model.
type tried struct {
	key, model string
	status     int // of Weir's answer
}

// place is where both run.
type place struct {
	folder, weir string
	env          []string
	litellm      *began
	db           *sql.DB
	tried        []tried
}

// TestMoveFromLiteLLM is the first hour of who moves forty teams.
func TestMoveFromLiteLLM(t *testing.T) {
	p := setUp(t)
	p.populate(t)
	before := p.answers(t, p.litellm.url)
	p.settle(t)
	for i, call := range p.tried {
		if (before[i].status == http.StatusOK) != (call.status == http.StatusOK) {
			t.Fatalf("LiteLLM answers %s at %s with %d: %s", call.key, call.model, before[i].status, before[i].body)
		}
	}

	start := time.Now()
	said := command(t, p.folder, p.env, p.weir, "import", "litellm", "config.yaml", "--keys", "DATABASE_URL")
	for _, want := range []string{"(1 provider, 3 models)", fmt.Sprintf("%d keys, %d teams", teams+7, teams+2), "customers bad-customer: 1 with a budget", "tags nightly: 1 with a budget", "LiteLLM_TeamMembership: manual: members of teams"} {
		if !strings.Contains(said, want) {
			t.Errorf("import does not say %q:\n%s", want, said)
		}
	}
	command(t, p.folder, p.env, p.weir, "check", "weir.yaml")
	command(t, p.folder, p.env, p.weir, "import", "archive", "-c", "weir.yaml", "weir.export")
	address, admin := free(t), free(t)
	p.env = append(p.env, "WEIR_LISTEN="+address, "WEIR_ADMIN_LISTEN="+admin, "WEIR_ADMIN=http://"+admin, "WEIR_ADMIN_TOKEN="+master)
	begin(t, p.folder, p.env, admin+"/readyz", p.weir, "serve", "--config", "weir.yaml")
	after := p.answers(t, "http://"+address)
	t.Logf("from LiteLLM's config and database to %d calls answered by Weir: %.1f s", len(after), time.Since(start).Seconds())

	p.compare(t, before, after)
	p.balances(t)
	p.beside(t, "http://"+address)
}

// setUp starts LiteLLM before a simulated provider.
func setUp(t *testing.T) *place {
	installed := installed(t)
	p := &place{folder: t.TempDir()}
	p.weir = filepath.Join(t.TempDir(), "weir")
	install.Step(t, filepath.Join("..", ".."), nil, "go", "build", "-trimpath", "-o", p.weir, "./cmd/weir")
	url, db := installed.database(t)
	p.db = db
	p.env = append(installed.env(), "DATABASE_URL="+url, "LITELLM_MASTER_KEY="+master, "LITELLM_SALT_KEY=salt-of-litellm", "UP_KEY=k", "WEIR_DATA="+filepath.Join(p.folder, "data"))
	upstream, address := free(t), free(t)
	begin(t, p.folder, nil, upstream+"/v1/models", p.weir, "sim", "--listen", upstream)
	if err := os.WriteFile(filepath.Join(p.folder, "config.yaml"), fmt.Appendf(nil, config, upstream), 0o600); err != nil {
		t.Fatal(err)
	}
	_, port, _ := strings.Cut(address, ":")
	p.litellm = begin(t, p.folder, p.env, address+"/health/liveliness", filepath.Join(installed.bin, "litellm"), "--config", "config.yaml", "--host", "127.0.0.1", "--port", port)
	return p
}

// make has LiteLLM make something, and returns its id.
func (p *place) make(t *testing.T, path, body string) string {
	t.Helper()
	got := ask(t.Context(), http.MethodPost, p.litellm.url+path, master, body)
	if got.status != http.StatusOK {
		t.Fatalf("%s %s: %d %s", path, body, got.status, got.body)
	}
	ids := read[struct {
		Team string `json:"team_id"`
	}](t, got)
	return ids.Team
}

// populate makes what LiteLLM has, by its API.
func (p *place) populate(t *testing.T) {
	t.Helper()
	key := func(name, more string, all ...tried) string {
		p.make(t, "/key/generate", fmt.Sprintf(`{"key":"sk-%s-12345678","key_alias":%q%s}`, name, name, more))
		for _, call := range all {
			call.key = "sk-" + name + "-12345678"
			p.tried = append(p.tried, call)
		}
		return "sk-" + name + "-12345678"
	}
	for n := range teams {
		team := p.make(t, "/team/new", fmt.Sprintf(`{"team_alias":"team %d","max_budget":%d,"budget_duration":"30d","models":["smart","quick"],"rpm_limit":600}`, n, 10+n))
		key(fmt.Sprintf("app-%d", n), fmt.Sprintf(`,"team_id":%q,"models":["smart"],"max_budget":5,"budget_duration":"1mo","rpm_limit":60`, team), tried{"", "smart", 200}, tried{"", "quick", 404})
		if n == 0 {
			p.make(t, "/team/member_add", fmt.Sprintf(`{"team_id":%q,"member":{"role":"user","user_id":"member"},"max_budget_in_team":3}`, team))
		}
	}
	p.make(t, "/user/new", `{"user_id":"rich","user_email":"rich@example.com","max_budget":7,"budget_duration":"1d","auto_create_key":false}`)
	p.make(t, "/user/new", `{"user_id":"poor","user_email":"poor@example.com","max_budget":0.0000001,"auto_create_key":false}`)
	p.make(t, "/customer/new", `{"user_id":"bad-customer","max_budget":3,"budget_duration":"1d"}`)
	p.make(t, "/tag/new", `{"name":"nightly","max_budget":3,"budget_duration":"1d"}`)
	key("rich", `,"user_id":"rich"`, tried{"", "smart", 200}, tried{"", "slow", 200}, tried{"", "unknown", 404})
	poor := key("poor", `,"user_id":"poor"`, tried{"", "smart", 429})
	spent := key("spent", `,"max_budget":0.0000001`, tried{"", "smart", 429})
	p.make(t, "/key/block", fmt.Sprintf(`{"key":%q}`, key("blocked", "", tried{"", "smart", 401})))
	key("expired", `,"duration":"1s"`, tried{"", "smart", 401})
	p.make(t, "/key/delete", fmt.Sprintf(`{"keys":[%q]}`, key("deleted", "", tried{"", "smart", 401})))
	key("daily", `,"max_budget":2,"budget_duration":"1d","models":["quick","slow"]`, tried{"", "quick", 200}, tried{"", "smart", 404})
	key("twin", `,"models":["all-proxy-models"],"tpm_limit":100000,"max_parallel_requests":5`, tried{"", "smart", 200})
	p.tried = append(p.tried, tried{"sk-nobody-12345678", "smart", 401})
	for _, one := range []string{poor, spent} { // the first call is let through, and uses the budget up
		if got := p.chat(t, p.litellm.url, one, "smart"); got.status != http.StatusOK {
			t.Fatalf("%s: %d %s", one, got.status, got.body)
		}
		p.litellm.until(t, one+" is refused", func() bool { return p.chat(t, p.litellm.url, one, "smart").status != http.StatusOK })
	}
}

func (p *place) chat(t *testing.T, url, key, model string) reply {
	t.Helper()
	return ask(t.Context(), http.MethodPost, url+"/v1/chat/completions", key, fmt.Sprintf(`{"model":%q,"messages":[{"role":"user","content":"the same call"}]}`, model))
}

// answers are those of one side to all calls.
func (p *place) answers(t *testing.T, url string) (all []reply) {
	t.Helper()
	for _, call := range p.tried {
		all = append(all, p.chat(t, url, call.key, call.model))
	}
	return all
}

// settle waits until LiteLLM has written what was spent.
func (p *place) settle(t *testing.T) {
	t.Helper()
	p.litellm.until(t, "LiteLLM has written what was spent", func() bool {
		var spent int
		const query = `SELECT count(*) FROM "LiteLLM_VerificationToken" WHERE spend > 0 AND (key_alias LIKE 'app-%' OR key_alias IN ('rich', 'poor', 'spent', 'daily', 'twin'))`
		if err := p.db.QueryRow(query).Scan(&spent); err != nil {
			t.Fatal(err)
		}
		var poor float64
		if err := p.db.QueryRow(`SELECT spend FROM "LiteLLM_UserTable" WHERE user_id = 'poor'`).Scan(&poor); err != nil {
			t.Fatal(err)
		}
		return spent == teams+5 && poor > 0
	})
}

// compare holds Weir's answers against LiteLLM's.
func (p *place) compare(t *testing.T, before, after []reply) {
	t.Helper()
	type answer struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"`
			} `json:"message"`
			Reason string `json:"finish_reason"`
		} `json:"choices"`
		Usage struct {
			Prompt     int `json:"prompt_tokens"`
			Completion int `json:"completion_tokens"`
		} `json:"usage"`
	}
	for i, call := range p.tried {
		if after[i].status != call.status {
			t.Errorf("%s at %s: %d, want %d: %.200s", call.key, call.model, after[i].status, call.status, after[i].body)
			continue
		}
		if call.status != http.StatusOK {
			continue
		}
		old, now := read[answer](t, before[i]), read[answer](t, after[i])
		if fmt.Sprint(old) != fmt.Sprint(now) || len(now.Choices) != 1 || now.Choices[0].Message.Content == "" {
			t.Errorf("%s at %s: %+v, and with LiteLLM %+v", call.key, call.model, now, old)
		}
	}
}

// models are those that a side lists to a key.
func models(t *testing.T, url, key string) (ids []string) {
	t.Helper()
	type list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	for _, m := range read[list](t, ask(t.Context(), http.MethodGet, url+"/v1/models", key, "")).Data {
		ids = append(ids, m.ID)
	}
	slices.Sort(ids)
	return ids
}

// balances holds what Weir says is used of budgets against what LiteLLM wrote: those who were refused have spent nothing since.
func (p *place) balances(t *testing.T) {
	t.Helper()
	for query, args := range map[string][]string{
		`SELECT spend FROM "LiteLLM_VerificationToken" WHERE key_alias = 'spent'`: {"limits", "spent"},
		`SELECT spend FROM "LiteLLM_UserTable" WHERE user_id = 'poor'`:            {"limits", "--team", "user-poor@example.com"},
	} {
		var spent float64
		if err := p.db.QueryRow(query).Scan(&spent); err != nil {
			t.Fatal(err)
		}
		said := command(t, p.folder, p.env, p.weir, args...)
		if want := strings.TrimRight(fmt.Sprintf("%.6f", spent), "0"); spent == 0 || !strings.Contains(said, want) {
			t.Errorf("weir %v does not say that $%s is used:\n%s", args, want, said)
		}
	}
	command(t, p.folder, p.env, p.weir, "verify")
}

// beside compares the two with weir import --compare.
func (p *place) beside(t *testing.T, weir string) {
	t.Helper()
	for _, key := range []string{"sk-rich-12345678", "sk-daily-12345678"} {
		if old, now := models(t, p.litellm.url, key), models(t, weir, key); !slices.Equal(old, now) || len(now) < 2 {
			t.Errorf("%s: LiteLLM lists %v, Weir %v", key, old, now)
		}
	}
	said := command(t, p.folder, append(p.env, "WEIR_COMPARE_KEY=sk-rich-12345678"), p.weir, "import", "litellm", "config.yaml", "--compare", p.litellm.url, "--with", weir, "--call", "smart")
	for _, want := range []string{`"quick"  listed  listed`, `CALL "smart"`} {
		if !strings.Contains(said, want) {
			t.Errorf("--compare does not say %q:\n%s", want, said)
		}
	}
	if n := strings.Count(said, "  200  "); n != 2 {
		t.Errorf("%d calls came back:\n%s", n, said)
	}
}
