ALTER TABLE businesses ADD COLUMN link TEXT;
ALTER TABLE mutations ADD COLUMN link TEXT;
CREATE INDEX mutations_by_version ON mutations (business_id, version) WHERE version IS NOT NULL;
ALTER TABLE replica ADD COLUMN cursor_proof TEXT NOT NULL DEFAULT '';
ALTER TABLE replica ADD COLUMN resumes_after BIGINT;
