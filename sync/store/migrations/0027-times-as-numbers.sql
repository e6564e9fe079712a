-- Sales have numbers in place of days, times and payment methods, and what follows from the rest is NULL. Of a link, 22 characters.
DROP VIEW mutations;
DROP VIEW stock_ledger;
DROP VIEW sale_items;
DROP VIEW sales;
CREATE TABLE old_lines AS SELECT * FROM stored_lines;
DROP TABLE stored_lines;
CREATE TABLE old_sales AS SELECT * FROM stored_sales;
DROP TABLE stored_sales;
INSERT INTO names (shop, n, text)
  SELECT used.shop, (SELECT coalesce(max(n), 0) FROM names WHERE names.shop = used.shop)
    + row_number() OVER (PARTITION BY used.shop ORDER BY used.text), used.text
  FROM (SELECT DISTINCT shop, payment_method AS text FROM old_sales) AS used
  WHERE NOT EXISTS (SELECT 1 FROM names WHERE names.shop = used.shop AND names.text = used.text);

CREATE TABLE stored_sales (
  shop BIGINT NOT NULL REFERENCES shops (n),
  n BIGINT NOT NULL,
  id TEXT NOT NULL,
  total BIGINT NOT NULL,
  cost BIGINT NOT NULL,
  paid BIGINT,
  method BIGINT NOT NULL,
  notes TEXT,
  receipt_number TEXT,
  day_number BIGINT NOT NULL,
  member BIGINT,
  device BIGINT,
  made_ms BIGINT NOT NULL,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  rounding BIGINT,
  shape BIGINT,
  mutation_id TEXT,
  received_after BIGINT,
  link TEXT,
  PRIMARY KEY (shop, n)
) WITHOUT ROWID;
INSERT INTO stored_sales (shop, n, id, total, cost, paid, method, notes, receipt_number, day_number, member, device, made_ms, version,
    deleted, rounding, shape, mutation_id, received_after, link)
  SELECT old.shop, old.n, id, total, cost, CASE WHEN paid <> total THEN paid END, method.n, notes, receipt_number,
    unixepoch(business_day) / 86400, member, device, unixepoch(created_at) * 1000 + CAST(substr(created_at, 21, 3) AS BIGINT),
    version, deleted, rounding, shape, mutation_id,
    unixepoch(received_at) * 1000 + CAST(substr(received_at, 21, 3) AS BIGINT)
    - (unixepoch(created_at) * 1000 + CAST(substr(created_at, 21, 3) AS BIGINT)), substr(link, 1, 22)
  FROM old_sales AS old JOIN names AS method ON method.shop = old.shop AND method.text = old.payment_method;
DROP TABLE old_sales;
CREATE UNIQUE INDEX sales_by_id ON stored_sales (shop, id);
CREATE UNIQUE INDEX sales_by_mutation ON stored_sales (shop, mutation_id) WHERE mutation_id IS NOT NULL;
CREATE INDEX sales_by_version ON stored_sales (shop, version);
CREATE INDEX sales_by_time ON stored_sales (shop, made_ms);
CREATE INDEX sales_by_day ON stored_sales (shop, day_number);

CREATE TABLE stored_lines (
  shop BIGINT NOT NULL,
  sale BIGINT NOT NULL,
  position BIGINT NOT NULL,
  id TEXT,
  label BIGINT NOT NULL,
  quantity BIGINT NOT NULL,
  price BIGINT NOT NULL,
  cost BIGINT NOT NULL,
  product BIGINT,
  list_price BIGINT,
  is_stockless BIGINT,
  PRIMARY KEY (shop, sale, position),
  FOREIGN KEY (shop, sale) REFERENCES stored_sales (shop, n)
) WITHOUT ROWID;
INSERT INTO stored_lines (shop, sale, position, id, label, quantity, price, cost, product, list_price, is_stockless)
  SELECT shop, sale, position, CASE WHEN id <> CAST(position + 1 AS TEXT) THEN id END, label, quantity, price, cost, product,
    list_price, is_stockless
  FROM old_lines;
DROP TABLE old_lines;
CREATE INDEX lines_by_product ON stored_lines (shop, product) WHERE product IS NOT NULL;

CREATE VIEW sales AS
  SELECT shops.business_id, stored.id, stored.total, stored.cost, coalesce(stored.paid, stored.total) AS paid,
    method.text AS payment_method, stored.notes, 0 AS tax, 0 AS tax_rate, stored.receipt_number,
    date(stored.day_number * 86400, 'unixepoch') AS business_day, member.text AS user_id, device.text AS device_id,
    strftime('%Y-%m-%dT%H:%M:%fZ', stored.made_ms / 1000.0, 'unixepoch') AS created_at, stored.version, stored.deleted,
    stored.rounding, stored.made_ms, stored.day_number, stored.method
  FROM shops
  JOIN stored_sales AS stored ON stored.shop = shops.n
  LEFT JOIN names AS method ON method.shop = stored.shop AND method.n = stored.method
  LEFT JOIN names AS member ON member.shop = stored.shop AND member.n = stored.member
  LEFT JOIN names AS device ON device.shop = stored.shop AND device.n = stored.device;
CREATE VIEW sale_items AS
  SELECT shops.business_id, sale.id AS sale_id, coalesce(line.id, CAST(line.position + 1 AS TEXT)) AS id, line.position,
    label.text AS name, line.quantity, line.price, line.cost, product.text AS product_id, line.list_price, line.is_stockless
  FROM shops
  JOIN stored_sales AS sale ON sale.shop = shops.n
  JOIN stored_lines AS line ON line.shop = sale.shop AND line.sale = sale.n
  JOIN names AS label ON label.shop = line.shop AND label.n = line.label
  LEFT JOIN names AS product ON product.shop = line.shop AND product.n = line.product;
CREATE VIEW stock_ledger AS
  SELECT business_id, id, product_id, delta, reason, note, sale_id, item_id, user_id, created_at, version, deleted
  FROM stock_movements
  UNION ALL
  SELECT shops.business_id, sale.id || ':' || line.position, product.text, -line.quantity, 'sale', NULL, sale.id,
    coalesce(line.id, CAST(line.position + 1 AS TEXT)), member.text,
    strftime('%Y-%m-%dT%H:%M:%fZ', sale.made_ms / 1000.0, 'unixepoch'), sale.version, sale.deleted
  FROM shops
  JOIN stored_sales AS sale ON sale.shop = shops.n
  JOIN stored_lines AS line ON line.shop = sale.shop AND line.sale = sale.n
  JOIN names AS product ON product.shop = line.shop AND product.n = line.product
  LEFT JOIN names AS member ON member.shop = sale.shop AND member.n = sale.member
  WHERE line.is_stockless IS NULL;
CREATE VIEW mutations AS
  SELECT business_id, id, name, args, args_version, at, received_at, user_id, device_id, status, error, version, carrier_id, link,
    device_at, shape
  FROM stored_mutations
  UNION ALL
  SELECT shops.business_id, sale.mutation_id, 'sale.create', '', 1 + sale.shape / 4096,
    strftime('%Y-%m-%dT%H:%M:%fZ', sale.made_ms / 1000.0, 'unixepoch'),
    strftime('%Y-%m-%dT%H:%M:%fZ', (sale.made_ms + sale.received_after) / 1000.0, 'unixepoch'),
    member.text, device.text, 'applied', NULL, sale.version, NULL, sale.link, NULL, sale.shape
  FROM shops
  JOIN stored_sales AS sale ON sale.shop = shops.n
  LEFT JOIN names AS member ON member.shop = sale.shop AND member.n = sale.member
  LEFT JOIN names AS device ON device.shop = sale.shop AND device.n = sale.device
  WHERE sale.mutation_id IS NOT NULL AND sale.shape IS NOT NULL
  UNION ALL
  SELECT shops.business_id, sale.id, 'sale.create', '', 1 + sale.shape / 4096,
    strftime('%Y-%m-%dT%H:%M:%fZ', sale.made_ms / 1000.0, 'unixepoch'),
    strftime('%Y-%m-%dT%H:%M:%fZ', (sale.made_ms + sale.received_after) / 1000.0, 'unixepoch'),
    member.text, device.text, 'applied', NULL, sale.version, NULL, sale.link, NULL, sale.shape
  FROM shops
  JOIN stored_sales AS sale ON sale.shop = shops.n
  LEFT JOIN names AS member ON member.shop = sale.shop AND member.n = sale.member
  LEFT JOIN names AS device ON device.shop = sale.shop AND device.n = sale.device
  WHERE sale.mutation_id IS NULL AND sale.shape IS NOT NULL;

CREATE TABLE old_days AS SELECT * FROM tally_days;
DROP TABLE tally_days;
CREATE TABLE tally_days (
  shop BIGINT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('d', 's', 'm')),
  day BIGINT NOT NULL,
  key BIGINT NOT NULL,
  sales BIGINT NOT NULL,
  revenue NUMERIC NOT NULL,
  cost NUMERIC NOT NULL,
  refunded NUMERIC NOT NULL,
  PRIMARY KEY (shop, kind, day, key)
) WITHOUT ROWID;
INSERT INTO tally_days (shop, kind, day, key, sales, revenue, cost, refunded)
  SELECT shops.n, substr(kind, 1, 1), unixepoch(day) / 86400,
    CASE kind WHEN 'slot' THEN unixepoch(key) / 900 WHEN 'method' THEN method.n ELSE 0 END, sales, revenue, cost, refunded
  FROM old_days JOIN shops ON shops.business_id = old_days.business_id
  LEFT JOIN names AS method ON kind = 'method' AND method.shop = shops.n AND method.text = key;
DROP TABLE old_days;

CREATE TABLE old_items AS SELECT * FROM refund_items;
DROP TABLE refund_items;
CREATE TABLE refund_items (
  business_id TEXT NOT NULL,
  refund_id TEXT NOT NULL,
  id TEXT NOT NULL,
  position BIGINT NOT NULL,
  item_id TEXT NOT NULL,
  quantity BIGINT NOT NULL,
  PRIMARY KEY (business_id, refund_id, id),
  FOREIGN KEY (business_id, refund_id) REFERENCES refunds (business_id, id)
) WITHOUT ROWID;
INSERT INTO refund_items SELECT * FROM old_items;
DROP TABLE old_items;

CREATE TRIGGER sales_updated AFTER UPDATE OF shop, id, total, cost, paid, method, notes, receipt_number, day_number,
  member, device, made_ms, version, deleted, rounding ON stored_sales BEGIN
  DELETE FROM digest_blocks WHERE business_id = (SELECT business_id FROM shops WHERE n = OLD.shop)
    AND (part = 'facts' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER sales_deleted AFTER DELETE ON stored_sales BEGIN
  DELETE FROM digest_blocks WHERE business_id = (SELECT business_id FROM shops WHERE n = OLD.shop)
    AND (part = 'facts' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER lines_updated AFTER UPDATE ON stored_lines BEGIN
  DELETE FROM digest_blocks WHERE business_id = (SELECT business_id FROM shops WHERE n = OLD.shop)
    AND (part = 'facts' AND block IN (
      SELECT (version + 255) / 256 FROM stored_sales WHERE shop = OLD.shop AND n IN (OLD.sale, NEW.sale))
    OR part = 'groups' AND block IN (
      SELECT (version + 4095) / 4096 FROM stored_sales WHERE shop = OLD.shop AND n IN (OLD.sale, NEW.sale)));
END;
CREATE TRIGGER lines_deleted AFTER DELETE ON stored_lines BEGIN
  DELETE FROM digest_blocks WHERE business_id = (SELECT business_id FROM shops WHERE n = OLD.shop)
    AND (part = 'facts' AND block IN (
      SELECT (version + 255) / 256 FROM stored_sales WHERE shop = OLD.shop AND n IN (OLD.sale))
    OR part = 'groups' AND block IN (
      SELECT (version + 4095) / 4096 FROM stored_sales WHERE shop = OLD.shop AND n IN (OLD.sale)));
END;
CREATE TRIGGER refund_items_updated AFTER UPDATE ON refund_items BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block IN (
    SELECT (version + 255) / 256 FROM refunds WHERE business_id = OLD.business_id AND id IN (OLD.refund_id, NEW.refund_id))
    OR part = 'groups' AND block IN (
    SELECT (version + 4095) / 4096 FROM refunds WHERE business_id = OLD.business_id AND id IN (OLD.refund_id, NEW.refund_id)));
END;
CREATE TRIGGER refund_items_deleted AFTER DELETE ON refund_items BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block IN (
    SELECT (version + 255) / 256 FROM refunds WHERE business_id = OLD.business_id AND id = OLD.refund_id)
    OR part = 'groups' AND block IN (
    SELECT (version + 4095) / 4096 FROM refunds WHERE business_id = OLD.business_id AND id = OLD.refund_id));
END;
