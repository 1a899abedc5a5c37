-- An import takes the row of all responses away and makes it and those of the keys when it has written all. Raised with each response, they would
-- leave as many versions in one transaction as there are responses, and each raise looks through all of them.
CREATE OR REPLACE FUNCTION responses_added() RETURNS TRIGGER AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM responses_size) THEN
        UPDATE responses_size SET bytes = bytes + (NEW).size;
        INSERT INTO responses_of_keys (key_id, bytes) VALUES ((NEW).key_id, (NEW).size)
            ON CONFLICT (key_id) DO UPDATE SET bytes = responses_of_keys.bytes + excluded.bytes;
    END IF;
    RETURN NEW;
END;
$$ LANGUAGE plpgsql;
