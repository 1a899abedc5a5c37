-- What each provider's own model list said last, so that a restart need not wait for it.
CREATE TABLE model_lists (
    provider   TEXT   NOT NULL PRIMARY KEY,
    list       BYTEA  NOT NULL, -- JSON, as its writer made it
    fetched_at BIGINT NOT NULL  -- microseconds since 1970, UTC
);
