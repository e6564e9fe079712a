-- How far each role may go, as a list in JSON, in place of a column for each of a cashier's limits.
ALTER TABLE businesses ADD COLUMN limits TEXT;
ALTER TABLE businesses ADD COLUMN lock_minutes BIGINT;
DROP TRIGGER businesses_updated;
UPDATE businesses SET limits = '[{"role":"CASHIER"' || coalesce(',"discountMax":' || cashier_discount_max, '')
    || coalesce(',"refundMax":' || cashier_refund_max || ',"voidMax":' || cashier_refund_max, '') || coalesce(',"cashOutMax":' || cashier_cash_out_max, '') || '}]'
  WHERE coalesce(cashier_discount_max, cashier_refund_max, cashier_cash_out_max) IS NOT NULL;
ALTER TABLE businesses DROP COLUMN cashier_discount_max;
ALTER TABLE businesses DROP COLUMN cashier_refund_max;
ALTER TABLE businesses DROP COLUMN cashier_cash_out_max;
CREATE TRIGGER businesses_updated AFTER UPDATE OF id, name, currency, time_zone, cut_off_hour, receipt_header, receipt_footer, created_at, updated_at, version, deleted, open_items,
  cash_unit, receipt_language, receipt_logo_url, tax_class, adds_tax, limits, lock_minutes ON businesses BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
DELETE FROM digest_blocks;

-- A PIN has four digits, or six if it approves what others do.
ALTER TABLE staff_keys ADD COLUMN digits BIGINT NOT NULL DEFAULT 4;

-- Keys of PINs that were changed or taken away: what they approved before can still be checked.
CREATE TABLE former_staff_keys (
  business_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  salt TEXT NOT NULL,
  public_key TEXT NOT NULL,
  kdf TEXT NOT NULL,
  created_at TEXT NOT NULL,
  retired_at TEXT NOT NULL,
  PRIMARY KEY (business_id, user_id, public_key)
);
