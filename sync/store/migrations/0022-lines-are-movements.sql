ALTER TABLE sale_items ADD COLUMN is_stockless BIGINT;

-- Each line is found among its product's many movements by its sale.
CREATE INDEX moved_by_sale ON stock_movements (business_id, sale_id, item_id) WHERE reason = 'sale';
UPDATE sale_items SET is_stockless = 1 WHERE product_id IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM stock_movements AS moved WHERE moved.business_id = sale_items.business_id
    AND moved.sale_id = sale_items.sale_id AND moved.item_id = sale_items.id AND moved.reason = 'sale');
DROP INDEX moved_by_sale;
DELETE FROM stock_movements WHERE reason = 'sale';

CREATE INDEX sale_items_by_product ON sale_items (business_id, product_id) WHERE product_id IS NOT NULL;
CREATE VIEW stock_ledger AS
  SELECT business_id, id, product_id, delta, reason, note, sale_id, item_id, user_id, created_at, version, deleted
  FROM stock_movements
  UNION ALL
  SELECT sale_items.business_id, sale_items.sale_id || ':' || sale_items.position, sale_items.product_id,
    -sale_items.quantity, 'sale', NULL, sale_items.sale_id, sale_items.id, sales.user_id, sales.created_at, sales.version,
    sales.deleted
  FROM sale_items JOIN sales ON sales.business_id = sale_items.business_id AND sales.id = sale_items.sale_id
  WHERE coalesce(sale_items.product_id, '') <> '' AND sale_items.is_stockless IS NULL;
