-- What one replica does for all, and until when, in microseconds since 1970 by this database's clock.
CREATE TABLE chores (
    name    TEXT   NOT NULL PRIMARY KEY,
    replica TEXT   NOT NULL,
    until   BIGINT NOT NULL
);

INSERT INTO chores (name, replica, until) VALUES ('retention', '', 0);

-- Which program a replica is: the version, and how many steps of the schema it knows.
ALTER TABLE escrow_replicas ADD COLUMN program TEXT NOT NULL DEFAULT '';

ALTER TABLE escrow_replicas ADD COLUMN steps BIGINT NOT NULL DEFAULT 0;
