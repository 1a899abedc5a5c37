-- What replicas share: slices of budgets, units of rates, and places. All times are microseconds since 1970, UTC, by this database's clock, but those of
-- buckets, which are nanoseconds.

-- The replicas. A row is locked by each statement of its replica, until that has ended.
CREATE TABLE escrow_replicas (
    id        TEXT    NOT NULL PRIMARY KEY,
    began     BIGINT  NOT NULL, -- the epoch; 0 before the first
    process   BIGINT  NOT NULL, -- in the order of unsigned numbers
    number    BIGINT  NOT NULL, -- of the last statement that was executed
    outcome   BIGINT  NOT NULL, -- of the statement that locked the row last: 0 if it was executed
    seen_at   BIGINT  NOT NULL, -- for a statement that was executed, when it was
    replicas  BIGINT  NOT NULL, -- how many were there then
    forgotten BOOLEAN NOT NULL
);

-- The budgets in their periods. granted and used are the sums over their leases.
CREATE TABLE escrow_spans (
    budget       TEXT COLLATE "C" NOT NULL,
    period       BIGINT NOT NULL, -- when it began, in seconds since 1970
    most         BIGINT NOT NULL, -- the limit
    version      BIGINT NOT NULL, -- of the change that set it; -1 before the first
    earlier      BIGINT NOT NULL, -- spent before there were slices
    granted      BIGINT NOT NULL,
    used         BIGINT NOT NULL, -- with what is in doubt
    wanted_until BIGINT NOT NULL, -- a replica lacks some of it
    wanted_by    TEXT   NOT NULL,
    PRIMARY KEY (budget, period)
);

CREATE INDEX escrow_spans_wanted ON escrow_spans (wanted_until);

-- What a replica has of a budget: it used and holds granted in all.
CREATE TABLE escrow_leases (
    budget  TEXT COLLATE "C" NOT NULL,
    period  BIGINT NOT NULL,
    replica TEXT   NOT NULL,
    granted BIGINT NOT NULL,
    used    BIGINT NOT NULL,
    doubt   BIGINT NOT NULL, -- what it may have used before it was forgotten
    shipped BIGINT NOT NULL, -- what its rows in the ledger say that it used
    PRIMARY KEY (budget, period, replica)
);

CREATE INDEX escrow_leases_of ON escrow_leases (replica);

-- The limits a minute: when all units of one are back.
CREATE TABLE escrow_buckets (
    subject TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    full_at BIGINT NOT NULL -- nanoseconds since 1970
);

-- The limits of requests at once, which are locked here, and what replicas have of them.
CREATE TABLE escrow_places (subject TEXT COLLATE "C" NOT NULL PRIMARY KEY);

CREATE TABLE escrow_slots (
    subject TEXT COLLATE "C" NOT NULL,
    replica TEXT   NOT NULL,
    n       BIGINT NOT NULL,
    until   BIGINT NOT NULL,
    PRIMARY KEY (subject, replica)
);
