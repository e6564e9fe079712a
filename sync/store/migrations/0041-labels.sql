-- What stands on the label of each product that was printed last; an id is the product's.
CREATE TABLE labels (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  price BIGINT NOT NULL,
  code TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  edits TEXT NOT NULL DEFAULT '{}',
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX labels_by_version ON labels (business_id, version);
CREATE TRIGGER labels_updated AFTER UPDATE ON labels BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER labels_deleted AFTER DELETE ON labels BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
