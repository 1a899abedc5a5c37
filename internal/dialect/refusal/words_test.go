package refusal

import "testing"

// What vendors say of reasoning that they do not know for their own, in words that users have reported.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	for _, words := range []string{
		"messages.1.content.0: Invalid `signature` in `thinking` block",
		"messages.1.content.0: Invalid signature in thinking block",
		"messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to \"drop_block\".",
		"The model returned the following errors: messages.3.content.0: Invalid `data` in `redacted_thinking` block",
		"Corrupted thought signature.",
		"Invalid thought signature.",
		"Unable to submit request because Thought signature is not valid.. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini",
		"The encrypted content gAAA... could not be verified.",
	} {
		if !(Error{Message: words}).Unreadable() {
			t.Errorf("%s: it is not known", words)
		}
	}
	for _, words := range []string{
		"messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`.",
		"Function call is missing a thought_signature in functionCall parts.",
		"messages: at least one message is required",
	} {
		if (Error{Message: words}).Unreadable() {
			t.Errorf("%s: it is not about a signature", words)
		}
	}
}
