package app

import (
	"context"
	"errors"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/store/postgres"
)

// Replica is one of the Weirs that share a store.
type Replica = postgres.Member

// Replicas lists the Weirs that share a store. None of them needs to run.
func Replicas(ctx context.Context, at config.Store) ([]Replica, error) {
	if at.Path != "" {
		return nil, errAlone
	}
	return postgres.Members(ctx, inPostgres(at))
}

// ForgetReplica gives a Weir up that is gone for good with its data folder. What it may have spent of budgets is charged, unless it spent nothing more. One
// that was seen lately is given up only if forced. It is named by its id or name, and its id is returned.
func ForgetReplica(ctx context.Context, at config.Store, ref string, unspent, force bool) (id string, err error) {
	if at.Path != "" {
		return "", errAlone
	}
	return postgres.ForgetMember(ctx, inPostgres(at), ref, unspent, force)
}

var errAlone = errors.New("a store in a file is one Weir's: only a store on Postgres has replicas")
