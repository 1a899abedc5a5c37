-- The ledger: one row for each call to an upstream, and what calls add up to.

-- What the operator names has a number, which rows name. 0 stands for no name. A name never changes and is never deleted.
CREATE TABLE names (
    id   INTEGER NOT NULL PRIMARY KEY,
    kind INTEGER NOT NULL, -- 1 key, 2 team, 3 model, 4 target (provider/upstream's model), 5 outcome
    text TEXT    NOT NULL,
    UNIQUE (kind, text)
) STRICT;

-- Every price that was ever charged, as JSON, by the digest that names it.
CREATE TABLE prices (
    id    INTEGER NOT NULL PRIMARY KEY,
    hash  INTEGER NOT NULL UNIQUE,
    rates TEXT             -- NULL for one that was never told
) STRICT;

-- How far the journal of each instance has been shipped, and the greatest sequence number of its rows.
CREATE TABLE shipped (
    number   INTEGER NOT NULL PRIMARY KEY CHECK (number < 1024),
    instance TEXT    NOT NULL UNIQUE,
    segment  INTEGER NOT NULL,
    offset   INTEGER NOT NULL,
    last     INTEGER NOT NULL
) STRICT;

-- The calls. id is the sequence number times 1024, plus the number of the instance: the order of ids is the order of time.
CREATE TABLE attempts (
    id      INTEGER NOT NULL PRIMARY KEY,
    key     INTEGER NOT NULL,
    team    INTEGER NOT NULL,
    model   INTEGER NOT NULL,
    target  INTEGER NOT NULL,
    outcome INTEGER NOT NULL,
    price   INTEGER NOT NULL, -- 0 if it is unknown
    flags   INTEGER NOT NULL,
    request ANY     NOT NULL, -- 16 bytes, or a text
    facts   BLOB    NOT NULL  -- the rest, as internal/ledger packs it
) STRICT;

-- Sums by hour. at is when the hour began, in quarters of an hour since 1970.
CREATE TABLE hours (
    at          INTEGER NOT NULL,
    key         INTEGER NOT NULL,
    team        INTEGER NOT NULL,
    model       INTEGER NOT NULL,
    target      INTEGER NOT NULL,
    flags       INTEGER NOT NULL, -- all that occur
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
    PRIMARY KEY (at, key, team, model, target)
) STRICT, WITHOUT ROWID;

-- Sums by calendar day. at is the day's number since 1970, in the time zone that was set when the row came.
CREATE TABLE days (
    at          INTEGER NOT NULL,
    key         INTEGER NOT NULL,
    team        INTEGER NOT NULL,
    model       INTEGER NOT NULL,
    target      INTEGER NOT NULL,
    flags       INTEGER NOT NULL,
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
    PRIMARY KEY (at, key, team, model, target)
) STRICT, WITHOUT ROWID;

-- Sums by tag. Callers choose tags, so a key has a bounded number of them a day; what is beyond is summed in the line of the tag ''.
CREATE TABLE tagdays (
    at          INTEGER NOT NULL,
    key         INTEGER NOT NULL,
    tag         TEXT    NOT NULL, -- name=value
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
    PRIMARY KEY (at, key, tag)
) STRICT, WITHOUT ROWID;

-- How many tags a key has on a day.
CREATE TABLE taglines (
    at    INTEGER NOT NULL,
    key   INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    PRIMARY KEY (at, key)
) STRICT, WITHOUT ROWID;

-- In which time zone days were summed: that of a row is the last whose since is not after the row's sequence number.
CREATE TABLE zones (
    since INTEGER NOT NULL PRIMARY KEY,
    name  TEXT    NOT NULL
) STRICT;

-- Rows with lesser ids may have been forgotten. Sums stay.
CREATE TABLE forgotten (
    only_row INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
    upto     INTEGER NOT NULL
) STRICT;

INSERT INTO forgotten (only_row, upto) VALUES (1, 0);
