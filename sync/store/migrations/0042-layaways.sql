-- Goods kept for customers who pay in parts; deposits are payments that name what they are for.
ALTER TABLE payments ADD COLUMN layaway_id TEXT;
CREATE INDEX payments_by_layaway ON payments (business_id, layaway_id) WHERE layaway_id IS NOT NULL;

CREATE TABLE layaways (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  customer_id TEXT NOT NULL,
  items TEXT NOT NULL,
  total BIGINT NOT NULL,
  due_day TEXT,
  state TEXT NOT NULL,
  business_day TEXT NOT NULL,
  user_id TEXT,
  device_id TEXT,
  created_at TEXT NOT NULL,
  sale_id TEXT,
  ended_at TEXT,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX layaways_by_version ON layaways (business_id, version);
CREATE INDEX layaways_by_customer ON layaways (business_id, customer_id);
CREATE INDEX layaways_open ON layaways (business_id, created_at) WHERE state = 'open' AND deleted = 0;
CREATE TRIGGER layaways_updated AFTER UPDATE ON layaways BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER layaways_deleted AFTER DELETE ON layaways BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
