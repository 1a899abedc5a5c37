-- What keys and teams may spend: a JSON object of budgets and how they are kept, NULL for none.
ALTER TABLE keys ADD COLUMN spending TEXT;

ALTER TABLE teams ADD COLUMN spending TEXT;
