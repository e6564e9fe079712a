-- Sales and their lines name their shop, members, devices, products and names by numbers.
-- A shop may have a million sales: each statement reads its tables in the order of an index, so that little is sorted in memory.
DROP VIEW stock_ledger;
DROP INDEX sales_by_time;
DROP INDEX sales_by_day;
CREATE TABLE shops (
  n BIGINT NOT NULL PRIMARY KEY,
  business_id TEXT NOT NULL UNIQUE
);
CREATE TABLE names (
  shop BIGINT NOT NULL REFERENCES shops (n),
  n BIGINT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (shop, n),
  UNIQUE (shop, text)
) WITHOUT ROWID;
INSERT INTO shops (n, business_id) SELECT row_number() OVER (ORDER BY business_id), business_id FROM (
  SELECT business_id FROM sales GROUP BY business_id) AS selling;
INSERT INTO names (shop, n, text)
  SELECT shops.n, row_number() OVER (PARTITION BY shops.n ORDER BY text), text FROM shops JOIN (
    SELECT DISTINCT business_id, user_id AS text FROM sales UNION SELECT DISTINCT business_id, device_id FROM sales
    UNION SELECT DISTINCT business_id, product_id FROM sale_items UNION SELECT DISTINCT business_id, name FROM sale_items
  ) AS used ON used.business_id = shops.business_id WHERE text IS NOT NULL;

CREATE TABLE stored_sales (
  shop BIGINT NOT NULL REFERENCES shops (n),
  n BIGINT NOT NULL,
  id TEXT NOT NULL,
  total BIGINT NOT NULL,
  cost BIGINT NOT NULL,
  paid BIGINT NOT NULL,
  payment_method TEXT NOT NULL,
  notes TEXT,
  tax BIGINT NOT NULL DEFAULT 0,
  tax_rate BIGINT NOT NULL DEFAULT 0,
  receipt_number TEXT,
  business_day TEXT NOT NULL,
  member BIGINT,
  device BIGINT,
  created_at TEXT NOT NULL,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  rounding BIGINT,
  shape BIGINT,
  mutation_id TEXT,
  received_at TEXT,
  link TEXT,
  PRIMARY KEY (shop, n)
) WITHOUT ROWID;
INSERT INTO stored_sales (shop, n, id, total, cost, paid, payment_method, notes, tax, tax_rate, receipt_number, business_day,
    member, device, created_at, version, deleted, rounding, shape, mutation_id, received_at, link)
  SELECT shops.n, sales.n, sales.id, total, cost, paid, payment_method, notes, tax, tax_rate, receipt_number, business_day, member.n,
    device.n, created_at, sales.version, deleted, rounding, made.shape + 4096 * (made.args_version - 1),
    CASE WHEN made.id <> sales.id THEN made.id END, made.received_at, made.link
  FROM (SELECT *, row_number() OVER (PARTITION BY business_id ORDER BY version, created_at, id) AS n FROM sales) AS sales
  JOIN shops ON shops.business_id = sales.business_id
  LEFT JOIN names AS member ON member.shop = shops.n AND member.text = sales.user_id
  LEFT JOIN names AS device ON device.shop = shops.n AND device.text = sales.device_id
  LEFT JOIN mutations AS made ON made.business_id = sales.business_id AND made.version = sales.version
    AND made.shape IS NOT NULL AND made.at = sales.created_at AND made.user_id IS NOT DISTINCT FROM sales.user_id
    AND made.device_id IS NOT DISTINCT FROM sales.device_id AND made.carrier_id IS NULL AND made.device_at IS NULL;

CREATE TABLE stored_lines (
  shop BIGINT NOT NULL,
  sale BIGINT NOT NULL,
  position BIGINT NOT NULL,
  id TEXT NOT NULL,
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
  SELECT stored.shop, stored.n, item.position, item.id, label.n, item.quantity, item.price, item.cost, product.n, item.list_price,
    item.is_stockless
  FROM shops CROSS JOIN stored_sales AS stored CROSS JOIN sale_items AS item CROSS JOIN names AS label
  LEFT JOIN names AS product ON product.shop = shops.n AND product.text = item.product_id
  WHERE stored.shop = shops.n AND item.business_id = shops.business_id AND item.sale_id = stored.id
    AND label.shop = shops.n AND label.text = item.name;
CREATE INDEX lines_by_product ON stored_lines (shop, product) WHERE product IS NOT NULL;
DROP INDEX sales_by_version;
CREATE UNIQUE INDEX sales_by_id ON stored_sales (shop, id);
CREATE UNIQUE INDEX sales_by_mutation ON stored_sales (shop, mutation_id) WHERE mutation_id IS NOT NULL;
CREATE INDEX sales_by_version ON stored_sales (shop, version);
CREATE INDEX sales_by_time ON stored_sales (shop, created_at);
CREATE INDEX sales_by_day ON stored_sales (shop, business_day);
-- Without it, SQLite looks for each mutation's sale among all of the shop's.
ANALYZE stored_sales;

DROP INDEX mutations_by_version;
CREATE TABLE stored_mutations (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  args TEXT NOT NULL,
  args_version BIGINT NOT NULL DEFAULT 1,
  at TEXT NOT NULL,
  received_at TEXT NOT NULL,
  user_id TEXT,
  device_id TEXT,
  status TEXT NOT NULL CHECK (status IN ('applied', 'rejected')),
  error TEXT,
  version BIGINT,
  carrier_id TEXT,
  link TEXT,
  device_at TEXT,
  shape BIGINT,
  PRIMARY KEY (business_id, id)
);
INSERT INTO stored_mutations (business_id, id, name, args, args_version, at, received_at, user_id, device_id, status, error, version,
    carrier_id, link, device_at, shape)
  SELECT business_id, id, name, args, args_version, at, received_at, user_id, device_id, status, error, version, carrier_id, link,
    device_at, shape
  FROM mutations WHERE NOT EXISTS (
    SELECT 1 FROM shops JOIN stored_sales ON stored_sales.shop = shops.n
    WHERE shops.business_id = mutations.business_id AND stored_sales.version = mutations.version AND stored_sales.shape IS NOT NULL);
DROP TABLE mutations;
DROP TABLE sale_items;
DROP TABLE sales;
CREATE VIEW sales AS
  SELECT shops.business_id, stored.id, stored.total, stored.cost, stored.paid, stored.payment_method, stored.notes, stored.tax,
    stored.tax_rate, stored.receipt_number, stored.business_day, member.text AS user_id, device.text AS device_id,
    stored.created_at, stored.version, stored.deleted, stored.rounding
  FROM shops
  JOIN stored_sales AS stored ON stored.shop = shops.n
  LEFT JOIN names AS member ON member.shop = stored.shop AND member.n = stored.member
  LEFT JOIN names AS device ON device.shop = stored.shop AND device.n = stored.device;
CREATE VIEW sale_items AS
  SELECT shops.business_id, sale.id AS sale_id, line.id, line.position, label.text AS name, line.quantity, line.price, line.cost,
    product.text AS product_id, line.list_price, line.is_stockless
  FROM shops
  JOIN stored_sales AS sale ON sale.shop = shops.n
  JOIN stored_lines AS line ON line.shop = sale.shop AND line.sale = sale.n
  JOIN names AS label ON label.shop = line.shop AND label.n = line.label
  LEFT JOIN names AS product ON product.shop = line.shop AND product.n = line.product;
CREATE VIEW stock_ledger AS
  SELECT business_id, id, product_id, delta, reason, note, sale_id, item_id, user_id, created_at, version, deleted
  FROM stock_movements
  UNION ALL
  SELECT shops.business_id, sale.id || ':' || line.position, product.text, -line.quantity, 'sale', NULL, sale.id, line.id,
    member.text, sale.created_at, sale.version, sale.deleted
  FROM shops
  JOIN stored_sales AS sale ON sale.shop = shops.n
  JOIN stored_lines AS line ON line.shop = sale.shop AND line.sale = sale.n
  JOIN names AS product ON product.shop = line.shop AND product.n = line.product
  LEFT JOIN names AS member ON member.shop = sale.shop AND member.n = sale.member
  WHERE line.is_stockless IS NULL;
CREATE INDEX mutations_by_version ON stored_mutations (business_id, version) WHERE version IS NOT NULL;
CREATE VIEW mutations AS
  SELECT business_id, id, name, args, args_version, at, received_at, user_id, device_id, status, error, version, carrier_id, link,
    device_at, shape
  FROM stored_mutations
  UNION ALL
  SELECT shops.business_id, sale.mutation_id, 'sale.create', '', 1 + sale.shape / 4096, sale.created_at, sale.received_at,
    member.text, device.text, 'applied', NULL, sale.version, NULL, sale.link, NULL, sale.shape
  FROM shops
  JOIN stored_sales AS sale ON sale.shop = shops.n
  LEFT JOIN names AS member ON member.shop = sale.shop AND member.n = sale.member
  LEFT JOIN names AS device ON device.shop = sale.shop AND device.n = sale.device
  WHERE sale.mutation_id IS NOT NULL AND sale.shape IS NOT NULL
  UNION ALL
  SELECT shops.business_id, sale.id, 'sale.create', '', 1 + sale.shape / 4096, sale.created_at, sale.received_at,
    member.text, device.text, 'applied', NULL, sale.version, NULL, sale.link, NULL, sale.shape
  FROM shops
  JOIN stored_sales AS sale ON sale.shop = shops.n
  LEFT JOIN names AS member ON member.shop = sale.shop AND member.n = sale.member
  LEFT JOIN names AS device ON device.shop = sale.shop AND device.n = sale.device
  WHERE sale.mutation_id IS NULL AND sale.shape IS NOT NULL;

CREATE TABLE old_days AS SELECT * FROM tally_days;
DROP TABLE tally_days;
CREATE TABLE tally_days (
  business_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('day', 'slot', 'method')),
  day TEXT NOT NULL,
  key TEXT NOT NULL,
  sales BIGINT NOT NULL,
  revenue NUMERIC NOT NULL,
  cost NUMERIC NOT NULL,
  refunded NUMERIC NOT NULL,
  PRIMARY KEY (business_id, kind, day, key)
) WITHOUT ROWID;
INSERT INTO tally_days SELECT * FROM old_days;
DROP TABLE old_days;
CREATE TABLE old_products AS SELECT * FROM tally_products;
DROP TABLE tally_products;
CREATE TABLE tally_products (
  business_id TEXT NOT NULL,
  product_id TEXT NOT NULL,
  quantity NUMERIC NOT NULL,
  revenue NUMERIC NOT NULL,
  profit NUMERIC NOT NULL,
  PRIMARY KEY (business_id, product_id)
) WITHOUT ROWID;
CREATE INDEX tally_products_by_revenue ON tally_products (business_id, revenue);
CREATE INDEX tally_products_by_profit ON tally_products (business_id, profit);
INSERT INTO tally_products SELECT * FROM old_products;
DROP TABLE old_products;
