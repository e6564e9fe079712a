CREATE TABLE digest_blocks (
  business_id TEXT NOT NULL,
  part TEXT NOT NULL CHECK (part IN ('facts', 'records', 'groups')),
  block BIGINT NOT NULL,
  form TEXT NOT NULL,
  sum TEXT NOT NULL,
  PRIMARY KEY (business_id, part, block)
) WITHOUT ROWID;

CREATE TRIGGER businesses_updated AFTER UPDATE OF id, name, currency, time_zone, cut_off_hour, receipt_header, receipt_footer, created_at, updated_at, version, deleted, open_items,
  cash_unit, receipt_language, receipt_logo_url ON businesses BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER categories_updated AFTER UPDATE ON categories BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER categories_deleted AFTER DELETE ON categories BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER products_updated AFTER UPDATE OF id, name, sku, buying_price, selling_price, low_stock, is_service, is_active, category_id, image_url, thumbnail_url,
  created_at, version, deleted ON products
  WHEN (OLD.id, OLD.name, OLD.sku, OLD.buying_price, OLD.selling_price, OLD.low_stock, OLD.is_service, OLD.is_active, OLD.category_id,
    OLD.image_url, OLD.thumbnail_url, OLD.created_at, OLD.version, OLD.deleted)
  IS NOT (NEW.id, NEW.name, NEW.sku, NEW.buying_price, NEW.selling_price, NEW.low_stock, NEW.is_service, NEW.is_active, NEW.category_id,
    NEW.image_url, NEW.thumbnail_url, NEW.created_at, NEW.version, NEW.deleted) BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER products_deleted AFTER DELETE ON products BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER sales_updated AFTER UPDATE OF shop, id, total, cost, paid, payment_method, notes, tax, tax_rate, receipt_number,
  business_day, member, device, created_at, version, deleted, rounding ON stored_sales BEGIN
  DELETE FROM digest_blocks WHERE business_id = (SELECT business_id FROM shops WHERE n = OLD.shop)
    AND (part = 'facts' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER sales_deleted AFTER DELETE ON stored_sales BEGIN
  DELETE FROM digest_blocks WHERE business_id = (SELECT business_id FROM shops WHERE n = OLD.shop)
    AND (part = 'facts' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER refunds_updated AFTER UPDATE ON refunds BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER refunds_deleted AFTER DELETE ON refunds BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER stock_movements_updated AFTER UPDATE ON stock_movements BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER stock_movements_deleted AFTER DELETE ON stock_movements BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER inbox_items_updated AFTER UPDATE ON inbox_items BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER inbox_items_deleted AFTER DELETE ON inbox_items BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER reviews_updated AFTER UPDATE ON reviews BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER reviews_deleted AFTER DELETE ON reviews BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER lines_updated AFTER UPDATE ON stored_lines BEGIN
  DELETE FROM digest_blocks WHERE business_id = (SELECT business_id FROM shops WHERE n = OLD.shop)
    AND (part = 'facts' AND block IN (
      SELECT (version + 255) / 256 FROM stored_sales WHERE shop = OLD.shop AND n IN (OLD.sale, NEW.sale))
    OR part = 'groups' AND block IN (
      SELECT (version + 4095) / 4096 FROM stored_sales WHERE shop = OLD.shop AND n IN (OLD.sale, NEW.sale)));
END;
CREATE TRIGGER lines_deleted AFTER DELETE ON stored_lines BEGIN
  DELETE FROM digest_blocks WHERE business_id = (SELECT business_id FROM shops WHERE n = OLD.shop)
    AND (part = 'facts' AND block IN (
      SELECT (version + 255) / 256 FROM stored_sales WHERE shop = OLD.shop AND n IN (OLD.sale))
    OR part = 'groups' AND block IN (
      SELECT (version + 4095) / 4096 FROM stored_sales WHERE shop = OLD.shop AND n IN (OLD.sale)));
END;
CREATE TRIGGER refund_items_updated AFTER UPDATE ON refund_items BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block IN (
    SELECT (version + 255) / 256 FROM refunds WHERE business_id = OLD.business_id AND id IN (OLD.refund_id, NEW.refund_id))
    OR part = 'groups' AND block IN (
    SELECT (version + 4095) / 4096 FROM refunds WHERE business_id = OLD.business_id AND id IN (OLD.refund_id, NEW.refund_id)));
END;
CREATE TRIGGER refund_items_deleted AFTER DELETE ON refund_items BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block IN (
    SELECT (version + 255) / 256 FROM refunds WHERE business_id = OLD.business_id AND id = OLD.refund_id)
    OR part = 'groups' AND block IN (
    SELECT (version + 4095) / 4096 FROM refunds WHERE business_id = OLD.business_id AND id = OLD.refund_id));
END;
