-- Until when all units of a limit a minute were there, the last time, in nanoseconds since 1970. Units that were checked out earlier are not given back.
ALTER TABLE escrow_buckets ADD COLUMN since BIGINT NOT NULL DEFAULT 0;
