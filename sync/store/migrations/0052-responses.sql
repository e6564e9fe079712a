ALTER TABLE ai_access ADD COLUMN keeps_responses BIGINT;
CREATE TABLE ai_responses (
  business_id TEXT NOT NULL REFERENCES businesses (business_id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  payer TEXT NOT NULL,
  stored TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX ai_responses_by_end ON ai_responses (expires_at);
