-- API keys. Times are microseconds since 1970, UTC. A key itself is nowhere, only its SHA-256.
CREATE TABLE keys (
    id              TEXT    NOT NULL PRIMARY KEY,
    name            TEXT    NOT NULL,
    digest          BLOB    NOT NULL UNIQUE CHECK (length(digest) = 32),
    previous_digest BLOB    CHECK (length(previous_digest) = 32),
    previous_until  INTEGER,
    models          TEXT    NOT NULL, -- a JSON array of patterns
    created_at      INTEGER NOT NULL,
    expires_at      INTEGER,
    revoked_at      INTEGER
) STRICT;

CREATE UNIQUE INDEX keys_living_name ON keys (name) WHERE revoked_at IS NULL;
