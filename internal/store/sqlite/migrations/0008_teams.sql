-- Teams of keys. They share the version of keys. A key may be in a team that is not here, but in a config file.
CREATE TABLE teams (
    id         TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    models     TEXT    NOT NULL, -- a JSON array of patterns
    created_at INTEGER NOT NULL,
    revoked_at INTEGER,
    version    INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX teams_living_name ON teams (name) WHERE revoked_at IS NULL;

CREATE INDEX teams_by_version ON teams (version);

ALTER TABLE keys ADD COLUMN team TEXT;
