-- Whether a key's requests may ask what was tried for them.
ALTER TABLE keys ADD COLUMN may_explain INTEGER NOT NULL DEFAULT 0 CHECK (may_explain IN (0, 1));
