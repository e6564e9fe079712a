-- One ledger of AI limits: of the business, of app tokens, of each member and of each key.
CREATE TABLE ai_limits (
  business_id TEXT NOT NULL REFERENCES businesses (business_id),
  account TEXT NOT NULL,
  monthly_budget BIGINT,
  requests_per_minute BIGINT,
  PRIMARY KEY (business_id, account)
);
INSERT INTO ai_limits (business_id, account, monthly_budget)
  SELECT business_id, 'business', ceiling FROM ai_access WHERE ceiling IS NOT NULL;
INSERT INTO ai_limits (business_id, account, monthly_budget, requests_per_minute)
  SELECT business_id, 'app', app_budget, app_requests_per_minute FROM ai_access
  WHERE app_budget IS NOT NULL OR app_requests_per_minute IS NOT NULL;
INSERT INTO ai_limits (business_id, account, monthly_budget, requests_per_minute)
  SELECT business_id, id, monthly_budget, requests_per_minute FROM api_keys
  WHERE monthly_budget IS NOT NULL OR requests_per_minute IS NOT NULL;
ALTER TABLE ai_access DROP COLUMN ceiling;
ALTER TABLE ai_access DROP COLUMN app_budget;
ALTER TABLE ai_access DROP COLUMN app_requests_per_minute;
ALTER TABLE api_keys DROP COLUMN monthly_budget;
ALTER TABLE api_keys DROP COLUMN requests_per_minute;

-- What each member spent with app tokens.
INSERT INTO ai_months (business_id, account, month, spent, reserved)
  SELECT business_id, user_id, substr(day, 1, 7), sum(CASE WHEN status = 'running' THEN 0 ELSE cost END),
    sum(CASE WHEN status = 'running' THEN cost ELSE 0 END)
  FROM ai_calls WHERE key_id IS NULL AND user_id IS NOT NULL GROUP BY business_id, user_id, substr(day, 1, 7);

-- Lists a business's calls from the newest on.
DROP INDEX ai_calls_by_day;
CREATE INDEX ai_calls_by_day ON ai_calls (business_id, day, id);
