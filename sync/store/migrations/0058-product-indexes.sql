DROP INDEX products_low;
CREATE INDEX products_low ON products (business_id, deleted, quantity)
  WHERE quantity <= low_stock AND is_active = 1 AND is_service = 0 AND deleted = 0;
DROP INDEX products_by_category;
CREATE INDEX products_by_category ON products (business_id, category_id, deleted, search_name);
