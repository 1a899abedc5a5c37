package admin

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/llm"
)

// FormatDuration writes a duration as ParseDuration reads it, without units that are zero: 24h, 1h30m.
func FormatDuration(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// formatOrNil is nil for a duration of 0.
func formatOrNil(d time.Duration) *string {
	if d == 0 {
		return nil
	}
	return new(FormatDuration(d))
}

// keptFor reads how long answers are kept, or null for none.
type keptFor struct {
	given bool
	keep  time.Duration
}

func (k *keptFor) UnmarshalJSON(text []byte) error {
	k.given = true
	var value *string
	if err := json.Unmarshal(text, &value); err != nil {
		return &llm.Error{Kind: llm.InvalidType, Message: `a duration such as "24h", or null to keep no answers, is expected.`}
	}
	if value == nil {
		return nil
	}
	keep, err := ParseDuration(*value)
	if err != nil || keep == 0 {
		return &llm.Error{Kind: llm.InvalidValue, Message: `a duration such as "24h", or null to keep no answers, is expected.`}
	}
	k.keep = keep
	return nil
}

// change says what a body sets; nil leaves it as it is.
func (k *keptFor) change() *time.Duration {
	if !k.given {
		return nil
	}
	return &k.keep
}

// keptBody is how long answers are kept as it is sent: null for 0, nothing for nil.
func keptBody(keep *time.Duration) json.RawMessage {
	switch {
	case keep == nil:
		return nil
	case *keep == 0:
		return json.RawMessage("null")
	}
	return json.RawMessage(`"` + FormatDuration(*keep) + `"`)
}
