package cohere

// Status is the HTTP status of an error inside a 200: these do not say.
func Status(string) int { return 0 }

// Moderated is the status of requests and answers that hold what the vendor's rules forbid, as its API's description has it. Others say so
// that they are overloaded.
const Moderated = 498
