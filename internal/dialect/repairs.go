// Package dialect says what the rest of Weir needs of the dialects that callers speak, so that no other room names one. An
// Ingress is a row of the table in package ingress. The package is pure.
package dialect

// Repair is a kind of edit that brings a stray answer back to the convention. The list is closed.
type Repair uint8

// The repairs. Each is needed by a client that was seen to fail without it.
const (
	RepairID          Repair = iota // id missing, or not the same in the whole stream
	RepairCreated                   // created missing, no integer, in milliseconds, or changing
	RepairModel                     // model missing or changing
	RepairObject                    // object missing or another
	RepairChoices                   // choices missing or null
	RepairError                     // "error": null
	RepairUsage                     // usage that was not asked for, or in another place than last
	RepairIndex                     // a choice without index
	RepairFinish                    // finish_reason missing in a chunk, or none of the five
	RepairFinishTools               // "stop" or "function_call" although tools were called
	RepairAfterFinish               // something after a choice's finish_reason: it is left out, or the reason comes later
	RepairDelta                     // delta or message missing or null
	RepairRole                      // role missing, empty or repeated
	RepairContent                   // content as a list of parts
	RepairToolsEmpty                // an empty list of tool calls
	RepairToolIndex                 // a tool call without index, or with another call's
	RepairToolRepeat                // id, type or name repeated in later deltas
	RepairToolID                    // a tool call without id
	RepairToolType                  // a tool call without type
	RepairArguments                 // arguments missing, null or an object
	RepairEmpty                     // an event that holds nothing
	RepairTier                      // a service_tier that OpenAI does not have
	RepairUnfinished                // [DONE] without finish_reason, relayed as it is
	numRepairs
)

// String is the repair's name in metrics.
func (r Repair) String() string {
	return [numRepairs]string{
		"id", "created", "model", "object", "choices", "error_null", "usage", "index", "finish_reason", "finish_tools",
		"after_finish", "delta", "role", "content_parts", "tool_calls_empty", "tool_index", "tool_repeat", "tool_id", "tool_type",
		"arguments", "empty_event", "service_tier", "unfinished",
	}[r]
}

// Repairs counts repairs by kind.
type Repairs [numRepairs]uint32

// Each calls f for every kind that was needed.
func (r *Repairs) Each(f func(kind string, n int)) {
	for kind, n := range r {
		if n > 0 {
			f(Repair(kind).String(), int(n))
		}
	}
}

// Add adds what was counted elsewhere.
func (r *Repairs) Add(other *Repairs) {
	for kind, n := range other {
		r[kind] += n
	}
}
