-- Answers that callers can go on from, sealed with a key that is not here. Times are microseconds since 1970, UTC.
CREATE TABLE responses (
    id         TEXT    NOT NULL PRIMARY KEY,
    key_id     TEXT    NOT NULL,
    size       INTEGER NOT NULL, -- of sealed, before it in the row so that it is read without it
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    sealed     BLOB    NOT NULL
) STRICT;

CREATE INDEX responses_by_key ON responses (key_id, created_at, id, size);

CREATE INDEX responses_by_expiry ON responses (expires_at);

-- How many bytes they are together.
CREATE TABLE responses_size (
    only_row INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
    bytes    INTEGER NOT NULL
) STRICT;

INSERT INTO responses_size (only_row, bytes) VALUES (1, 0);

CREATE TRIGGER responses_added AFTER INSERT ON responses BEGIN
    UPDATE responses_size SET bytes = bytes + NEW.size;
END;

CREATE TRIGGER responses_deleted AFTER DELETE ON responses BEGIN
    UPDATE responses_size SET bytes = bytes - OLD.size;
END;
