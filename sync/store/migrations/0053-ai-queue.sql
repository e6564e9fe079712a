ALTER TABLE ai_access ADD COLUMN delivery TEXT;
-- Requests of the AI gateway that are answered when they can be, and their answers until they expire.
CREATE TABLE ai_queue (
  business_id TEXT NOT NULL REFERENCES businesses (business_id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  -- The id of the key or the member that asked and pays, as in `ai_limits`.
  account TEXT NOT NULL,
  path TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  -- The client's Idempotency-Key.
  repeat_key TEXT,
  options TEXT NOT NULL,
  -- Of the request, and then of the answer.
  bytes BIGINT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  -- When it is run or delivered next, or when the claim of the server that does it ends. NULL: nothing is left to do.
  due_at TEXT,
  claim TEXT,
  tries BIGINT NOT NULL,
  waits_for TEXT,
  error TEXT,
  deliver_to TEXT,
  delivered_at TEXT,
  answered_at TEXT,
  -- NULL once it is answered.
  body TEXT,
  answer TEXT,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX ai_queue_due ON ai_queue (due_at) WHERE due_at IS NOT NULL;
CREATE UNIQUE INDEX ai_queue_by_repeat_key ON ai_queue (business_id, account, repeat_key);
