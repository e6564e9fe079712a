ALTER TABLE users ADD COLUMN token_version BIGINT NOT NULL DEFAULT 0;

CREATE TABLE ended_sessions (
  digest TEXT NOT NULL PRIMARY KEY,
  expires_at TEXT NOT NULL
);
