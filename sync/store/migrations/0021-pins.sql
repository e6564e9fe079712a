CREATE TABLE staff_keys (
  business_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  salt TEXT NOT NULL,
  public_key TEXT NOT NULL,
  kdf TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (business_id, user_id)
);
CREATE TABLE pin_attempts (
  business_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  failures BIGINT NOT NULL,
  locked_until TEXT,
  PRIMARY KEY (business_id, user_id)
);
