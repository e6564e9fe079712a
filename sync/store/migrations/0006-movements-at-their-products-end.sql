DROP INDEX stock_movements_by_product;
CREATE INDEX stock_movements_by_product ON stock_movements (business_id, product_id);
