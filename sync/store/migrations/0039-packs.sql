-- What a product's stock is counted in, its packs with their codes, and the pack that each sold line fixed.
ALTER TABLE product_codes ADD COLUMN pack_id TEXT;
ALTER TABLE products ADD COLUMN unit TEXT;
DROP TRIGGER products_updated;
CREATE TRIGGER products_updated AFTER UPDATE OF id, name, sku, buying_price, selling_price, low_stock, is_service, is_active, category_id, image_url, thumbnail_url,
  created_at, version, deleted, tax_class, unit ON products
  WHEN (OLD.id, OLD.name, OLD.sku, OLD.buying_price, OLD.selling_price, OLD.low_stock, OLD.is_service, OLD.is_active, OLD.category_id,
    OLD.image_url, OLD.thumbnail_url, OLD.created_at, OLD.version, OLD.deleted, OLD.tax_class, OLD.unit)
  IS NOT (NEW.id, NEW.name, NEW.sku, NEW.buying_price, NEW.selling_price, NEW.low_stock, NEW.is_service, NEW.is_active, NEW.category_id,
    NEW.image_url, NEW.thumbnail_url, NEW.created_at, NEW.version, NEW.deleted, NEW.tax_class, NEW.unit) BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;

CREATE TABLE product_packs (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  product_id TEXT NOT NULL,
  name TEXT NOT NULL,
  size BIGINT NOT NULL,
  selling_price BIGINT,
  is_active BIGINT NOT NULL DEFAULT 1,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  edits TEXT NOT NULL DEFAULT '{}',
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX product_packs_by_version ON product_packs (business_id, version);
CREATE INDEX product_packs_by_product ON product_packs (business_id, product_id);
CREATE TRIGGER product_packs_updated AFTER UPDATE ON product_packs BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER product_packs_deleted AFTER DELETE ON product_packs BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;

CREATE TABLE line_packs (
  shop BIGINT NOT NULL,
  sale BIGINT NOT NULL,
  position BIGINT NOT NULL,
  pack BIGINT NOT NULL,
  label BIGINT NOT NULL,
  size BIGINT NOT NULL,
  PRIMARY KEY (shop, sale, position)
) WITHOUT ROWID;
CREATE TRIGGER line_packs_updated AFTER UPDATE ON line_packs BEGIN
  DELETE FROM digest_blocks WHERE business_id = (SELECT business_id FROM shops WHERE n = OLD.shop)
    AND (part = 'facts' AND block IN (
      SELECT (version + 255) / 256 FROM stored_sales WHERE shop = OLD.shop AND n IN (OLD.sale, NEW.sale))
    OR part = 'groups' AND block IN (
      SELECT (version + 4095) / 4096 FROM stored_sales WHERE shop = OLD.shop AND n IN (OLD.sale, NEW.sale)));
END;
CREATE TRIGGER line_packs_deleted AFTER DELETE ON line_packs BEGIN
  DELETE FROM digest_blocks WHERE business_id = (SELECT business_id FROM shops WHERE n = OLD.shop)
    AND (part = 'facts' AND block IN (
      SELECT (version + 255) / 256 FROM stored_sales WHERE shop = OLD.shop AND n IN (OLD.sale))
    OR part = 'groups' AND block IN (
      SELECT (version + 4095) / 4096 FROM stored_sales WHERE shop = OLD.shop AND n IN (OLD.sale)));
END;
DROP VIEW sale_items;
CREATE VIEW sale_items AS
  SELECT shops.business_id, sale.id AS sale_id, coalesce(line.id, CAST(line.position + 1 AS TEXT)) AS id, line.position,
    label.text AS name, line.quantity, line.price, line.cost, product.text AS product_id, line.list_price, line.is_stockless,
    class.text AS tax_class, taxed.rate AS tax_rate, taxed.tax, pack.text AS pack_id, pack_label.text AS pack_name, packed.size AS pack_size
  FROM shops
  JOIN stored_sales AS sale ON sale.shop = shops.n
  JOIN stored_lines AS line ON line.shop = sale.shop AND line.sale = sale.n
  JOIN names AS label ON label.shop = line.shop AND label.n = line.label
  LEFT JOIN names AS product ON product.shop = line.shop AND product.n = line.product
  LEFT JOIN line_taxes AS taxed ON taxed.shop = line.shop AND taxed.sale = line.sale AND taxed.position = line.position
  LEFT JOIN names AS class ON class.shop = taxed.shop AND class.n = taxed.class
  LEFT JOIN line_packs AS packed ON packed.shop = line.shop AND packed.sale = line.sale AND packed.position = line.position
  LEFT JOIN names AS pack ON pack.shop = packed.shop AND pack.n = packed.pack
  LEFT JOIN names AS pack_label ON pack_label.shop = packed.shop AND pack_label.n = packed.label;
DROP VIEW stock_ledger;
CREATE VIEW stock_ledger AS
  SELECT business_id, id, product_id, delta, reason, note, sale_id, item_id, user_id, created_at, version, deleted
  FROM stock_movements
  UNION ALL
  SELECT shops.business_id, sale.id || ':' || line.position, product.text, -(CASE WHEN packed.size IS NULL THEN line.quantity
      ELSE packed.size / 1000000 * line.quantity + packed.size % 1000000 * (line.quantity / 1000000)
        + packed.size % 1000000 * (line.quantity % 1000000) / 1000000 END), 'sale', NULL, sale.id,
    coalesce(line.id, CAST(line.position + 1 AS TEXT)), member.text,
    strftime('%Y-%m-%dT%H:%M:%fZ', sale.made_ms / 1000.0, 'unixepoch'), sale.version, sale.deleted
  FROM shops
  JOIN stored_sales AS sale ON sale.shop = shops.n
  JOIN stored_lines AS line ON line.shop = sale.shop AND line.sale = sale.n
  JOIN names AS product ON product.shop = line.shop AND product.n = line.product
  LEFT JOIN names AS member ON member.shop = sale.shop AND member.n = sale.member
  LEFT JOIN line_packs AS packed ON packed.shop = line.shop AND packed.sale = line.sale AND packed.position = line.position
  WHERE line.is_stockless IS NULL;
