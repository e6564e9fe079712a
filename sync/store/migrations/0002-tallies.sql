CREATE INDEX products_low ON products (business_id, quantity)
  WHERE quantity <= low_stock AND is_active = 1 AND is_service = 0 AND deleted = 0;
CREATE INDEX sales_by_day ON sales (business_id, business_day);
DROP INDEX refunds_by_sale;
CREATE INDEX refunds_by_sale ON refunds (business_id, sale_id, version);
CREATE INDEX refunds_by_day ON refunds (business_id, business_day);

CREATE TABLE tallies (
  business_id TEXT NOT NULL PRIMARY KEY,
  version BIGINT NOT NULL,
  sales BIGINT NOT NULL,
  window_day TEXT NOT NULL
);

CREATE TABLE tally_days (
  business_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('day', 'slot', 'method')),
  day TEXT NOT NULL,
  key TEXT NOT NULL,
  sales BIGINT NOT NULL,
  revenue BIGINT NOT NULL,
  cost BIGINT NOT NULL,
  refunded BIGINT NOT NULL,
  PRIMARY KEY (business_id, kind, day, key)
);

CREATE TABLE tally_products (
  business_id TEXT NOT NULL,
  product_id TEXT NOT NULL,
  quantity BIGINT NOT NULL,
  revenue BIGINT NOT NULL,
  profit BIGINT NOT NULL,
  PRIMARY KEY (business_id, product_id)
);
CREATE INDEX tally_products_by_revenue ON tally_products (business_id, revenue);
CREATE INDEX tally_products_by_profit ON tally_products (business_id, profit);
