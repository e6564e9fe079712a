DROP INDEX products_by_name;
CREATE INDEX products_by_name ON products (business_id, deleted, search_name, is_active, sku, id);
