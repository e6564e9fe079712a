-- Customers who were written down twice, and customers who are known no more.
ALTER TABLE customers ADD COLUMN merged_into TEXT;
ALTER TABLE customers ADD COLUMN erased_at TEXT;
CREATE INDEX customers_by_account ON customers (business_id, merged_into) WHERE merged_into IS NOT NULL;
