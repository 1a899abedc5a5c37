// Package store has what all stores share: the data they keep, the steps of a schema, and the journal of revocations that a store
// could not accept. The rooms that need a store declare its interface and law. Each database has a package of its own below this
// one, such as store/sqlite, and passes the tests of store/storetest.
package store

import "time"

// ModelList is what a provider's own model list said last.
type ModelList struct {
	Provider  string // the provider's name in the config
	JSON      []byte // as its writer made it; the store does not look inside
	FetchedAt time.Time
}

// Schema is how far a store's schema has come.
type Schema struct {
	Applied int // steps that the store has gone through
	Known   int // steps that this program knows
	Needed  int // steps that it needs

	Waiting string // for what the next step waits, "" if it does not
}
