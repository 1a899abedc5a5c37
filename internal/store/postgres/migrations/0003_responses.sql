-- Answers that callers can go on from, sealed with a key that is not here. Times are microseconds since 1970, UTC.
CREATE TABLE responses (
    id         TEXT   NOT NULL PRIMARY KEY,
    key_id     TEXT   NOT NULL,
    size       BIGINT NOT NULL, -- of sealed
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    sealed     BYTEA  NOT NULL
);

CREATE INDEX responses_by_key ON responses (key_id, created_at, id);

CREATE INDEX responses_by_expiry ON responses (expires_at);

-- How many bytes they are together. Who adds or deletes responses locks this row first.
CREATE TABLE responses_size (
    only_row BIGINT NOT NULL PRIMARY KEY CHECK (only_row = 1),
    bytes    BIGINT NOT NULL
);

INSERT INTO responses_size (only_row, bytes) VALUES (1, 0);

-- How many bytes each key's responses are together, so that a new one need not count them.
CREATE TABLE responses_of_keys (
    key_id TEXT   NOT NULL PRIMARY KEY,
    bytes  BIGINT NOT NULL
);

CREATE FUNCTION responses_added() RETURNS TRIGGER AS $$
BEGIN
    UPDATE responses_size SET bytes = bytes + (NEW).size;
    INSERT INTO responses_of_keys (key_id, bytes) VALUES ((NEW).key_id, (NEW).size)
        ON CONFLICT (key_id) DO UPDATE SET bytes = responses_of_keys.bytes + excluded.bytes;
    RETURN NEW;
END;
$$ LANGUAGE plpgsql;

CREATE FUNCTION responses_deleted() RETURNS TRIGGER AS $$
BEGIN
    UPDATE responses_size SET bytes = bytes - (OLD).size;
    UPDATE responses_of_keys SET bytes = bytes - (OLD).size WHERE key_id = (OLD).key_id;
    DELETE FROM responses_of_keys WHERE key_id = (OLD).key_id AND bytes <= 0;
    RETURN OLD;
END;
$$ LANGUAGE plpgsql;

CREATE TRIGGER responses_added AFTER INSERT ON responses FOR EACH ROW EXECUTE FUNCTION responses_added();

CREATE TRIGGER responses_deleted AFTER DELETE ON responses FOR EACH ROW EXECUTE FUNCTION responses_deleted();
