-- Sums by day of all keys together: reports that ask for no key read a fraction of the lines.
CREATE TABLE totals (
    at          INTEGER NOT NULL,
    team        INTEGER NOT NULL,
    model       INTEGER NOT NULL,
    target      INTEGER NOT NULL,
    requests    INTEGER NOT NULL,
    attempts    INTEGER NOT NULL,
    input       INTEGER NOT NULL,
    cache_read  INTEGER NOT NULL,
    cache_write INTEGER NOT NULL,
    output      INTEGER NOT NULL,
    reasoning   INTEGER NOT NULL,
    cost        INTEGER NOT NULL,
    orphaned    INTEGER NOT NULL,
    estimated   INTEGER NOT NULL,
    in_doubt    INTEGER NOT NULL,
    PRIMARY KEY (at, team, model, target)
) STRICT, WITHOUT ROWID;

INSERT INTO totals
SELECT at, team, model, target, sum(requests), sum(attempts), min(sum(input), 9007199254740992), min(sum(cache_read), 9007199254740992),
    min(sum(cache_write), 9007199254740992), min(sum(output), 9007199254740992), min(sum(reasoning), 9007199254740992),
    min(sum(cost), 9007199254740992), sum(orphaned), sum(estimated), sum(in_doubt)
FROM days GROUP BY at, team, model, target;
