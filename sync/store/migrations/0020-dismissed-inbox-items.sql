ALTER TABLE inbox_items ADD COLUMN resolution TEXT;
ALTER TABLE inbox_items ADD COLUMN decided_at TEXT;
ALTER TABLE inbox_items ADD COLUMN decided_by TEXT;
CREATE INDEX inbox_items_open ON inbox_items (business_id, cause, product_id, sale_id, created_at)
  WHERE resolution IS NULL AND deleted = 0;
CREATE INDEX inbox_items_dismissed ON inbox_items (business_id, decided_at)
  WHERE resolution IS NOT NULL AND deleted = 0;
