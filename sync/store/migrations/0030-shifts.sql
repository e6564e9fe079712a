-- Shifts: times of selling at one drawer, which facts belong to. An item of the inbox may be about one, and then about no sale.
DROP VIEW sales;
DROP TRIGGER sales_updated;
ALTER TABLE stored_sales ADD COLUMN shift BIGINT;
CREATE INDEX sales_by_shift ON stored_sales (shop, shift) WHERE shift IS NOT NULL;
CREATE VIEW sales AS
  SELECT shops.business_id, stored.id, stored.total, stored.cost, coalesce(stored.paid, stored.total) AS paid,
    method.text AS payment_method, stored.notes, 0 AS tax, 0 AS tax_rate, stored.receipt_number,
    date(stored.day_number * 86400, 'unixepoch') AS business_day, member.text AS user_id, device.text AS device_id,
    strftime('%Y-%m-%dT%H:%M:%fZ', stored.made_ms / 1000.0, 'unixepoch') AS created_at, stored.version, stored.deleted,
    stored.rounding, stored.made_ms, stored.day_number, stored.method, stored.payment_code, stored.has_payments,
    turn.text AS shift_id, stored.shift
  FROM shops
  JOIN stored_sales AS stored ON stored.shop = shops.n
  LEFT JOIN names AS method ON method.shop = stored.shop AND method.n = stored.method
  LEFT JOIN names AS member ON member.shop = stored.shop AND member.n = stored.member
  LEFT JOIN names AS device ON device.shop = stored.shop AND device.n = stored.device
  LEFT JOIN names AS turn ON turn.shop = stored.shop AND turn.n = stored.shift;

CREATE TRIGGER sales_updated AFTER UPDATE OF shop, id, total, cost, paid, method, notes, receipt_number, day_number,
  member, device, made_ms, version, deleted, rounding, payment_code, has_payments, shift ON stored_sales BEGIN
  DELETE FROM digest_blocks WHERE business_id = (SELECT business_id FROM shops WHERE n = OLD.shop)
    AND (part = 'facts' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;

ALTER TABLE refunds ADD COLUMN shift_id TEXT;
CREATE INDEX refunds_by_shift ON refunds (business_id, shift_id) WHERE shift_id IS NOT NULL;
ALTER TABLE payments ADD COLUMN category TEXT;
ALTER TABLE payments ADD COLUMN shift_id TEXT;
CREATE INDEX payments_by_shift ON payments (business_id, shift_id) WHERE shift_id IS NOT NULL;

CREATE TABLE shifts (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  drawer_id TEXT NOT NULL,
  opening_float BIGINT NOT NULL,
  report_id TEXT,
  business_day TEXT NOT NULL,
  user_id TEXT,
  device_id TEXT,
  created_at TEXT NOT NULL,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX shifts_by_version ON shifts (business_id, version);
CREATE INDEX shifts_by_time ON shifts (business_id, created_at);
CREATE INDEX shifts_open ON shifts (business_id, drawer_id, created_at) WHERE report_id IS NULL AND deleted = 0;

CREATE TABLE shift_reports (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  shift_id TEXT NOT NULL,
  counted TEXT NOT NULL,
  pieces TEXT,
  left_in_drawer BIGINT,
  reason TEXT,
  figures TEXT NOT NULL,
  seen TEXT NOT NULL,
  business_day TEXT NOT NULL,
  user_id TEXT,
  device_id TEXT,
  created_at TEXT NOT NULL,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX shift_reports_by_version ON shift_reports (business_id, version);
CREATE INDEX shift_reports_by_shift ON shift_reports (business_id, shift_id);
CREATE TRIGGER shifts_updated AFTER UPDATE ON shifts BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER shifts_deleted AFTER DELETE ON shifts BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER shift_reports_updated AFTER UPDATE ON shift_reports BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER shift_reports_deleted AFTER DELETE ON shift_reports BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;

CREATE TABLE kept_items AS SELECT * FROM inbox_items;
DROP TABLE inbox_items;
CREATE TABLE inbox_items (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  cause TEXT NOT NULL,
  sale_id TEXT,
  product_id TEXT,
  quantity BIGINT,
  amount BIGINT,
  device_id TEXT,
  created_at TEXT NOT NULL,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  resolution TEXT,
  decided_at TEXT,
  decided_by TEXT,
  shift_id TEXT,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX inbox_items_by_version ON inbox_items (business_id, version);
CREATE INDEX inbox_items_open ON inbox_items (business_id, cause, product_id, sale_id, shift_id, created_at)
  WHERE resolution IS NULL AND deleted = 0;
CREATE INDEX inbox_items_dismissed ON inbox_items (business_id, decided_at)
  WHERE resolution IS NOT NULL AND deleted = 0;
INSERT INTO inbox_items (business_id, id, cause, sale_id, product_id, quantity, amount, device_id, created_at, version, deleted, resolution, decided_at, decided_by)
  SELECT business_id, id, cause, sale_id, product_id, quantity, amount, device_id, created_at, version, deleted, resolution, decided_at, decided_by FROM kept_items;
DROP TABLE kept_items;
CREATE TRIGGER inbox_items_updated AFTER UPDATE ON inbox_items BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER inbox_items_deleted AFTER DELETE ON inbox_items BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
