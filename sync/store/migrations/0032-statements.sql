-- What the operator of a payment method says was received.
CREATE TABLE statement_lines (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  method TEXT NOT NULL,
  code TEXT NOT NULL,
  amount BIGINT NOT NULL,
  payer TEXT,
  paid_at TEXT NOT NULL,
  user_id TEXT,
  created_at TEXT NOT NULL,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX statement_lines_by_version ON statement_lines (business_id, version);
CREATE INDEX statement_lines_by_time ON statement_lines (business_id, method, paid_at);

CREATE TRIGGER statement_lines_updated AFTER UPDATE ON statement_lines BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER statement_lines_deleted AFTER DELETE ON statement_lines BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
