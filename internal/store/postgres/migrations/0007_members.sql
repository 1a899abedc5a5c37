-- Who a replica is, for those who look at all of them.

ALTER TABLE escrow_replicas ADD COLUMN name TEXT NOT NULL DEFAULT '';    -- such as its machine's, of no other that is there; '' before it said so
ALTER TABLE escrow_replicas ADD COLUMN config TEXT NOT NULL DEFAULT '';  -- of what its config says about callers: the same for the same
ALTER TABLE escrow_replicas ADD COLUMN left_at BIGINT NOT NULL DEFAULT 0; -- when its process ended in order; 0 while it is there, or is gone
