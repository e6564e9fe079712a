ALTER TABLE replica ADD COLUMN window_version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE replica ADD COLUMN window_day TEXT;
-- What sales that a till with a window doesn't hold have moved of each product: a part of its ledger.
CREATE TABLE older_stock (
  business_id TEXT NOT NULL,
  product_id TEXT NOT NULL,
  delta BIGINT NOT NULL,
  PRIMARY KEY (business_id, product_id)
);
