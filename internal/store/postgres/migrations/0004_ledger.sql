-- The ledger: one row for each call to an upstream, and what calls add up to.

-- Who gives a number to a name, a price or an instance locks this row first, so numbers become visible in their order.
CREATE TABLE numbering (only_row BIGINT NOT NULL PRIMARY KEY CHECK (only_row = 1));

INSERT INTO numbering (only_row) VALUES (1);

-- What the operator names has a number, which rows name. 0 stands for no name. A name never changes and is never deleted.
CREATE TABLE names (
    id   BIGINT NOT NULL PRIMARY KEY,
    kind BIGINT NOT NULL, -- 1 key, 2 team, 3 model, 4 target (provider/upstream's model), 5 outcome
    text TEXT   NOT NULL,
    UNIQUE (kind, text)
);

-- Every price that was ever charged, as JSON, by the digest that names it.
CREATE TABLE prices (
    id    BIGINT NOT NULL PRIMARY KEY,
    hash  BIGINT NOT NULL UNIQUE,
    rates TEXT            -- NULL for one whose text is not known
);

-- How far the journal of each instance has been shipped, and the greatest sequence number of its rows.
CREATE TABLE shipped (
    number   BIGINT NOT NULL PRIMARY KEY CHECK (number < 1024),
    instance TEXT   NOT NULL UNIQUE,
    segment  BIGINT NOT NULL,
    "offset" BIGINT NOT NULL,
    last     BIGINT NOT NULL
);

-- The calls. id is the sequence number times 1024, plus the number of the instance: the order of ids is the order of time.
CREATE TABLE attempts (
    id      BIGINT NOT NULL PRIMARY KEY,
    key     BIGINT NOT NULL,
    team    BIGINT NOT NULL,
    model   BIGINT NOT NULL,
    target  BIGINT NOT NULL,
    outcome BIGINT NOT NULL,
    price   BIGINT NOT NULL, -- 0 if it is unknown
    flags   BIGINT NOT NULL,
    request BYTEA  NOT NULL, -- 16 bytes, or zeros and a text
    facts   BYTEA  NOT NULL  -- the rest, as internal/ledger packs it
);

-- Sums by hour. at is when the hour began, in quarters of an hour since 1970. flags are all that occur.
CREATE TABLE hours (
    at          BIGINT NOT NULL,
    key         BIGINT NOT NULL,
    team        BIGINT NOT NULL,
    model       BIGINT NOT NULL,
    target      BIGINT NOT NULL,
    flags       BIGINT NOT NULL,
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
    PRIMARY KEY (at, key, team, model, target)
);

-- Narrower sums: a report reads the table with the fewest lines that can answer it. minutes are those in which there are rows, as bits.
CREATE TABLE key_hours (
    at          BIGINT NOT NULL,
    key         BIGINT NOT NULL,
    team        BIGINT NOT NULL,
    minutes     BIGINT NOT NULL,
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
    PRIMARY KEY (at, key, team)
);

CREATE TABLE model_hours (
    at          BIGINT NOT NULL,
    model       BIGINT NOT NULL,
    target      BIGINT NOT NULL,
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
    PRIMARY KEY (at, model, target)
);

CREATE TABLE team_hours (
    at          BIGINT NOT NULL,
    team        BIGINT NOT NULL,
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
    PRIMARY KEY (at, team)
);

-- Sums by calendar day. at is the day's number since 1970, in the time zone that was set when the row came.
CREATE TABLE days (
    at          BIGINT NOT NULL,
    key         BIGINT NOT NULL,
    team        BIGINT NOT NULL,
    model       BIGINT NOT NULL,
    target      BIGINT NOT NULL,
    flags       BIGINT NOT NULL,
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
    PRIMARY KEY (at, key, team, model, target)
);

CREATE TABLE totals (
    at          BIGINT NOT NULL,
    team        BIGINT NOT NULL,
    model       BIGINT NOT NULL,
    target      BIGINT NOT NULL,
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
    PRIMARY KEY (at, team, model, target)
);

CREATE TABLE key_days (
    at          BIGINT NOT NULL,
    key         BIGINT NOT NULL,
    team        BIGINT NOT NULL,
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
    PRIMARY KEY (at, key, team)
);

CREATE TABLE model_days (
    at          BIGINT NOT NULL,
    model       BIGINT NOT NULL,
    target      BIGINT NOT NULL,
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
    PRIMARY KEY (at, model, target)
);

CREATE TABLE team_days (
    at          BIGINT NOT NULL,
    team        BIGINT NOT NULL,
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
    PRIMARY KEY (at, team)
);

-- Sums by tag. Callers choose tags, so a key has a bounded number of them a day; what is beyond is summed in the line of the tag ''. A tag is
-- name=value.
CREATE TABLE tagdays (
    at          BIGINT NOT NULL,
    key         BIGINT NOT NULL,
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
    PRIMARY KEY (at, key, tag)
);

CREATE TABLE tag_days (
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

-- How many tags a key has on a day.
CREATE TABLE taglines (
    at    BIGINT NOT NULL,
    key   BIGINT NOT NULL,
    lines BIGINT NOT NULL,
    PRIMARY KEY (at, key)
);

-- In which time zone days were summed: that of a row is the last whose since is not after the row's sequence number.
CREATE TABLE zones (
    since BIGINT NOT NULL PRIMARY KEY,
    name  TEXT   NOT NULL
);

-- Rows with lesser ids may have been forgotten. Sums stay.
CREATE TABLE forgotten (
    only_row BIGINT NOT NULL PRIMARY KEY CHECK (only_row = 1),
    upto     BIGINT NOT NULL
);

INSERT INTO forgotten (only_row, upto) VALUES (1, 0);
