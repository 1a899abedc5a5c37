-- API keys and teams. Times are microseconds since 1970, UTC. A key itself is nowhere, only its SHA-256.

-- Each change of a key or a team raises the version and gives it the new one. A change locks this row first, so versions become visible
-- in their order.
CREATE TABLE keys_version (
    only_row BIGINT NOT NULL PRIMARY KEY CHECK (only_row = 1),
    version  BIGINT NOT NULL
);

INSERT INTO keys_version (only_row, version) VALUES (1, 1);

CREATE TABLE keys (
    id              TEXT    NOT NULL PRIMARY KEY,
    name            TEXT    NOT NULL,
    digest          BYTEA   NOT NULL UNIQUE CHECK (length(digest) = 32),
    previous_digest BYTEA   CHECK (length(previous_digest) = 32),
    previous_until  BIGINT,
    models          TEXT    NOT NULL, -- a JSON array of patterns
    may_explain     BOOLEAN NOT NULL,
    created_at      BIGINT  NOT NULL,
    expires_at      BIGINT,
    revoked_at      BIGINT,
    cut             BOOLEAN NOT NULL, -- whether the requests that ran when the key was revoked ended with it
    team            TEXT,             -- may be one of a config file
    limits          TEXT,             -- a JSON object, NULL for none
    spending        TEXT,             -- a JSON object of budgets and how they are kept, NULL for none
    idempotency     BIGINT,           -- microseconds that answers to requests with an Idempotency-Key are kept, NULL refuses the header
    version         BIGINT  NOT NULL
);

CREATE UNIQUE INDEX keys_living_name ON keys (name) WHERE revoked_at IS NULL;

CREATE INDEX keys_by_version ON keys (version);

CREATE TABLE teams (
    id         TEXT   NOT NULL PRIMARY KEY,
    name       TEXT   NOT NULL,
    models     TEXT   NOT NULL,
    limits     TEXT,
    spending   TEXT,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT,
    version    BIGINT NOT NULL
);

CREATE UNIQUE INDEX teams_living_name ON teams (name) WHERE revoked_at IS NULL;

CREATE INDEX teams_by_version ON teams (version);
