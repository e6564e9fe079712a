ALTER TABLE ended_sessions RENAME COLUMN digest TO id;
