-- What keys and teams may use: a JSON object of limits, NULL for none.
ALTER TABLE keys ADD COLUMN limits TEXT;

ALTER TABLE teams ADD COLUMN limits TEXT;
