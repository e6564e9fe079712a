DROP INDEX products_low;
CREATE INDEX products_low ON products (business_id, deleted, quantity)
  WHERE quantity <= low_stock AND is_active = 1 AND is_service = 0 AND deleted = 0;
