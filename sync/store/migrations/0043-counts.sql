-- Counts of stock: what the book knew of a product when somebody looked at its shelf, and what lay there.
CREATE TABLE counts (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  category_id TEXT,
  closed_at TEXT,
  closed_by TEXT,
  user_id TEXT,
  created_at TEXT NOT NULL,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX counts_by_version ON counts (business_id, version);
CREATE INDEX counts_by_time ON counts (business_id, created_at);

CREATE TABLE count_looks (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  count_id TEXT NOT NULL,
  product_id TEXT NOT NULL,
  shelf TEXT,
  expected BIGINT NOT NULL,
  corrected BIGINT NOT NULL,
  cost BIGINT,
  seen_version BIGINT NOT NULL,
  counted BIGINT,
  user_id TEXT,
  device_id TEXT,
  created_at TEXT NOT NULL,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX count_looks_by_version ON count_looks (business_id, version);
CREATE INDEX count_looks_by_count ON count_looks (business_id, count_id);
CREATE TRIGGER counts_updated AFTER UPDATE ON counts BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER counts_deleted AFTER DELETE ON counts BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER count_looks_updated AFTER UPDATE ON count_looks BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER count_looks_deleted AFTER DELETE ON count_looks BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
