-- Further codes of products. They and a product's own code are looked up in a normal form, whatever form of a barcode was given.
CREATE TABLE product_codes (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  product_id TEXT NOT NULL,
  code TEXT NOT NULL,
  created_at TEXT NOT NULL,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX product_codes_by_version ON product_codes (business_id, version);
CREATE INDEX product_codes_by_product ON product_codes (business_id, product_id, id);
CREATE INDEX product_codes_by_key ON product_codes (business_id, (CASE WHEN length(code) IN (8, 12, 13, 14) AND ltrim(code, '0123456789') = '' THEN substr('00000000000000' || code, length(code) + 1) ELSE lower(code) END));
DROP INDEX products_by_sku;
CREATE INDEX products_by_key ON products (business_id, (CASE WHEN length(sku) IN (8, 12, 13, 14) AND ltrim(sku, '0123456789') = '' THEN substr('00000000000000' || sku, length(sku) + 1) ELSE lower(sku) END));
CREATE TRIGGER product_codes_updated AFTER UPDATE ON product_codes BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER product_codes_deleted AFTER DELETE ON product_codes BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
