-- Sums by day of each team and model, whatever the target: what teams spend on what, of a quarter of a year, is half as many lines as totals has.
CREATE TABLE team_model_days (
    at          BIGINT NOT NULL,
    team        BIGINT NOT NULL,
    model       BIGINT NOT NULL,
    requests    BIGINT NOT NULL,
    attempts    BIGINT NOT NULL,
    input       BIGINT NOT NULL,
    cache_read  BIGINT NOT NULL,
    cache_write BIGINT NOT NULL,
    output      BIGINT NOT NULL,
    reasoning   BIGINT NOT NULL,
    cost        BIGINT NOT NULL,
    orphaned    BIGINT NOT NULL,
    estimated   BIGINT NOT NULL,
    in_doubt    BIGINT NOT NULL,
    PRIMARY KEY (at, team, model)
);

INSERT INTO team_model_days
SELECT at, team, model, sum(requests), sum(attempts), least(sum(input), 9007199254740992), least(sum(cache_read), 9007199254740992), least(sum(cache_write), 9007199254740992), least(sum(output), 9007199254740992), least(sum(reasoning), 9007199254740992), least(sum(cost), 9007199254740992), sum(orphaned), sum(estimated), sum(in_doubt)
FROM totals GROUP BY at, team, model;
