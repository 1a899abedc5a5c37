-- How long answers to a key's requests with an Idempotency-Key are kept, in microseconds; NULL refuses the header.
ALTER TABLE keys ADD COLUMN idempotency INTEGER;

-- Claims of such requests, and answers. The names are digests. Times are microseconds since 1970, UTC.
CREATE TABLE idempotent (
    name       BLOB    NOT NULL PRIMARY KEY,
    key_id     TEXT    NOT NULL,
    request    BLOB    NOT NULL,
    instance   TEXT    NOT NULL, -- the owner
    epoch      TEXT    NOT NULL,
    size       INTEGER NOT NULL, -- what an answer counts for; 0 for a claim
    created_at INTEGER NOT NULL,
    until      INTEGER NOT NULL,
    answer     BLOB              -- sealed with a key that is not here
) STRICT;

CREATE INDEX idempotent_by_age ON idempotent (created_at, name, size) WHERE size > 0;

CREATE INDEX idempotent_by_key ON idempotent (key_id, created_at, name, size) WHERE size > 0;

CREATE INDEX idempotent_by_end ON idempotent (until);

-- How much each key's answers count for together, and those of all keys, whose row has no key.
CREATE TABLE idempotent_sizes (
    key_id TEXT    NOT NULL PRIMARY KEY,
    bytes  INTEGER NOT NULL
) STRICT;

INSERT INTO idempotent_sizes (key_id, bytes) VALUES ('', 0);

CREATE TRIGGER idempotent_answered AFTER UPDATE OF size ON idempotent BEGIN
    INSERT INTO idempotent_sizes (key_id, bytes) VALUES (NEW.key_id, NEW.size - OLD.size), ('', NEW.size - OLD.size)
        ON CONFLICT (key_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;

CREATE TRIGGER idempotent_deleted AFTER DELETE ON idempotent WHEN OLD.size > 0 BEGIN
    UPDATE idempotent_sizes SET bytes = bytes - OLD.size WHERE key_id IN (OLD.key_id, '');
    DELETE FROM idempotent_sizes WHERE bytes <= 0 AND key_id = OLD.key_id;
END;
