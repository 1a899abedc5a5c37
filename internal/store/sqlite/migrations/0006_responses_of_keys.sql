-- How many bytes each key's responses are together, so that a new one need not count them.
CREATE TABLE responses_of_keys (
    key_id TEXT    NOT NULL PRIMARY KEY,
    bytes  INTEGER NOT NULL
) STRICT;

INSERT INTO responses_of_keys (key_id, bytes) SELECT key_id, sum(size) FROM responses GROUP BY key_id;

CREATE TRIGGER responses_added_to_key AFTER INSERT ON responses BEGIN
    INSERT INTO responses_of_keys (key_id, bytes) VALUES (NEW.key_id, NEW.size) ON CONFLICT (key_id) DO UPDATE SET bytes = bytes + NEW.size;
END;

CREATE TRIGGER responses_deleted_from_key AFTER DELETE ON responses BEGIN
    UPDATE responses_of_keys SET bytes = bytes - OLD.size WHERE key_id = OLD.key_id;
    DELETE FROM responses_of_keys WHERE key_id = OLD.key_id AND bytes <= 0;
END;
