-- Sums by the week of what has many lines a day: a long span is whole weeks, and days at its ends. at is the number of the seven days since 1970.
CREATE TABLE team_model_weeks (
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

INSERT INTO team_model_weeks
SELECT at / 7, team, model, sum(requests), sum(attempts), min(sum(input), 9007199254740992), min(sum(cache_read), 9007199254740992), min(sum(cache_write), 9007199254740992), min(sum(output), 9007199254740992), min(sum(reasoning), 9007199254740992), min(sum(cost), 9007199254740992), sum(orphaned), sum(estimated), sum(in_doubt)
FROM team_model_days GROUP BY 1, 2, 3;

CREATE TABLE tag_weeks (
    at          INTEGER NOT NULL,
    tag         TEXT NOT NULL,
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
    PRIMARY KEY (at, tag)
) STRICT, WITHOUT ROWID;

INSERT INTO tag_weeks
SELECT at / 7, tag, sum(requests), sum(attempts), min(sum(input), 9007199254740992), min(sum(cache_read), 9007199254740992), min(sum(cache_write), 9007199254740992), min(sum(output), 9007199254740992), min(sum(reasoning), 9007199254740992), min(sum(cost), 9007199254740992), sum(orphaned), sum(estimated), sum(in_doubt)
FROM tag_days GROUP BY 1, 2;
