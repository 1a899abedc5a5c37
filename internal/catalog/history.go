package catalog

import (
	"github.com/weirproxy/weir/internal/dialect"
)

// The members with the reasoning of answers, and Google's for its signature. Clients send them back with the answer, to whichever
// vendor comes next; so they do with the marks that they set for Anthropic's cache.
const (
	reasoningContent = "reasoning_content"
	reasoning        = "reasoning"
	reasoningDetails = "reasoning_details"
	thinkingBlocks   = "thinking_blocks"
	extraContent     = "extra_content"
	cacheControl     = "cache_control"
)

// Members of OpenAI's own messages, which its clients send back with an answer although they say nothing, and who speaks.
const (
	refusalText  = "refusal"
	annotations  = "annotations"
	audio        = "audio"
	functionCall = "function_call"
	speaker      = "name"
)

// What kinds take of the earlier turns of a chat. Sources: the errors that users of the vendors report, and the vendors' guides
// to reasoning with tools, of March 2025 to September 2026.
var (
	// strict is OpenAI itself: no member of a message that it does not document, and ids of at most 40 characters.
	strict = dialect.History{Refuses: []string{reasoningContent, reasoning, reasoningDetails, thinkingBlocks, cacheControl, extraContent}, IDs: dialect.ShortID}
	// insists is for models that have to be shown their reasoning again once they called tools.
	insists = dialect.History{Reasoning: reasoningContent, Insists: true, System: true}
	// both is for those of them that refuse what they do not know.
	both = dialect.History{Reasoning: reasoningContent, Insists: true, Refuses: []string{cacheControl, extraContent}, System: true}
	// system is for vendors that know no role developer.
	system = dialect.History{System: true}
)
