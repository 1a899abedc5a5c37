package ledger

import (
	"fmt"
	"strings"
)

// PassedOver has targets that were passed over, each with the reason as in "groq/llama down", as the Reason of a call's row: a line for each, as long
// as there is room, and then how many are left, as +2. A row that passed nothing over is not a byte longer.
func PassedOver(list []string) string {
	var b strings.Builder
	for i, line := range list {
		rest := len("\n+999")
		if i == len(list)-1 {
			rest = 0
		}
		if b.Len()+1+len(line)+rest > maxText {
			fmt.Fprintf(&b, "\n+%d", min(len(list)-i, 999))
			break
		}
		b.WriteString("\n" + line)
	}
	return strings.TrimPrefix(b.String(), "\n")
}

// Passed are the targets that were passed over before the call, as PassedOver took them.
func (r *Row) Passed() []string {
	if r.Adjusts != 0 || r.Reason == "" {
		return nil
	}
	return strings.Split(r.Reason, "\n")
}
