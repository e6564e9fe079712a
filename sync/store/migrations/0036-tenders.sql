-- Sums by tender. They are derived: the next report adds up all facts again. And money of a day, for its report and journal.
DROP TABLE tally_days;
CREATE TABLE tally_days (
  shop BIGINT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('d', 's', 'm', 't')),
  day BIGINT NOT NULL,
  key BIGINT NOT NULL,
  sales BIGINT NOT NULL,
  revenue NUMERIC NOT NULL,
  cost NUMERIC NOT NULL,
  refunded NUMERIC NOT NULL,
  PRIMARY KEY (shop, kind, day, key)
) WITHOUT ROWID;
DELETE FROM tally_products;
DELETE FROM tallies;
CREATE INDEX payments_by_day ON payments (business_id, business_day) WHERE kind NOT IN ('sale', 'refund');
