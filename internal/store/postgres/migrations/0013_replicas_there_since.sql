-- Since when a replica has been there, in microseconds since 1970: never gone for so long that others may have had its places.
ALTER TABLE escrow_replicas ADD COLUMN there_since BIGINT NOT NULL DEFAULT 0;
