ALTER TABLE sale_items ADD COLUMN list_price BIGINT;
ALTER TABLE sales ADD COLUMN rounding BIGINT;
ALTER TABLE businesses ADD COLUMN cash_unit BIGINT;
ALTER TABLE businesses ADD COLUMN receipt_language TEXT;
ALTER TABLE businesses ADD COLUMN receipt_logo_url TEXT;
