CREATE TABLE ai_access (
  business_id TEXT NOT NULL PRIMARY KEY REFERENCES businesses (business_id),
  allowed BIGINT,
  ceiling BIGINT,
  app_budget BIGINT,
  app_requests_per_minute BIGINT,
  least_role TEXT CHECK (least_role IN ('OWNER', 'MANAGER', 'CASHIER'))
);
INSERT INTO ai_access (business_id, allowed)
  SELECT business_id, 1 FROM businesses WHERE deleted = 0 ORDER BY created_at, business_id LIMIT 1;

ALTER TABLE ai_months RENAME COLUMN key_id TO account;
INSERT INTO ai_months (business_id, account, month, spent, reserved)
  SELECT business_id, 'app', substr(day, 1, 7), sum(cost), 0 FROM ai_calls WHERE key_id IS NULL GROUP BY business_id, substr(day, 1, 7);
INSERT INTO ai_months (business_id, account, month, spent, reserved)
  SELECT business_id, 'business', substr(day, 1, 7), sum(CASE WHEN status = 'running' THEN 0 ELSE cost END),
    sum(CASE WHEN status = 'running' THEN cost ELSE 0 END) FROM ai_calls GROUP BY business_id, substr(day, 1, 7);
