-- What a cashier may do before the inbox says so.
ALTER TABLE businesses ADD COLUMN cashier_discount_max BIGINT;
ALTER TABLE businesses ADD COLUMN cashier_refund_max BIGINT;
ALTER TABLE businesses ADD COLUMN cashier_cash_out_max BIGINT;
DROP TRIGGER businesses_updated;
CREATE TRIGGER businesses_updated AFTER UPDATE OF id, name, currency, time_zone, cut_off_hour, receipt_header, receipt_footer, created_at, updated_at, version, deleted, open_items,
  cash_unit, receipt_language, receipt_logo_url, tax_class, adds_tax, cashier_discount_max, cashier_refund_max, cashier_cash_out_max ON businesses BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
