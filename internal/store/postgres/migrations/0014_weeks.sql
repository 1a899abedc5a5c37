-- Sums by the week of what has many lines a day: a long span is whole weeks, and days at its ends. at is the number of the seven days since 1970.
CREATE TABLE team_model_weeks (
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

INSERT INTO team_model_weeks
SELECT at / 7, team, model, sum(requests), sum(attempts), least(sum(input), 9007199254740992), least(sum(cache_read), 9007199254740992), least(sum(cache_write), 9007199254740992), least(sum(output), 9007199254740992), least(sum(reasoning), 9007199254740992), least(sum(cost), 9007199254740992), sum(orphaned), sum(estimated), sum(in_doubt)
FROM team_model_days GROUP BY 1, 2, 3;

CREATE TABLE tag_weeks (
    at          BIGINT NOT NULL,
    tag         TEXT COLLATE "C" NOT NULL,
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
    PRIMARY KEY (at, tag)
);

INSERT INTO tag_weeks
SELECT at / 7, tag, sum(requests), sum(attempts), least(sum(input), 9007199254740992), least(sum(cache_read), 9007199254740992), least(sum(cache_write), 9007199254740992), least(sum(output), 9007199254740992), least(sum(reasoning), 9007199254740992), least(sum(cost), 9007199254740992), sum(orphaned), sum(estimated), sum(in_doubt)
FROM tag_days GROUP BY 1, 2;
