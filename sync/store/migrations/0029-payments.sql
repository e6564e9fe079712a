-- Whom a shop lends to, and money that moves by several methods.
CREATE TABLE customers (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  search_name TEXT NOT NULL,
  phone TEXT,
  note TEXT,
  credit_limit BIGINT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  edits TEXT NOT NULL DEFAULT '{}',
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX customers_by_version ON customers (business_id, version);
CREATE INDEX customers_by_name ON customers (business_id, search_name);

CREATE TABLE payments (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  fact_id TEXT NOT NULL,
  method TEXT NOT NULL,
  amount BIGINT NOT NULL,
  code TEXT,
  customer_id TEXT,
  reason TEXT,
  business_day TEXT NOT NULL,
  user_id TEXT,
  device_id TEXT,
  created_at TEXT NOT NULL,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX payments_by_version ON payments (business_id, version);
CREATE INDEX payments_by_fact ON payments (business_id, fact_id);
CREATE INDEX payments_by_customer ON payments (business_id, customer_id, created_at) WHERE customer_id IS NOT NULL;
CREATE INDEX payments_by_code ON payments (business_id, code) WHERE code IS NOT NULL;

DROP VIEW sales;
DROP TRIGGER sales_updated;
ALTER TABLE stored_sales ADD COLUMN payment_code TEXT;
ALTER TABLE stored_sales ADD COLUMN has_payments BIGINT;
CREATE INDEX sales_by_code ON stored_sales (shop, payment_code) WHERE payment_code IS NOT NULL;
CREATE VIEW sales AS
  SELECT shops.business_id, stored.id, stored.total, stored.cost, coalesce(stored.paid, stored.total) AS paid,
    method.text AS payment_method, stored.notes, 0 AS tax, 0 AS tax_rate, stored.receipt_number,
    date(stored.day_number * 86400, 'unixepoch') AS business_day, member.text AS user_id, device.text AS device_id,
    strftime('%Y-%m-%dT%H:%M:%fZ', stored.made_ms / 1000.0, 'unixepoch') AS created_at, stored.version, stored.deleted,
    stored.rounding, stored.made_ms, stored.day_number, stored.method, stored.payment_code, stored.has_payments
  FROM shops
  JOIN stored_sales AS stored ON stored.shop = shops.n
  LEFT JOIN names AS method ON method.shop = stored.shop AND method.n = stored.method
  LEFT JOIN names AS member ON member.shop = stored.shop AND member.n = stored.member
  LEFT JOIN names AS device ON device.shop = stored.shop AND device.n = stored.device;

CREATE TRIGGER sales_updated AFTER UPDATE OF shop, id, total, cost, paid, method, notes, receipt_number, day_number,
  member, device, made_ms, version, deleted, rounding, payment_code, has_payments ON stored_sales BEGIN
  DELETE FROM digest_blocks WHERE business_id = (SELECT business_id FROM shops WHERE n = OLD.shop)
    AND (part = 'facts' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;

ALTER TABLE refunds ADD COLUMN payment_method TEXT;
ALTER TABLE refunds ADD COLUMN rounding BIGINT;
ALTER TABLE refunds ADD COLUMN has_payments BIGINT;

CREATE TRIGGER customers_updated AFTER UPDATE ON customers BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER customers_deleted AFTER DELETE ON customers BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER payments_updated AFTER UPDATE ON payments BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER payments_deleted AFTER DELETE ON payments BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
