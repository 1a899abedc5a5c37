-- Claims of requests with an Idempotency-Key, and answers. The names are digests. Times are microseconds since 1970, UTC.
CREATE TABLE idempotent (
    name       BYTEA  NOT NULL PRIMARY KEY,
    key_id     TEXT   NOT NULL,
    request    BYTEA  NOT NULL,
    instance   TEXT   NOT NULL, -- the owner
    epoch      TEXT   NOT NULL,
    size       BIGINT NOT NULL, -- what an answer counts for; 0 for a claim
    created_at BIGINT NOT NULL,
    until      BIGINT NOT NULL,
    answer     BYTEA            -- sealed with a key that is not here
);

CREATE INDEX idempotent_by_age ON idempotent (created_at, name) WHERE size > 0;

CREATE INDEX idempotent_by_key ON idempotent (key_id, created_at, name) WHERE size > 0;

CREATE INDEX idempotent_by_end ON idempotent (until);

-- How much each key's answers count for together, and those of all keys, whose row has no key.
CREATE TABLE idempotent_sizes (
    key_id TEXT   NOT NULL PRIMARY KEY,
    bytes  BIGINT NOT NULL
);

INSERT INTO idempotent_sizes (key_id, bytes) VALUES ('', 0);

CREATE FUNCTION idempotent_answered() RETURNS TRIGGER AS $$
BEGIN
    INSERT INTO idempotent_sizes AS s (key_id, bytes) VALUES ('', (NEW).size - (OLD).size), ((NEW).key_id, (NEW).size - (OLD).size)
        ON CONFLICT (key_id) DO UPDATE SET bytes = s.bytes + excluded.bytes;
    RETURN NEW;
END;
$$ LANGUAGE plpgsql;

CREATE FUNCTION idempotent_deleted() RETURNS TRIGGER AS $$
BEGIN
    UPDATE idempotent_sizes SET bytes = bytes - (OLD).size WHERE key_id IN ((OLD).key_id, '');
    DELETE FROM idempotent_sizes WHERE bytes <= 0 AND key_id = (OLD).key_id;
    RETURN OLD;
END;
$$ LANGUAGE plpgsql;

CREATE TRIGGER idempotent_answered AFTER UPDATE OF size ON idempotent FOR EACH ROW EXECUTE FUNCTION idempotent_answered();

CREATE TRIGGER idempotent_deleted AFTER DELETE ON idempotent FOR EACH ROW WHEN ((OLD).size > 0) EXECUTE FUNCTION idempotent_deleted();
