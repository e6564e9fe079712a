-- The codes of the journal's accounts in the shop's books, as a list in JSON; NULL without any.
ALTER TABLE businesses ADD COLUMN account_codes TEXT;
DROP TRIGGER businesses_updated;
CREATE TRIGGER businesses_updated AFTER UPDATE OF id, name, currency, time_zone, cut_off_hour, receipt_header, receipt_footer, created_at, updated_at, version, deleted, open_items,
  cash_unit, receipt_language, receipt_logo_url, tax_class, adds_tax, limits, lock_minutes, scale_labels, account_codes ON businesses BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
