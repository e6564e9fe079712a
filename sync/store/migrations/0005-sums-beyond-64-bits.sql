DROP TABLE tally_days;
DROP TABLE tally_products;
DELETE FROM tallies;

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
);

CREATE TABLE tally_products (
  business_id TEXT NOT NULL,
  product_id TEXT NOT NULL,
  quantity NUMERIC NOT NULL,
  revenue NUMERIC NOT NULL,
  profit NUMERIC NOT NULL,
  PRIMARY KEY (business_id, product_id)
);
CREATE INDEX tally_products_by_revenue ON tally_products (business_id, revenue);
CREATE INDEX tally_products_by_profit ON tally_products (business_id, profit);
