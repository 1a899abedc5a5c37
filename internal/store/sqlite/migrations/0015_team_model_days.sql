-- Sums by day of each team and model, whatever the target: what teams spend on what, of a quarter of a year, is half as many lines as totals has.
CREATE TABLE team_model_days (
    at          INTEGER NOT NULL,
    team        INTEGER NOT NULL,
    model       INTEGER NOT NULL,
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
    PRIMARY KEY (at, team, model)
) STRICT, WITHOUT ROWID;

INSERT INTO team_model_days
SELECT at, team, model, sum(requests), sum(attempts), min(sum(input), 9007199254740992), min(sum(cache_read), 9007199254740992), min(sum(cache_write), 9007199254740992), min(sum(output), 9007199254740992), min(sum(reasoning), 9007199254740992), min(sum(cost), 9007199254740992), sum(orphaned), sum(estimated), sum(in_doubt)
FROM totals GROUP BY at, team, model;
