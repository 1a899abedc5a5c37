package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// pageTime is how long one question took.
type pageTime struct {
	Page  string  `json:"page"`
	Runs  int     `json:"runs"`
	Least float64 `json:"least_ms"`
	P50   float64 `json:"p50_ms"`
	P99   float64 `json:"p99_ms"`
	Lines int     `json:"lines"` // of the last answer
	Bytes int     `json:"bytes"`
}

// desk asks a Weir as the console does.
type desk struct {
	base, token string
	end         time.Time // of what the ledger has
	requests    []string  // ids of some
}

// question is what a page asks for. Where a thing may be any, each run asks for another one.
type question struct {
	name string
	path func(*rand.Rand) string
}

// days are the parameters of the last days.
func (d *desk) days(n int) string {
	return "&since=" + moment(d.end.AddDate(0, 0, -n)) + "&until=" + moment(d.end)
}

func moment(t time.Time) string { return url.QueryEscape(t.UTC().Format(time.RFC3339)) }

// questions are those of the console's pages.
func (d *desk) questions() []question {
	always := func(path string) func(*rand.Rand) string { return func(*rand.Rand) string { return path } }
	usage := func(name, by string, days int) question {
		return question{name, always("/admin/v1/usage?by=" + by + d.days(days))}
	}
	key := func(random *rand.Rand) string { return "&key=" + filledKey(random.IntN(filledKeys)) }
	all := []question{
		usage("cost by model, 7 d by hour", "model,hour", 7), usage("by team, 7 d by hour", "team,hour", 7), usage("by provider, 7 d by hour", "provider,hour", 7),
		usage("by the 9 dearest keys, 7 d by hour", "key,hour&top=9", 7), usage("by the 9 dearest keys, 31 d by hour", "key,hour&top=9", 31),
		usage("by the 9 dearest models, 31 d by hour", "model,hour&top=9", 31), usage("by the 9 dearest teams, 31 d by hour", "team,hour&top=9", 31), usage("of all together, 31 d by hour", "hour", 31),
		usage("by the 9 dearest tags, 7 d by day", "tag,day&top=9", 7),
		usage("by model, 30 d by day", "model,day", 30), usage("by team, 30 d by day", "team,day", 30), usage("by the 9 dearest keys, 30 d by day", "key,day&top=9", 30),
		usage("by the 9 dearest tags, 30 d by day", "tag,day&top=9", 30), usage("by model, 90 d by day", "model,day", 90), usage("by team, 90 d by day", "team,day", 90),
		usage("by provider, 90 d by day", "provider,day", 90), usage("by the 9 dearest keys, 90 d by day", "key,day&top=9", 90), usage("by the 9 dearest tags, 90 d by day", "tag,day&top=9", 90),
		usage("by team and model, 30 d", "team,model", 30), usage("by team and model, 90 d", "team,model", 90), usage("by the 9 dearest teams and model, 30 d by day", "team,model,day&top=9", 30),
		usage("by the 50 dearest keys and model, 30 d", "key,model&top=50", 30), usage("by the 50 dearest keys and tag, 30 d", "key,tag&top=50", 30),
		usage("keys by cost, 7 d, top 50", "key&top=50", 7), usage("keys by cost, 30 d, top 50", "key&top=50", 30), usage("keys by cost, 90 d, top 50", "key&top=50", 90), usage("all keys, 30 d by day, which no page asks", "key,day", 30),
		usage("all tags, 30 d", "tag", 30), usage("tags by cost, 90 d, top 50", "tag&top=50", 90),
		{"of one key by model, 30 d by day", func(r *rand.Rand) string { return "/admin/v1/usage?by=model,day" + d.days(30) + key(r) }},
		{"of one key, 7 d by hour", func(r *rand.Rand) string { return "/admin/v1/usage?by=hour" + d.days(7) + key(r) }},
		{"of one team by the 50 dearest keys, 30 d", func(r *rand.Rand) string {
			return "/admin/v1/usage?by=key&top=50" + d.days(30) + "&team=" + filledTeam(r.IntN(filledTeams))
		}},
		{"of one model by the 50 dearest keys, 30 d", func(r *rand.Rand) string {
			return fmt.Sprintf("/admin/v1/usage?by=key&top=50%s&model=model-%d", d.days(30), r.IntN(filledModels))
		}},
	}
	return append(append(all, d.lists()...), d.others()...)
}

// lists are the questions for requests.
func (d *desk) lists() []question {
	const path = "/admin/v1/requests?limit=100"
	before := func(r *rand.Rand) string {
		return "&until=" + moment(d.end.Add(-time.Duration(r.Int64N(int64((filledDays-2)*24*time.Hour)))))
	}
	return []question{
		{"newest 100 requests", func(*rand.Rand) string { return path }},
		{"100 from a random time", func(r *rand.Rand) string { return path + before(r) }},
		{"100 of one key, from a random time", func(r *rand.Rand) string { return path + before(r) + "&key=" + filledKey(r.IntN(filledKeys)) }},
		{"100 of one model, from a random time", func(r *rand.Rand) string { return path + before(r) + fmt.Sprint("&model=model-", r.IntN(filledModels)) }},
		{"100 of one team, from a random time", func(r *rand.Rand) string { return path + before(r) + "&team=" + filledTeam(r.IntN(filledTeams)) }},
		{"failed, from a random time: one step", func(r *rand.Rand) string { return path + before(r) + "&status=failed" }},
		{"failed, of one key: one step", func(r *rand.Rand) string { return path + before(r) + "&status=failed&key=" + filledKey(r.IntN(50)) }},
		{"slower than 60 s, from a random time: one step", func(r *rand.Rand) string { return path + before(r) + "&min_took=60s" }},
		{"with a tag, from a random time: one step", func(r *rand.Rand) string {
			return path + before(r) + fmt.Sprint("&tag=job%3D", r.IntN(filledKeys/2*jobsOfAKey))
		}},
		{"one request by its id", func(r *rand.Rand) string { return "/admin/v1/requests/" + d.requests[r.IntN(len(d.requests))] }},
	}
}

// others are those about speed and limits.
func (d *desk) others() []question {
	latency := func(name, by string, days int) question {
		return question{name, func(*rand.Rand) string { return "/admin/v1/latency?by=" + by + d.days(days) }}
	}
	return []question{
		latency("latency of all targets, 24 h", "target", 1), latency("by 5 minutes, 24 h", "target,5m", 1), latency("by hour, 24 h", "target,hour", 1),
		latency("of all targets, 7 d", "target", 7), latency("of all together, 7 d by hour", "hour", 7), latency("of all targets, 7 d by hour", "target,hour", 7),
		latency("of all targets, 90 d", "target", 90), latency("of all together, 90 d by day", "day", 90),
		{"limits of one key", func(r *rand.Rand) string { return "/admin/v1/limits?key=" + filledKey(r.IntN(filledKeys)) }},
	}
}

// answer is what the API says, as far as it is looked at.
type answer struct {
	Data []struct {
		Request string `json:"request"`
	} `json:"data"`
}

// ask returns the status and the body of an answer.
func (d *desk) ask(ctx context.Context, client *http.Client, path string) (status int, body []byte, err error) {
	resp, err := d.open(ctx, client, path)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(resp.Body)
	return resp.StatusCode, body, err
}

func (d *desk) open(ctx context.Context, client *http.Client, path string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.base+path, http.NoBody)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+d.token)
	return client.Do(req)
}

// measure asks every question, one after the other.
func (d *desk) measure(ctx context.Context, how *reading) (all []pageTime, err error) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		until := d.end.Add(-time.Duration(random.Int64N(int64((filledDays - 2) * 24 * time.Hour))))
		_, body, err := d.ask(ctx, http.DefaultClient, "/admin/v1/requests?limit=10&until="+moment(until))
		if err != nil {
			return nil, err
		}
		var a answer
		if err := json.Unmarshal(body, &a); err != nil {
			return nil, err
		}
		for _, r := range a.Data {
			d.requests = append(d.requests, r.Request)
		}
	}
	for n, q := range d.questions() {
		client := from(n + 1) // all questions from one address would be one reader's, who gets less after a while
		p, err := d.timed(ctx, how, client, q, random)
		client.CloseIdleConnections()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.name, err)
		}
		all = append(all, p)
	}
	return all, nil
}

// from is a client that connects from a loopback address of its own.
func from(n int) *http.Client {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(n))}}
	return &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext}}
}

// timed asks one question again and again. The first answer does not count.
func (d *desk) timed(ctx context.Context, how *reading, client *http.Client, q question, random *rand.Rand) (p pageTime, err error) {
	p.Page = q.name
	var took []float64
	var sum time.Duration
	for n := 0; n <= how.runs && sum < how.most; n++ {
		path, begun := q.path(random), time.Now()
		status, body, err := d.ask(ctx, client, path)
		each := time.Since(begun)
		if err != nil || status != http.StatusOK {
			return p, fmt.Errorf("%s: %d %.300s: %w", path, status, body, err)
		}
		if n == 0 {
			continue
		}
		var a answer
		_ = json.Unmarshal(body, &a) // some answers are no lists
		p.Lines, p.Bytes = len(a.Data), len(body)
		took, sum = append(took, each.Seconds()*1000), sum+each
	}
	slices.Sort(took)
	p.Runs, p.Least, p.P50, p.P99 = len(took), took[0], took[len(took)/2], took[len(took)*99/100]
	return p, nil
}
