-- Tries to sign in, register or set up that servers of one PostgreSQL count together, by digests of accounts and addresses.
CREATE TABLE attempts (
  id TEXT NOT NULL PRIMARY KEY,
  level BIGINT NOT NULL,
  at_ms BIGINT NOT NULL,
  until_ms BIGINT NOT NULL
);
CREATE INDEX attempts_by_end ON attempts (until_ms);
