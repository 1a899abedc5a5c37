// Package report is what the Go programs share: the environment, what the simulated provider answers, and how they print. What a program gets and prints is
// in the package comment of sdktest/callers.
package report

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// What the programs say, and what the tool answers.
const (
	Question = `Grüße, 世界 👋 "\`
	Parallel = "The weather in two cities, in parallel."
	Result   = "12 °C"
)

// Tool and ToolSchema are the function that models can call, and ReportSchema is that of a structured answer.
const (
	Tool         = "get_weather"
	Description  = "The weather in a city."
	ToolSchema   = `{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string","enum":["celsius","fahrenheit"]}},"required":["city","unit"],"additionalProperties":false}`
	ReportSchema = `{"type":"object","properties":{"city":{"type":"string"},"degrees":{"type":"integer"},"sunny":{"type":"boolean"}},"required":["city","degrees","sunny"],"additionalProperties":false}`
)

// NoThoughts is the error where reasoning cannot come back.
var NoThoughts = Absent("chat completions have no way to send reasoning back")

// Absent is the error of a feature that is not there.
type Absent string

// Error implements error.
func (a Absent) Error() string { return string(a) }

// Env is a variable of the environment.
func Env(name string) string { return os.Getenv(name) }

// Feature is one. Run gets the name of its model, and of the target.
type Feature struct {
	Name string
	Run  func(ctx context.Context, model, target string) error
}

type line struct {
	Target  string `json:"target"`
	Feature string `json:"feature"`
	Result  string `json:"result"`
	Note    string `json:"note"`
}

// Run tries all features at all targets, and prints the results. module is the client's.
func Run(module string, features []Feature) {
	version := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Path == module {
				version = strings.TrimPrefix(d.Version, "v")
			}
		}
	}
	introduce(version)
	for target := range strings.SplitSeq(Env("WEIR_TARGETS"), ",") {
		for _, f := range features {
			l := line{target, f.Name, "ok", ""}
			err := attempt(f, target)
			var absent Absent
			switch {
			case errors.As(err, &absent):
				l.Result, l.Note = "absent", string(absent)
			case err != nil:
				l.Result, l.Note = "failed", err.Error()
			}
			show(l)
		}
	}
}

func attempt(f Feature, target string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	return f.Run(ctx, target+"-"+f.Name, target)
}

// introduce says what the client is. The program's file is named for it.
func introduce(version string) {
	words := strings.SplitN(strings.TrimPrefix(runtime.Version(), "go"), ".", 3)
	show(struct {
		Client   string `json:"client"`
		Version  string `json:"version"`
		Language string `json:"language"`
	}{program(), version, "Go " + strings.Join(words[:2], ".")})
}

func program() string {
	name := os.Args[0]
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	return strings.TrimPrefix(name, "callers-")
}

func show(v any) {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err) // it is made of strings
	}
	fmt.Println(string(out))
}

// SaysBack checks the answer to Question.
func SaysBack(text string) error { return contains(text, "You said: "+Question) }

// SaysResult checks the answer to a tool's result.
func SaysResult(text string) error { return contains(text, Result) }

func contains(text, want string) error {
	if !strings.Contains(text, want) {
		return fmt.Errorf("it says %q", text)
	}
	return nil
}

// CheckArguments checks what the tool is called with.
func CheckArguments(arguments string) error {
	var args struct{ City, Unit *string }
	d := json.NewDecoder(strings.NewReader(arguments))
	d.DisallowUnknownFields()
	if err := d.Decode(&args); err != nil || args.City == nil || args.Unit == nil || *args.Unit != "celsius" && *args.Unit != "fahrenheit" {
		return fmt.Errorf("arguments %s: %v", arguments, err)
	}
	return nil
}

// CheckReport checks a structured answer.
func CheckReport(text string) error {
	var r struct {
		City    *string
		Degrees *int
		Sunny   *bool
	}
	if err := json.Unmarshal([]byte(text), &r); err != nil || r.City == nil || r.Degrees == nil || r.Sunny == nil {
		return fmt.Errorf("report %s: %v", text, err)
	}
	return nil
}

// CheckUsage checks that something was counted.
func CheckUsage(input, output int64) error {
	if input <= 0 || output <= 0 {
		return fmt.Errorf("usage %d and %d", input, output)
	}
	return nil
}

// Schema is a JSON schema as SDKs take it.
func Schema(text string) (schema map[string]any) {
	if err := json.Unmarshal([]byte(text), &schema); err != nil {
		panic(err) // it is a constant
	}
	return schema
}
