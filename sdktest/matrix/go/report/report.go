// Package report is what the Go programs of the client matrix share: how they print, and what they expect of Weir's
// answers. The protocol is the package comment of sdktest/matrix.
package report

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// What the programs say to Weir, and what the model reasoner answers.
const (
	Hello   = "Grüße, 世界 👋"
	Weather = "How is the weather?"
	Both    = "The weather in two cities, in parallel."
	Thought = "The question was read; a simulated answer will do."

	// Tool and ToolSchema are the function that models can call.
	Tool       = "get_weather"
	ToolSchema = `{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string","enum":["celsius","fahrenheit"]}},` +
		`"required":["city","unit"],"additionalProperties":false}`
	// AnswerSchema is that of a structured answer.
	AnswerSchema = `{"type":"object","properties":{"city":{"type":"string"},"degrees":{"type":"integer"}},` +
		`"required":["city","degrees"],"additionalProperties":false}`
)

// Answer is a structured answer. Both members must be there.
type Answer struct {
	City    *string `json:"city"`
	Degrees *int    `json:"degrees"`
}

// Feature is one feature of the matrix. Run fails if it does not work.
type Feature struct {
	Name string
	Run  func(context.Context) error
}

// Absent is the error of a feature that the client has not.
type Absent string

// Error implements error.
func (a Absent) Error() string { return string(a) }

// Without is a feature that the client has not.
func Without(name, why string) Feature {
	return Feature{name, func(context.Context) error { return Absent(why) }}
}

// each bounds one feature.
const each = 30 * time.Second

// Run prints what the client is, and of every feature whether it works. module is the client's.
func Run(client, module string, features []Feature) {
	version := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == module {
				version = strings.TrimPrefix(dep.Version, "v")
			}
		}
	}
	minor := strings.Join(strings.Split(strings.TrimPrefix(runtime.Version(), "go"), ".")[:2], ".")
	line(struct {
		Client   string `json:"client"`
		Version  string `json:"version"`
		Language string `json:"language"`
	}{client, version, "Go " + minor})
	for _, f := range features {
		result, note := "ok", ""
		switch err := f.try().(type) { //nolint:errorlint // only as it is
		case nil:
		case Absent:
			result, note = "absent", string(err)
		default:
			result, note = "failed", err.Error()
		}
		line(struct {
			Feature string `json:"feature"`
			Result  string `json:"result"`
			Note    string `json:"note"`
		}{f.Name, result, note})
	}
}

func (f Feature) try() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), each)
	defer cancel()
	return f.Run(ctx)
}

func line(v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}

// Models are the ids that WEIR_KEY may use, sorted.
func Models() []string {
	return []string{
		"breaks", "broken", "chat", "cut", "embed", "endless", "limited", "limited-once", "overloaded", "overloaded-once",
		"reasoner", "refused", "team/chat",
	}
}

// CheckModels compares the models of a key with what it may use.
func CheckModels(got, want []string) error {
	slices.Sort(got)
	if !slices.Equal(got, want) {
		return fmt.Errorf("the list has %q, not %q", got, want)
	}
	return nil
}

// CheckUsage checks that there is one and that it adds up.
func CheckUsage[N int | int64](prompt, completion, total N) error {
	if prompt <= 0 || completion <= 0 || total != prompt+completion {
		return fmt.Errorf("usage %d + %d = %d", prompt, completion, total)
	}
	return nil
}

// CheckCall checks one tool call.
func CheckCall(id, name, arguments string) error {
	var args struct{ City, Unit *string }
	if err := json.Unmarshal([]byte(arguments), &args); err != nil {
		return fmt.Errorf("arguments %q: %w", arguments, err)
	}
	if id == "" || name != Tool || args.City == nil || args.Unit == nil || *args.Unit != "celsius" {
		return fmt.Errorf("call %q of %q with %q", id, name, arguments)
	}
	return nil
}

// CheckVector checks an embedding: the simulated provider's have 256 dimensions and length 1.
func CheckVector[N float32 | float64](v []N) error {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if len(v) != 256 || math.Abs(sum-1) > 1e-3 {
		return fmt.Errorf("%d dimensions, squares add up to %f", len(v), sum)
	}
	return nil
}

// CheckError compares an error's status and code, and whether it says something.
func CheckError(status, wantStatus int, code, wantCode, message string) error {
	if status != wantStatus || code != wantCode || message == "" {
		return fmt.Errorf("the error is %d %q %q, not %d %q", status, code, message, wantStatus, wantCode)
	}
	return nil
}

// Env is a variable that the harness sets.
func Env(name string) string {
	v := os.Getenv(name)
	if v == "" {
		panic(name + " is not set: run this through go test ./sdktest/matrix")
	}
	return v
}
