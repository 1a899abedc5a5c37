-- Narrower sums: a report reads the table with the fewest lines that can answer it.

CREATE TABLE team_hours (
    at          INTEGER NOT NULL,
    team        INTEGER NOT NULL,
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
    PRIMARY KEY (at, team)
) STRICT, WITHOUT ROWID;

INSERT INTO team_hours
SELECT at, team, sum(requests), sum(attempts), min(sum(input), 9007199254740992), min(sum(cache_read), 9007199254740992), min(sum(cache_write), 9007199254740992), min(sum(output), 9007199254740992), min(sum(reasoning), 9007199254740992), min(sum(cost), 9007199254740992), sum(orphaned), sum(estimated), sum(in_doubt)
FROM hours GROUP BY at, team;

CREATE TABLE model_hours (
    at          INTEGER NOT NULL,
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
    PRIMARY KEY (at, model, target)
) STRICT, WITHOUT ROWID;

INSERT INTO model_hours
SELECT at, model, target, sum(requests), sum(attempts), min(sum(input), 9007199254740992), min(sum(cache_read), 9007199254740992), min(sum(cache_write), 9007199254740992), min(sum(output), 9007199254740992), min(sum(reasoning), 9007199254740992), min(sum(cost), 9007199254740992), sum(orphaned), sum(estimated), sum(in_doubt)
FROM hours GROUP BY at, model, target;

CREATE TABLE key_hours (
    at          INTEGER NOT NULL,
    key         INTEGER NOT NULL,
    team        INTEGER NOT NULL,
    minutes     INTEGER NOT NULL, -- those of the hour in which there are rows, as bits; all are set where that is not known
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
    PRIMARY KEY (at, key, team)
) STRICT, WITHOUT ROWID;

INSERT INTO key_hours
SELECT at, key, team, -1, sum(requests), sum(attempts), min(sum(input), 9007199254740992), min(sum(cache_read), 9007199254740992), min(sum(cache_write), 9007199254740992), min(sum(output), 9007199254740992), min(sum(reasoning), 9007199254740992), min(sum(cost), 9007199254740992), sum(orphaned), sum(estimated), sum(in_doubt)
FROM hours GROUP BY at, key, team;

CREATE TABLE team_days (
    at          INTEGER NOT NULL,
    team        INTEGER NOT NULL,
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
    PRIMARY KEY (at, team)
) STRICT, WITHOUT ROWID;

INSERT INTO team_days
SELECT at, team, sum(requests), sum(attempts), min(sum(input), 9007199254740992), min(sum(cache_read), 9007199254740992), min(sum(cache_write), 9007199254740992), min(sum(output), 9007199254740992), min(sum(reasoning), 9007199254740992), min(sum(cost), 9007199254740992), sum(orphaned), sum(estimated), sum(in_doubt)
FROM totals GROUP BY at, team;

CREATE TABLE model_days (
    at          INTEGER NOT NULL,
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
    PRIMARY KEY (at, model, target)
) STRICT, WITHOUT ROWID;

INSERT INTO model_days
SELECT at, model, target, sum(requests), sum(attempts), min(sum(input), 9007199254740992), min(sum(cache_read), 9007199254740992), min(sum(cache_write), 9007199254740992), min(sum(output), 9007199254740992), min(sum(reasoning), 9007199254740992), min(sum(cost), 9007199254740992), sum(orphaned), sum(estimated), sum(in_doubt)
FROM totals GROUP BY at, model, target;

CREATE TABLE key_days (
    at          INTEGER NOT NULL,
    key         INTEGER NOT NULL,
    team        INTEGER NOT NULL,
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
    PRIMARY KEY (at, key, team)
) STRICT, WITHOUT ROWID;

INSERT INTO key_days
SELECT at, key, team, sum(requests), sum(attempts), min(sum(input), 9007199254740992), min(sum(cache_read), 9007199254740992), min(sum(cache_write), 9007199254740992), min(sum(output), 9007199254740992), min(sum(reasoning), 9007199254740992), min(sum(cost), 9007199254740992), sum(orphaned), sum(estimated), sum(in_doubt)
FROM days GROUP BY at, key, team;

CREATE TABLE tag_days (
    at          INTEGER NOT NULL,
    tag         TEXT    NOT NULL,
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

INSERT INTO tag_days
SELECT at, tag, sum(requests), sum(attempts), min(sum(input), 9007199254740992), min(sum(cache_read), 9007199254740992), min(sum(cache_write), 9007199254740992), min(sum(output), 9007199254740992), min(sum(reasoning), 9007199254740992), min(sum(cost), 9007199254740992), sum(orphaned), sum(estimated), sum(in_doubt)
FROM tagdays GROUP BY at, tag;
