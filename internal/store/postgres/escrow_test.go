package postgres

import (
	"testing"

	"github.com/weirproxy/weir/internal/escrow/escrowtest"
)

func TestTheLawOfReplicas(t *testing.T) {
	t.Parallel()
	escrowtest.Run(t, func(t *testing.T) escrowtest.Engine { return open(t, server.Database(t)).Escrow() })
}

// The same behind a pool that gives a connection away for one transaction.
func TestTheLawOfReplicasBehindPgBouncer(t *testing.T) {
	t.Parallel()
	escrowtest.Run(t, func(t *testing.T) escrowtest.Engine { return open(t, server.Bounced(t, server.Database(t))).Escrow() })
}
