package daytest

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/route"
)

// request is one that a caller sends, the same in every run.
type request struct {
	id       uint64
	at       time.Duration // since midnight
	patience time.Duration // with the first content
	poison   bool

	app          uint64 // whose prompts begin alike
	conversation uint64
	instructions int // tokens of what all conversations of the app begin with
	history      int // tokens that an earlier turn of the conversation had as well
	output       int // tokens of the answer

	ask route.Ask
}

const (
	day     = 24 * time.Hour
	callers = 40
	apps    = 12

	patient   = time.Minute
	impatient = 10 * time.Second
)

// traffic is a day of conversations, and the poisonous prompts among them.
func traffic(seed uint64) []*request {
	luck := rand.New(rand.NewPCG(seed, 1))
	var instructions [apps]int
	for i := range instructions {
		instructions[i] = int(logNormal(luck, 1500, 0.8))
	}
	var all []*request
	const busiest = 0.36 // conversations that begin in a second
	for at := time.Duration(0); ; {
		at += time.Duration(luck.ExpFloat64() / busiest * float64(time.Second))
		if at >= day {
			break
		}
		if luck.Float64() < activity(at) {
			app := uint64(luck.ExpFloat64()*apps/4) % apps
			all = converse(all, luck, at, app, instructions[app])
		}
	}
	for at := poisonous.from; at < poisonous.to; at += poisonEvery {
		all = append(all, &request{
			at: at, poison: true, patience: patient, app: apps, conversation: luck.Uint64(), output: 1,
			ask: route.Ask{Caller: 1 + callers, Profile: llm.Profile{Prompt: 2000, Output: 1000, Prefix: luck.Uint64()}},
		})
	}
	slices.SortStableFunc(all, func(a, b *request) int { return cmp.Compare(a.at, b.at) })
	for i, r := range all {
		r.id, r.ask.Seed = uint64(i), luck.Uint64()
	}
	return all
}

// activity is how much goes on, of 1 at most: little at four in the morning, most in the afternoon.
func activity(at time.Duration) float64 {
	return 0.55 - 0.45*math.Cos(2*math.Pi*(at.Hours()-4)/24)
}

// converse appends the turns of a conversation: five on average, each with all that was said before.
func converse(all []*request, luck *rand.Rand, at time.Duration, app uint64, instructions int) []*request {
	caller := 1 + uint64(luck.ExpFloat64()*callers/5)%callers
	conversation, patience, history := luck.Uint64(), patient, 0
	if caller%4 == 0 {
		patience = impatient
	}
	prompt := instructions
	for more := true; more && at < day; more = luck.Float64() < 0.8 {
		prompt += int(logNormal(luck, 120, 1))
		output := min(int(logNormal(luck, 250, 0.8))+1, 4000)
		all = append(all, &request{
			at: at, patience: patience, app: app, conversation: conversation, instructions: instructions, history: history, output: output,
			ask: route.Ask{Caller: caller, Profile: llm.Profile{Prompt: prompt, Output: 2 * output, Prefix: conversation}},
		})
		history = prompt
		prompt += output
		at += 15*time.Second + time.Duration(luck.ExpFloat64()*float64(45*time.Second))
	}
	return all
}

func logNormal(luck *rand.Rand, median, sigma float64) float64 {
	return median * math.Exp(sigma*luck.NormFloat64())
}
