package converse

import "strings"

// ErrorHeader is the header with the type of an error that has a status.
const ErrorHeader = "X-Amzn-Errortype"

// Status is the HTTP status that an error of a type has, 0 if the type is unknown. An address may follow the type. An error in the
// middle of a stream has no status. Elsewhere the API's own status says less than the type: 400 for a quota, 403 for a credential.
func Status(typ string) int {
	typ, _, _ = strings.Cut(typ, ":")
	switch strings.ToLower(strings.TrimSuffix(typ, "Exception")) {
	case "validation":
		return 400
	case "unrecognizedclient", "expiredtoken", "invalidsignature", "incompletesignature", "missingauthenticationtoken":
		return 401
	case "accessdenied":
		return 403
	case "resourcenotfound":
		return 404
	case "conflict":
		return 409
	case "throttling", "servicequotaexceeded", "modelnotready":
		return 429
	case "internalserver", "internalfailure":
		return 500
	case "modelerror", "modelstreamerror":
		return 502
	case "serviceunavailable":
		return 503
	case "modeltimeout":
		return 504
	}
	return 0
}

// Code is OpenAI's code for an error, or "".
func Code(message string) string {
	if strings.Contains(message, "Input Tokens Exceeded") {
		return "context_length_exceeded"
	}
	return ""
}
