DROP INDEX ai_calls_running;
CREATE INDEX ai_calls_running ON ai_calls (business_id, at) WHERE status = 'running';
