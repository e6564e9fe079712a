-- A sold line fixes its product's unit, as it does its pack.
DROP VIEW sale_items;
DROP VIEW stock_ledger;
CREATE TABLE line_units (
  shop BIGINT NOT NULL,
  sale BIGINT NOT NULL,
  position BIGINT NOT NULL,
  unit BIGINT,
  pack BIGINT,
  label BIGINT,
  size BIGINT,
  PRIMARY KEY (shop, sale, position)
) WITHOUT ROWID;
INSERT INTO line_units (shop, sale, position, pack, label, size)
  SELECT shop, sale, position, pack, label, size FROM line_packs;
DROP TABLE line_packs;
CREATE TRIGGER line_units_updated AFTER UPDATE ON line_units BEGIN
  DELETE FROM digest_blocks WHERE business_id = (SELECT business_id FROM shops WHERE n = OLD.shop)
    AND (part = 'facts' AND block IN (
      SELECT (version + 255) / 256 FROM stored_sales WHERE shop = OLD.shop AND n IN (OLD.sale, NEW.sale))
    OR part = 'groups' AND block IN (
      SELECT (version + 4095) / 4096 FROM stored_sales WHERE shop = OLD.shop AND n IN (OLD.sale, NEW.sale)));
END;
CREATE TRIGGER line_units_deleted AFTER DELETE ON line_units BEGIN
  DELETE FROM digest_blocks WHERE business_id = (SELECT business_id FROM shops WHERE n = OLD.shop)
    AND (part = 'facts' AND block IN (
      SELECT (version + 255) / 256 FROM stored_sales WHERE shop = OLD.shop AND n IN (OLD.sale))
    OR part = 'groups' AND block IN (
      SELECT (version + 4095) / 4096 FROM stored_sales WHERE shop = OLD.shop AND n IN (OLD.sale)));
END;
CREATE VIEW sale_items AS
  SELECT shops.business_id, sale.id AS sale_id, coalesce(line.id, CAST(line.position + 1 AS TEXT)) AS id, line.position,
    label.text AS name, line.quantity, line.price, line.cost, product.text AS product_id, line.list_price, line.is_stockless,
    class.text AS tax_class, taxed.rate AS tax_rate, taxed.tax, pack.text AS pack_id, pack_label.text AS pack_name, sold_by.size AS pack_size,
    unit.text AS unit
  FROM shops
  JOIN stored_sales AS sale ON sale.shop = shops.n
  JOIN stored_lines AS line ON line.shop = sale.shop AND line.sale = sale.n
  JOIN names AS label ON label.shop = line.shop AND label.n = line.label
  LEFT JOIN names AS product ON product.shop = line.shop AND product.n = line.product
  LEFT JOIN line_taxes AS taxed ON taxed.shop = line.shop AND taxed.sale = line.sale AND taxed.position = line.position
  LEFT JOIN names AS class ON class.shop = taxed.shop AND class.n = taxed.class
  LEFT JOIN line_units AS sold_by ON sold_by.shop = line.shop AND sold_by.sale = line.sale AND sold_by.position = line.position
  LEFT JOIN names AS pack ON pack.shop = sold_by.shop AND pack.n = sold_by.pack
  LEFT JOIN names AS pack_label ON pack_label.shop = sold_by.shop AND pack_label.n = sold_by.label
  LEFT JOIN names AS unit ON unit.shop = sold_by.shop AND unit.n = sold_by.unit;
CREATE VIEW stock_ledger AS
  SELECT business_id, id, product_id, delta, reason, note, sale_id, item_id, user_id, created_at, version, deleted, cost, delivery_id
  FROM stock_movements
  UNION ALL
  SELECT shops.business_id, sale.id || ':' || line.position, product.text, -(CASE WHEN sold_by.size IS NULL THEN line.quantity
      ELSE sold_by.size / 1000000 * line.quantity + sold_by.size % 1000000 * (line.quantity / 1000000)
        + sold_by.size % 1000000 * (line.quantity % 1000000) / 1000000 END), 'sale', NULL, sale.id,
    coalesce(line.id, CAST(line.position + 1 AS TEXT)), member.text,
    strftime('%Y-%m-%dT%H:%M:%fZ', sale.made_ms / 1000.0, 'unixepoch'), sale.version, sale.deleted, NULL, NULL
  FROM shops
  JOIN stored_sales AS sale ON sale.shop = shops.n
  JOIN stored_lines AS line ON line.shop = sale.shop AND line.sale = sale.n
  JOIN names AS product ON product.shop = line.shop AND product.n = line.product
  LEFT JOIN names AS member ON member.shop = sale.shop AND member.n = sale.member
  LEFT JOIN line_units AS sold_by ON sold_by.shop = line.shop AND sold_by.sale = line.sale AND sold_by.position = line.position
  WHERE line.is_stockless IS NULL;
