package refusal

import (
	"net/http"
	"regexp"
)

// words is the part of the message that is read for its meaning: it may repeat a prompt, or be made slow to read.
func (e Error) words() string { return e.Message[:min(len(e.Message), 4<<10)] }

// contextTooLong matches the ways in which vendors say that a prompt does not fit the model, alone or together with the requested
// answer.
var contextTooLong = regexp.MustCompile(`(?i)maximum context length|context window|context_length_exceeded|prompt is too long|prompt too long|too many tokens|exceeds the maximum number of tokens|input is too long|total length of all messages` +
	"|exceed context limit" + // Anthropic
	"|maximum prompt length" + // xAI
	"|exceeded model token limit" + // Moonshot
	"|exceeds the available context size" + // llama.cpp
	"|greater than the context length") // LM Studio

// ContextTooLong reports whether the error says that the prompt does not fit the model, which another target
// may still serve.
func (e Error) ContextTooLong() bool {
	return e.Code == "context_length_exceeded" || contextTooLong.MatchString(e.words())
}

// beyondLimit matches what OpenAI says with status 429 about a request with more tokens than its limit grants in a minute. Waiting
// does not help it.
var beyondLimit = regexp.MustCompile(`(?i)\brequest too large for\b`)

// BeyondLimit reports whether the error says that the request alone is more than a rate limit allows. Another target may have a
// higher one.
func (e Error) BeyondLimit() bool { return beyondLimit.MatchString(e.words()) }

// MeantStatus is the status that OpenAI sends with this code, 0 if the code does not decide the next attempt.
func (e Error) MeantStatus() int {
	switch {
	case e.QuotaExhausted(), e.Code == "rate_limit_exceeded":
		return http.StatusTooManyRequests
	case e.ContextTooLong(), e.Moderated():
		return http.StatusBadRequest
	case e.ModelNotFound():
		return http.StatusNotFound
	case e.Code == "invalid_api_key":
		return http.StatusUnauthorized
	}
	return 0
}

// QuotaExhausted reports whether the error says that the credential's account is out of money or quota.
func (e Error) QuotaExhausted() bool {
	return e.Code == "insufficient_quota" || e.Type == "insufficient_quota"
}

// beyond matches a 401 or 402 that is about the request. OpenAI sends one for a restricted key, which may do other things;
// OpenRouter for an account whose credit is enough for shorter answers.
var beyond = regexp.MustCompile(`(?i)\bmissing scopes: |\bor fewer max_tokens\b`)

// BeyondCredential reports whether an error that looks like the credential's says that it serves for other requests.
func (e Error) BeyondCredential() bool { return beyond.MatchString(e.words()) }

// moderated matches what moderations say of a request in words: OpenRouter's, with status 403, and OpenAI's of prompts to models
// that reason.
var moderated = regexp.MustCompile(`(?i)\b(input|prompt) was flagged\b`)

// Moderated reports whether the error says that the upstream's rules forbid what the request says. Azure, OpenAI and the
// compatible ones have codes for it.
func (e Error) Moderated() bool {
	switch e.Code {
	case "content_filter", "content_policy_violation", "moderation_blocked":
		return true
	}
	return moderated.MatchString(e.words())
}

// unreadable matches what vendors say of earlier reasoning that another account or model made, or that a client has changed.
var unreadable = regexp.MustCompile(
	// OpenAI, also of what it was to have kept, or what a client has parted from the item that it led to (https://github.com/openai/openai-node/issues/1567).
	`(?i)encrypted content .{0,200}could not be (verified|decrypted)|\bItem with id '?[a-z]+_\w+'? not found|\bItem '?[a-z]+_\w+'? of type '\w+' was provided without its required` +
		"|invalid `?(signature|data)`? in `?(redacted_)?thinking`? block" + // Anthropic, also of a block that is bound to another conversation
		`|\b(corrupted|invalid) thought signature|\bthought signature is not valid`) // Google

// Unreadable reports whether the error says that the upstream cannot use the reasoning of earlier turns.
func (e Error) Unreadable() bool {
	return e.Code == "invalid_encrypted_content" || unreadable.MatchString(e.words())
}
