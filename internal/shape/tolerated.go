package shape

// tolerance is one place in which an answer may differ from the schema.
type tolerance struct {
	at       string // a JSON pointer in the description, below /components/schemas
	optional string // this member may be left out
	also     string // what is also allowed there, as a schema
	gap      bool   // the description contradicts itself, so that no vendor has to be shown
	why      string
}

// Reasons that several places share.
const (
	leftOut = "vendors other than OpenAI leave it out, and what is absent stays absent"
	isNull  = "null for what is not there, which every client takes for absent, passes as it came: "
)

// tolerated is the list of all deviations. It is closed: another one needs a recording of a vendor that sends it, which
// a test requires, or a contradiction in the description itself.
func tolerated() []tolerance {
	const (
		message = "ChatCompletionResponseMessage"
		delta   = "ChatCompletionStreamResponseDelta/properties/"
		usage   = "CompletionUsage/properties/"
		null    = `{"type":"null"}`
		choice  = "/properties/choices/items"
	)
	return []tolerance{
		{at: message, optional: "refusal", why: leftOut},
		{at: string(Chat) + choice, optional: "logprobs", why: leftOut},
		{at: string(Completion) + choice, optional: "logprobs", why: leftOut},
		{at: string(CompletionChunk) + choice, optional: "logprobs", why: leftOut},

		{at: message, optional: "content", why: leftOut + " (cerebras, gemini, groq, huggingface: together with tool calls)"},
		{at: message + "/properties/annotations", also: null, why: isNull + "crusoe, huggingface, snowflake"},
		{at: message + "/properties/function_call", also: null, why: isNull + "crusoe, huggingface"},
		{at: message + "/properties/tool_calls", also: null, why: isNull + "mistral, snowflake, writer"},
		{at: delta + "tool_calls", also: null, why: isNull + "snowflake, writer"},
		{at: usage + "prompt_tokens_details", also: null, why: isNull + "huggingface"},
		{at: usage + "completion_tokens_details", also: null, why: isNull + "huggingface, writer"},
		{at: string(Chat) + "/properties/system_fingerprint", also: null, why: isNull + "OpenAI itself, azure, crusoe, openrouter"},
		{at: string(ChatChunk) + "/properties/system_fingerprint", also: null, why: isNull + "OpenAI itself, azure, groq"},

		{
			at: string(Chat) + choice + "/properties/finish_reason", also: null,
			why: "snowflake does not report why an answer ended, and Weir does not make up a reason",
		},
		{
			at: string(Completion) + choice + "/properties/finish_reason", also: null,
			why: "writer does not report why an answer ended, and Weir does not make up a reason",
		},
		{
			at: string(CompletionChunk) + choice + "/properties/finish_reason", also: null, gap: true,
			why: "OpenAI's own chunks have null until the last, although the description has no form for them",
		},
		{
			at: string(CompletionChunk) + "/properties/usage", also: null, gap: true,
			why: "as chunks of chats have it where usage was asked for; the description has no form for these",
		},
		{
			at: "ChatCompletionMessageToolCallChunk/properties/type", also: `{"const":"custom"}`, gap: true,
			why: "answers may have calls of custom tools, so that the streams of such answers do",
		},
		{
			at: "Embedding/properties/embedding", also: `{"type":"string"}`, gap: true,
			why: "base64, if it was asked for: the description types only the list of numbers",
		},
	}
}
