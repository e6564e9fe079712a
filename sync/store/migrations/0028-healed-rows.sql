ALTER TABLE replica ADD COLUMN healed_at TEXT;
ALTER TABLE replica ADD COLUMN healed_rows BIGINT;
