-- Whom the shop buys from, what they brought at which cost, and what they were paid.
ALTER TABLE payments ADD COLUMN supplier_id TEXT;
CREATE INDEX payments_by_supplier ON payments (business_id, supplier_id, created_at) WHERE supplier_id IS NOT NULL;
ALTER TABLE stock_movements ADD COLUMN cost BIGINT;
ALTER TABLE stock_movements ADD COLUMN delivery_id TEXT;
CREATE INDEX stock_movements_costs ON stock_movements (business_id, product_id, created_at, id) WHERE cost IS NOT NULL;
DROP VIEW stock_ledger;
CREATE VIEW stock_ledger AS
  SELECT business_id, id, product_id, delta, reason, note, sale_id, item_id, user_id, created_at, version, deleted, cost, delivery_id
  FROM stock_movements
  UNION ALL
  SELECT shops.business_id, sale.id || ':' || line.position, product.text, -(CASE WHEN packed.size IS NULL THEN line.quantity
      ELSE packed.size / 1000000 * line.quantity + packed.size % 1000000 * (line.quantity / 1000000)
        + packed.size % 1000000 * (line.quantity % 1000000) / 1000000 END), 'sale', NULL, sale.id,
    coalesce(line.id, CAST(line.position + 1 AS TEXT)), member.text,
    strftime('%Y-%m-%dT%H:%M:%fZ', sale.made_ms / 1000.0, 'unixepoch'), sale.version, sale.deleted, NULL, NULL
  FROM shops
  JOIN stored_sales AS sale ON sale.shop = shops.n
  JOIN stored_lines AS line ON line.shop = sale.shop AND line.sale = sale.n
  JOIN names AS product ON product.shop = line.shop AND product.n = line.product
  LEFT JOIN names AS member ON member.shop = sale.shop AND member.n = sale.member
  LEFT JOIN line_packs AS packed ON packed.shop = line.shop AND packed.sale = line.sale AND packed.position = line.position
  WHERE line.is_stockless IS NULL;

CREATE TABLE suppliers (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  search_name TEXT NOT NULL,
  phone TEXT,
  note TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  edits TEXT NOT NULL DEFAULT '{}',
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX suppliers_by_version ON suppliers (business_id, version);
CREATE INDEX suppliers_by_name ON suppliers (business_id, search_name);

CREATE TABLE deliveries (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  supplier_id TEXT,
  number TEXT,
  is_return BIGINT NOT NULL,
  items TEXT NOT NULL,
  total BIGINT NOT NULL,
  business_day TEXT NOT NULL,
  user_id TEXT,
  device_id TEXT,
  created_at TEXT NOT NULL,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX deliveries_by_version ON deliveries (business_id, version);
CREATE INDEX deliveries_by_time ON deliveries (business_id, created_at);
CREATE INDEX deliveries_by_day ON deliveries (business_id, business_day);
CREATE INDEX deliveries_by_supplier ON deliveries (business_id, supplier_id, created_at) WHERE supplier_id IS NOT NULL;
CREATE TRIGGER suppliers_updated AFTER UPDATE ON suppliers BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER suppliers_deleted AFTER DELETE ON suppliers BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER deliveries_updated AFTER UPDATE ON deliveries BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER deliveries_deleted AFTER DELETE ON deliveries BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
