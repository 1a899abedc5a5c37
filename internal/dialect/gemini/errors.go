package gemini

// Status is the HTTP status that an error of an RPC status has, 0 if it is unknown.
func Status(rpc string) int {
	switch rpc {
	case "INVALID_ARGUMENT", "OUT_OF_RANGE":
		return 400
	case "UNAUTHENTICATED":
		return 401
	case "FAILED_PRECONDITION", "PERMISSION_DENIED": // the first is a region or an account that may not
		return 403
	case "NOT_FOUND":
		return 404
	case "RESOURCE_EXHAUSTED":
		return 429
	case "INTERNAL", "UNKNOWN", "CANCELLED", "ABORTED", "DATA_LOSS":
		return 500
	case "UNAVAILABLE":
		return 503
	case "DEADLINE_EXCEEDED":
		return 504
	}
	return 0
}
