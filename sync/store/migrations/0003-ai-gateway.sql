CREATE TABLE api_keys (
  business_id TEXT NOT NULL REFERENCES businesses (business_id),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  key_hash TEXT NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  monthly_budget BIGINT,
  requests_per_minute BIGINT,
  user_id TEXT,
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  revoked_at TEXT,
  PRIMARY KEY (business_id, id)
);

CREATE TABLE ai_months (
  business_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  month TEXT NOT NULL,
  spent BIGINT NOT NULL,
  reserved BIGINT NOT NULL,
  PRIMARY KEY (business_id, key_id, month)
);

CREATE TABLE ai_calls (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  key_id TEXT,
  user_id TEXT,
  day TEXT NOT NULL,
  at TEXT NOT NULL,
  asked_model TEXT NOT NULL,
  model TEXT,
  route TEXT NOT NULL,
  cache TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'ok', 'failed', 'cancelled', 'interrupted')),
  error TEXT,
  attempts BIGINT NOT NULL,
  prompt_tokens BIGINT NOT NULL,
  cached_tokens BIGINT NOT NULL,
  completion_tokens BIGINT NOT NULL,
  cost BIGINT NOT NULL,
  first_token_ms BIGINT,
  duration_ms BIGINT NOT NULL,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX ai_calls_by_day ON ai_calls (business_id, day);
CREATE INDEX ai_calls_running ON ai_calls (at) WHERE status = 'running';

CREATE TABLE ai_answers (
  business_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  answer TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (business_id, hash)
);
CREATE INDEX ai_answers_by_age ON ai_answers (business_id, created_at);
