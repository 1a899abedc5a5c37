-- Each change of a key raises the version and gives the key the new one, so that other processes read what changed and no more.
CREATE TABLE keys_version (
    only_row INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
    version  INTEGER NOT NULL
) STRICT;

INSERT INTO keys_version (only_row, version) VALUES (1, 1);

ALTER TABLE keys ADD COLUMN version INTEGER NOT NULL DEFAULT 1;

CREATE INDEX keys_by_version ON keys (version);

-- Whether the requests that ran when the key was revoked ended with it.
ALTER TABLE keys ADD COLUMN cut INTEGER NOT NULL DEFAULT 0 CHECK (cut IN (0, 1));
