-- Taxes: classes with rates by date, and the tax that each sold line fixed.
CREATE TABLE taxes (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  rates TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  edits TEXT NOT NULL DEFAULT '{}',
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX taxes_by_version ON taxes (business_id, version);
CREATE TRIGGER taxes_updated AFTER UPDATE ON taxes BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER taxes_deleted AFTER DELETE ON taxes BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;

ALTER TABLE businesses ADD COLUMN tax_class TEXT;
ALTER TABLE businesses ADD COLUMN adds_tax BIGINT;
ALTER TABLE categories ADD COLUMN tax_class TEXT;
ALTER TABLE products ADD COLUMN tax_class TEXT;
ALTER TABLE refund_items ADD COLUMN tax BIGINT;
DROP TRIGGER businesses_updated;
CREATE TRIGGER businesses_updated AFTER UPDATE OF id, name, currency, time_zone, cut_off_hour, receipt_header, receipt_footer, created_at, updated_at, version, deleted, open_items,
  cash_unit, receipt_language, receipt_logo_url, tax_class, adds_tax ON businesses BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
DROP TRIGGER products_updated;
CREATE TRIGGER products_updated AFTER UPDATE OF id, name, sku, buying_price, selling_price, low_stock, is_service, is_active, category_id, image_url, thumbnail_url,
  created_at, version, deleted, tax_class ON products
  WHEN (OLD.id, OLD.name, OLD.sku, OLD.buying_price, OLD.selling_price, OLD.low_stock, OLD.is_service, OLD.is_active, OLD.category_id,
    OLD.image_url, OLD.thumbnail_url, OLD.created_at, OLD.version, OLD.deleted, OLD.tax_class)
  IS NOT (NEW.id, NEW.name, NEW.sku, NEW.buying_price, NEW.selling_price, NEW.low_stock, NEW.is_service, NEW.is_active, NEW.category_id,
    NEW.image_url, NEW.thumbnail_url, NEW.created_at, NEW.version, NEW.deleted, NEW.tax_class) BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;

CREATE TABLE line_taxes (
  shop BIGINT NOT NULL,
  sale BIGINT NOT NULL,
  position BIGINT NOT NULL,
  class BIGINT NOT NULL,
  rate BIGINT NOT NULL,
  tax BIGINT NOT NULL,
  PRIMARY KEY (shop, sale, position)
) WITHOUT ROWID;
CREATE TRIGGER line_taxes_updated AFTER UPDATE ON line_taxes BEGIN
  DELETE FROM digest_blocks WHERE business_id = (SELECT business_id FROM shops WHERE n = OLD.shop)
    AND (part = 'facts' AND block IN (
      SELECT (version + 255) / 256 FROM stored_sales WHERE shop = OLD.shop AND n IN (OLD.sale, NEW.sale))
    OR part = 'groups' AND block IN (
      SELECT (version + 4095) / 4096 FROM stored_sales WHERE shop = OLD.shop AND n IN (OLD.sale, NEW.sale)));
END;
CREATE TRIGGER line_taxes_deleted AFTER DELETE ON line_taxes BEGIN
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
    class.text AS tax_class, taxed.rate AS tax_rate, taxed.tax
  FROM shops
  JOIN stored_sales AS sale ON sale.shop = shops.n
  JOIN stored_lines AS line ON line.shop = sale.shop AND line.sale = sale.n
  JOIN names AS label ON label.shop = line.shop AND label.n = line.label
  LEFT JOIN names AS product ON product.shop = line.shop AND product.n = line.product
  LEFT JOIN line_taxes AS taxed ON taxed.shop = line.shop AND taxed.sale = line.sale AND taxed.position = line.position
  LEFT JOIN names AS class ON class.shop = taxed.shop AND class.n = taxed.class;
