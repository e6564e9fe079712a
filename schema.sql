-- Every table of Counterfoil as it is today, for SQLite and PostgreSQL alike.
-- Money and quantities are whole millionths in BIGINT; times are ISO 8601 UTC text with milliseconds, except in stored_sales; booleans are 0 or 1.
-- Keys of business data begin with business_id: an id means nothing outside its business.
-- `version` is the business's head when the row last changed and drives the change feed; `deleted` rows are tombstones.
-- `edits` holds, by field, when it was last edited and what it replaced: fields are last-writer-wins by that time.

-- Facts about this database itself: schema_version, epoch, restored_at, till_synced_at, backed_up_at, backup_disk; in a backup also what it holds, as backup.
CREATE TABLE meta (
  key TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
);

CREATE TABLE users (
  id TEXT NOT NULL PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  disabled_at TEXT,
  created_at TEXT NOT NULL,
  -- Counts the changes of the password: a token of before is none.
  token_version BIGINT NOT NULL DEFAULT 0
);

-- Sessions that were signed out of, by the id in their token, until the token has expired.
CREATE TABLE ended_sessions (
  id TEXT NOT NULL PRIMARY KEY,
  expires_at TEXT NOT NULL
);

-- Sessions in use, by the id that ends them, for the list from which one is ended. They count without being here.
CREATE TABLE sessions (
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL,
  token_version BIGINT NOT NULL,
  kind TEXT NOT NULL,
  agent TEXT NOT NULL,
  created_at TEXT NOT NULL,
  last_seen_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
);

-- Tries to sign in, register or set up that servers of one PostgreSQL count together, by digests of accounts and addresses.
CREATE TABLE attempts (
  id TEXT NOT NULL PRIMARY KEY,
  -- Thousandths of a try, which drain evenly, as of `at_ms`.
  level BIGINT NOT NULL,
  at_ms BIGINT NOT NULL,
  until_ms BIGINT NOT NULL
);
CREATE INDEX attempts_by_end ON attempts (until_ms);

-- Platform administrators: a store of their own, so that no shop user becomes one by a changed column.
CREATE TABLE admins (
  id TEXT NOT NULL PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  password_hash TEXT,
  created_at TEXT NOT NULL
);

-- `id` repeats business_id so that a business is a record in its own feed like any other.
CREATE TABLE businesses (
  business_id TEXT NOT NULL PRIMARY KEY,
  id TEXT NOT NULL,
  -- The newest version. Its row lock makes versions commit in order, so that no reader can skip one.
  head BIGINT NOT NULL DEFAULT 0,
  -- The head that the last verified backup holds; tills keep what they sent beyond it.
  backed_up_to BIGINT NOT NULL DEFAULT 0,
  name TEXT NOT NULL,
  currency TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  -- A sale before this hour belongs to the day before: a bar's night is one day.
  cut_off_hour BIGINT NOT NULL DEFAULT 0,
  receipt_header TEXT,
  receipt_footer TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  edits TEXT NOT NULL DEFAULT '{}',
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  -- Whether a cashier may sell what is no product, by name and price.
  open_items BIGINT NOT NULL DEFAULT 0,
  -- The link of the newest version in the log's hash chain (sync/log/chain.ts); NULL before the first.
  link TEXT,
  -- What cash is rounded to: not all shops of a currency take its smallest coins. NULL is the currency's usual unit.
  cash_unit BIGINT,
  -- NULL is the language of the till: its customers mostly read what its cashier reads.
  receipt_language TEXT,
  receipt_logo_url TEXT,
  -- The tax class of goods that name none; NULL without taxes.
  tax_class TEXT,
  -- 1 where prices are without tax and the till adds it.
  adds_tax BIGINT,
  -- How far each role may go, as a list in JSON; NULL without limits.
  limits TEXT,
  -- After how many minutes without a touch a till asks for a PIN; NULL is never.
  lock_minutes BIGINT,
  -- How the labels of the shop's scales are read, as a list in JSON; NULL without any.
  scale_labels TEXT,
  -- The codes of the journal's accounts in the shop's books, as a list in JSON; NULL without any.
  account_codes TEXT,
  CHECK (id = business_id)
);

CREATE TABLE memberships (
  business_id TEXT NOT NULL REFERENCES businesses (business_id),
  user_id TEXT NOT NULL REFERENCES users (id),
  role TEXT NOT NULL CHECK (role IN ('OWNER', 'MANAGER', 'CASHIER')),
  created_at TEXT NOT NULL,
  PRIMARY KEY (business_id, user_id)
);
CREATE INDEX memberships_by_user ON memberships (user_id, created_at);

-- Members who were removed: what they made before, and a till brings later, is still attributed to them.
CREATE TABLE former_members (
  business_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  left_at TEXT NOT NULL,
  PRIMARY KEY (business_id, user_id)
);

-- What members' PINs are checked against at tills: the public half of an Ed25519 key whose seed scrypt derives from the PIN
-- and the salt. A till has a copy of its shop's. Four digits can be guessed from a copy in minutes, and an approver's six
-- in hours, so it is no secret of its own: a PIN names who sells at a till and opens nothing on the server.
CREATE TABLE staff_keys (
  business_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  salt TEXT NOT NULL,
  public_key TEXT NOT NULL,
  kdf TEXT NOT NULL,
  created_at TEXT NOT NULL,
  digits BIGINT NOT NULL DEFAULT 4,
  PRIMARY KEY (business_id, user_id)
);

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

CREATE TABLE categories (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  sort_order BIGINT NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  edits TEXT NOT NULL DEFAULT '{}',
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  -- NULL is the shop's.
  tax_class TEXT,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX categories_by_version ON categories (business_id, version);

CREATE TABLE products (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  -- The name as it is searched and sorted: one case for every alphabet and no accents, which SQL's own functions do not give.
  search_name TEXT NOT NULL,
  sku TEXT,
  -- NULL is a price that was never given: "not a number", not zero.
  buying_price BIGINT,
  selling_price BIGINT,
  -- The sum of the product's movements, kept up to date in the transaction that adds one.
  quantity BIGINT NOT NULL DEFAULT 0,
  low_stock BIGINT NOT NULL DEFAULT 5000000,
  is_service BIGINT NOT NULL DEFAULT 0,
  is_active BIGINT NOT NULL DEFAULT 1,
  category_id TEXT,
  image_url TEXT,
  thumbnail_url TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  edits TEXT NOT NULL DEFAULT '{}',
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  -- NULL is that of the category, or else of the shop.
  tax_class TEXT,
  -- What its stock is counted in; NULL is pieces.
  unit TEXT,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX products_by_version ON products (business_id, version);
-- All that a search looks at and sorts by, so that a key typed at the till reads none of the products that it doesn't find.
CREATE INDEX products_by_name ON products (business_id, deleted, search_name, is_active, sku, id);
-- A code's normal form: EAN-8, UPC, EAN-13 and GTIN-14 with zeros before them, other codes in small letters (sync/entities/gtin.ts).
CREATE INDEX products_by_key ON products (business_id, (CASE WHEN length(sku) IN (8, 12, 13, 14) AND ltrim(sku, '0123456789') = '' THEN substr('00000000000000' || sku, length(sku) + 1) ELSE lower(sku) END));
-- In the order in which a category is shown: SQLite would look for its few products among all names.
CREATE INDEX products_by_category ON products (business_id, category_id, deleted, search_name);
-- What is at its threshold or below, and only that: few rows, which a sale of anything else never touches. SQLite prefers the
-- index by name, which begins with "deleted", to one that doesn't.
CREATE INDEX products_low ON products (business_id, deleted, quantity)
  WHERE quantity <= low_stock AND is_active = 1 AND is_service = 0 AND deleted = 0;

-- Further codes of products: other barcodes on the same goods, and suppliers' codes.
CREATE TABLE product_codes (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  product_id TEXT NOT NULL,
  code TEXT NOT NULL,
  created_at TEXT NOT NULL,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  -- What is sold when it is scanned; NULL is the product's own unit.
  pack_id TEXT,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX product_codes_by_version ON product_codes (business_id, version);
CREATE INDEX product_codes_by_product ON product_codes (business_id, product_id, id);
CREATE INDEX product_codes_by_key ON product_codes (business_id, (CASE WHEN length(code) IN (8, 12, 13, 14) AND ltrim(code, '0123456789') = '' THEN substr('00000000000000' || code, length(code) + 1) ELSE lower(code) END));

-- A number of a product's units that is sold as one: a carton, a tray.
CREATE TABLE product_packs (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  product_id TEXT NOT NULL,
  name TEXT NOT NULL,
  -- How many of the product's units it holds; it need not be whole.
  size BIGINT NOT NULL,
  -- NULL is that of its units.
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

-- What stands on the label of each product that was printed last; an id is the product's.
CREATE TABLE labels (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  price BIGINT NOT NULL,
  code TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  edits TEXT NOT NULL DEFAULT '{}',
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX labels_by_version ON labels (business_id, version);

-- This database's own number of each shop, which stands for its id in the tables below. It never leaves the database.
CREATE TABLE shops (
  n BIGINT NOT NULL PRIMARY KEY,
  business_id TEXT NOT NULL UNIQUE
);

-- Texts that recur in a shop's sales, each stored once: ids of members, devices and products, payment methods, and names of lines.
CREATE TABLE names (
  shop BIGINT NOT NULL REFERENCES shops (n),
  n BIGINT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (shop, n),
  UNIQUE (shop, text)
) WITHOUT ROWID;

-- Sales as they are stored; they are read by the view `sales`, which spells days and times.
CREATE TABLE stored_sales (
  shop BIGINT NOT NULL REFERENCES shops (n),
  n BIGINT NOT NULL,
  id TEXT NOT NULL,
  total BIGINT NOT NULL,
  cost BIGINT NOT NULL,
  -- NULL is the total.
  paid BIGINT,
  -- The number of a name.
  method BIGINT NOT NULL,
  notes TEXT,
  receipt_number TEXT,
  -- The shop's day, fixed where the sale was made: a report never recomputes it from a changed time zone. Days since 1970-01-01.
  day_number BIGINT NOT NULL,
  -- Numbers of names.
  member BIGINT,
  device BIGINT,
  -- Milliseconds since 1970-01-01, in UTC.
  made_ms BIGINT NOT NULL,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  -- What cash was rounded by, as a part of paid: positive is what the shop forgave, negative what it kept. NULL is none.
  rounding BIGINT,
  -- The sale is its own entry in the log where it spells its mutation: then shape says how (sync/log/log-entry.ts), and what the
  -- sale does not say stands here. A mutation_id of NULL is the sale's id.
  shape BIGINT,
  mutation_id TEXT,
  -- The milliseconds from made_ms to when it came.
  received_after BIGINT,
  link TEXT,
  payment_code TEXT,
  -- 1 where payments say how it was paid. NULL is by this row alone.
  has_payments BIGINT,
  -- The number of a name. NULL is no shift.
  shift BIGINT,
  PRIMARY KEY (shop, n)
) WITHOUT ROWID;
CREATE UNIQUE INDEX sales_by_id ON stored_sales (shop, id);
CREATE UNIQUE INDEX sales_by_mutation ON stored_sales (shop, mutation_id) WHERE mutation_id IS NOT NULL;
CREATE INDEX sales_by_version ON stored_sales (shop, version);
CREATE INDEX sales_by_time ON stored_sales (shop, made_ms);
CREATE INDEX sales_by_day ON stored_sales (shop, day_number);
CREATE INDEX sales_by_code ON stored_sales (shop, payment_code) WHERE payment_code IS NOT NULL;
CREATE INDEX sales_by_shift ON stored_sales (shop, shift) WHERE shift IS NOT NULL;

-- An index knows the numbers only: made_ms, day_number, method and shift are for conditions and orders, the texts for readers. No route
-- writes a tax, which the contract's schema names.
CREATE VIEW sales AS
  SELECT shops.business_id, stored.id, stored.total, stored.cost, coalesce(stored.paid, stored.total) AS paid,
    method.text AS payment_method, stored.notes, 0 AS tax, 0 AS tax_rate, stored.receipt_number,
    date(stored.day_number * 86400, 'unixepoch') AS business_day, member.text AS user_id, device.text AS device_id,
    strftime('%Y-%m-%dT%H:%M:%fZ', stored.made_ms / 1000.0, 'unixepoch') AS created_at, stored.version, stored.deleted,
    stored.rounding, stored.made_ms, stored.day_number, stored.method, stored.payment_code, stored.has_payments,
    turn.text AS shift_id, stored.shift
  FROM shops
  JOIN stored_sales AS stored ON stored.shop = shops.n
  LEFT JOIN names AS method ON method.shop = stored.shop AND method.n = stored.method
  LEFT JOIN names AS member ON member.shop = stored.shop AND member.n = stored.member
  LEFT JOIN names AS device ON device.shop = stored.shop AND device.n = stored.device
  LEFT JOIN names AS turn ON turn.shop = stored.shop AND turn.n = stored.shift;

-- A sale's lines as they are stored. A line's id is its sale's affair: two sales may both call one "1".
CREATE TABLE stored_lines (
  shop BIGINT NOT NULL,
  sale BIGINT NOT NULL,
  position BIGINT NOT NULL,
  -- NULL is the position, counted from 1.
  id TEXT,
  -- The number of a name.
  label BIGINT NOT NULL,
  quantity BIGINT NOT NULL,
  price BIGINT NOT NULL,
  cost BIGINT NOT NULL,
  -- The number of a name.
  product BIGINT,
  -- The unit price before a discount, to show what was given; price is what was charged. NULL is no discount.
  list_price BIGINT,
  -- 1 where a line with a product took nothing from its stock: a service, or more than can be counted. NULL is an ordinary line.
  is_stockless BIGINT,
  PRIMARY KEY (shop, sale, position),
  FOREIGN KEY (shop, sale) REFERENCES stored_sales (shop, n)
) WITHOUT ROWID;
-- What each product was sold by: its sales are a part of its ledger.
CREATE INDEX lines_by_product ON stored_lines (shop, product) WHERE product IS NOT NULL;

-- The tax that a line's price includes, fixed when it was sold. A line without tax has no row here, and is as small as ever.
CREATE TABLE line_taxes (
  shop BIGINT NOT NULL,
  sale BIGINT NOT NULL,
  position BIGINT NOT NULL,
  -- The number of a name.
  class BIGINT NOT NULL,
  -- In millionths of a percent.
  rate BIGINT NOT NULL,
  tax BIGINT NOT NULL,
  PRIMARY KEY (shop, sale, position)
) WITHOUT ROWID;

-- What a line was sold by, fixed then: the product's unit, a pack of so many of them, or both. The quantity and price of a line
-- with a pack are of packs, and stock moves by what they hold. A line in pieces has no row here.
CREATE TABLE line_units (
  shop BIGINT NOT NULL,
  sale BIGINT NOT NULL,
  position BIGINT NOT NULL,
  -- The numbers of names. No unit means pieces.
  unit BIGINT,
  pack BIGINT,
  label BIGINT,
  size BIGINT,
  PRIMARY KEY (shop, sale, position)
) WITHOUT ROWID;

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

-- Voids and refunds: further facts that name a sale, which itself never changes.
CREATE TABLE refunds (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  sale_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('void', 'refund')),
  reason TEXT NOT NULL,
  restock BIGINT NOT NULL,
  total BIGINT NOT NULL,
  cost BIGINT NOT NULL,
  business_day TEXT NOT NULL,
  user_id TEXT,
  device_id TEXT,
  created_at TEXT NOT NULL,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  -- How the money was given back. NULL is by the sale's method.
  payment_method TEXT,
  -- What cash was rounded by, as a part of total: positive is what the shop kept. NULL is none.
  rounding BIGINT,
  -- 1 where payments say how it was given back. NULL is by this row alone.
  has_payments BIGINT,
  shift_id TEXT,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX refunds_by_version ON refunds (business_id, version);
-- With the version, so that one sale's are read in their order without a look at all the others.
CREATE INDEX refunds_by_sale ON refunds (business_id, sale_id, version);
CREATE INDEX refunds_by_day ON refunds (business_id, business_day);
CREATE INDEX refunds_by_shift ON refunds (business_id, shift_id) WHERE shift_id IS NOT NULL;

CREATE TABLE refund_items (
  business_id TEXT NOT NULL,
  refund_id TEXT NOT NULL,
  id TEXT NOT NULL,
  position BIGINT NOT NULL,
  item_id TEXT NOT NULL,
  quantity BIGINT NOT NULL,
  -- The part of the line's tax that went back; NULL without tax.
  tax BIGINT,
  PRIMARY KEY (business_id, refund_id, id),
  FOREIGN KEY (business_id, refund_id) REFERENCES refunds (business_id, id)
) WITHOUT ROWID;

-- The stock movements that no sale's line is: openings, adjustments, and what came back.
-- product_id may name a product that has not arrived (yet): its quantity then starts from these rows.
CREATE TABLE stock_movements (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  product_id TEXT NOT NULL,
  delta BIGINT NOT NULL,
  reason TEXT NOT NULL,
  note TEXT,
  sale_id TEXT,
  item_id TEXT,
  user_id TEXT,
  created_at TEXT NOT NULL,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  -- What a unit cost, of what a delivery brought or took back.
  cost BIGINT,
  delivery_id TEXT,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX stock_movements_by_version ON stock_movements (business_id, version);
-- Each product's grow at their end, in whatever order the tills bring their sales.
CREATE INDEX stock_movements_by_product ON stock_movements (business_id, product_id);
-- What each product cost.
CREATE INDEX stock_movements_costs ON stock_movements (business_id, product_id, created_at, id) WHERE cost IS NOT NULL;

-- The whole stock ledger: a sale's line is its own movement, and is stored once.
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

-- "To sort out": what looked wrong about a sale that was rightly not refused.
CREATE TABLE inbox_items (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  cause TEXT NOT NULL,
  -- NULL where it is about something else.
  sale_id TEXT,
  product_id TEXT,
  quantity BIGINT,
  amount BIGINT,
  device_id TEXT,
  created_at TEXT NOT NULL,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  -- Why it was dismissed; NULL while it is open.
  resolution TEXT,
  -- When and by whom it was last dismissed or reopened.
  decided_at TEXT,
  decided_by TEXT,
  shift_id TEXT,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX inbox_items_by_version ON inbox_items (business_id, version);
-- The few that somebody still has to look at, as they are grouped and counted.
CREATE INDEX inbox_items_open ON inbox_items (business_id, cause, product_id, sale_id, shift_id)
  WHERE resolution IS NULL AND deleted = 0;
CREATE INDEX inbox_items_dismissed ON inbox_items (business_id, decided_at)
  WHERE resolution IS NOT NULL AND deleted = 0;

CREATE TABLE reviews (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  rating BIGINT NOT NULL,
  text TEXT NOT NULL,
  user_id TEXT,
  created_at TEXT NOT NULL,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX reviews_by_version ON reviews (business_id, version);

-- Whom the shop lends to.
CREATE TABLE customers (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  search_name TEXT NOT NULL,
  phone TEXT,
  note TEXT,
  credit_limit BIGINT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  edits TEXT NOT NULL DEFAULT '{}',
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  -- The record that remains of two that were one customer's. It was merged into none.
  merged_into TEXT,
  erased_at TEXT,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX customers_by_version ON customers (business_id, version);
CREATE INDEX customers_by_name ON customers (business_id, search_name);
CREATE INDEX customers_by_account ON customers (business_id, merged_into) WHERE merged_into IS NOT NULL;

-- Classes of goods that bear the same tax; an id is what receipts call the class.
CREATE TABLE taxes (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- A list as JSON: each rate in millionths of a percent, and its first day.
  rates TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  edits TEXT NOT NULL DEFAULT '{}',
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX taxes_by_version ON taxes (business_id, version);

-- Amounts that moved by one method each. A sale that was paid by one method, without a customer, is its own payment.
CREATE TABLE payments (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  fact_id TEXT NOT NULL,
  method TEXT NOT NULL,
  -- What the shop got; with CREDIT, what the customer owes more. Negative is what it gave.
  amount BIGINT NOT NULL,
  code TEXT,
  customer_id TEXT,
  reason TEXT,
  business_day TEXT NOT NULL,
  user_id TEXT,
  device_id TEXT,
  created_at TEXT NOT NULL,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  -- Why cash was put in or taken out.
  category TEXT,
  -- NULL of a sale or refund, which names its shift itself.
  shift_id TEXT,
  layaway_id TEXT,
  supplier_id TEXT,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX payments_by_version ON payments (business_id, version);
-- What no sale or refund tells the day of.
CREATE INDEX payments_by_day ON payments (business_id, business_day) WHERE kind NOT IN ('sale', 'refund');
CREATE INDEX payments_by_fact ON payments (business_id, fact_id);
CREATE INDEX payments_by_customer ON payments (business_id, customer_id, created_at) WHERE customer_id IS NOT NULL;
CREATE INDEX payments_by_code ON payments (business_id, code) WHERE code IS NOT NULL;
CREATE INDEX payments_by_shift ON payments (business_id, shift_id) WHERE shift_id IS NOT NULL;
CREATE INDEX payments_by_layaway ON payments (business_id, layaway_id) WHERE layaway_id IS NOT NULL;
CREATE INDEX payments_by_supplier ON payments (business_id, supplier_id, created_at) WHERE supplier_id IS NOT NULL;

-- Goods kept for customers who pay in parts.
CREATE TABLE layaways (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  customer_id TEXT NOT NULL,
  -- The promised lines as JSON, with amounts in millionths.
  items TEXT NOT NULL,
  total BIGINT NOT NULL,
  due_day TEXT,
  state TEXT NOT NULL,
  business_day TEXT NOT NULL,
  user_id TEXT,
  device_id TEXT,
  created_at TEXT NOT NULL,
  sale_id TEXT,
  ended_at TEXT,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX layaways_by_version ON layaways (business_id, version);
CREATE INDEX layaways_by_customer ON layaways (business_id, customer_id);
CREATE INDEX layaways_open ON layaways (business_id, created_at) WHERE state = 'open' AND deleted = 0;

-- Whom the shop buys from.
CREATE TABLE suppliers (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  search_name TEXT NOT NULL,
  phone TEXT,
  note TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  edits TEXT NOT NULL DEFAULT '{}',
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX suppliers_by_version ON suppliers (business_id, version);
CREATE INDEX suppliers_by_name ON suppliers (business_id, search_name);

-- Goods that a supplier brought, or that went back.
CREATE TABLE deliveries (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  supplier_id TEXT,
  -- What stands on the supplier's paper.
  number TEXT,
  is_return BIGINT NOT NULL,
  -- The lines as JSON, with amounts in millionths.
  items TEXT NOT NULL,
  -- Negative of what went back.
  total BIGINT NOT NULL,
  business_day TEXT NOT NULL,
  user_id TEXT,
  device_id TEXT,
  created_at TEXT NOT NULL,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX deliveries_by_version ON deliveries (business_id, version);
CREATE INDEX deliveries_by_time ON deliveries (business_id, created_at);
CREATE INDEX deliveries_by_day ON deliveries (business_id, business_day);
CREATE INDEX deliveries_by_supplier ON deliveries (business_id, supplier_id, created_at) WHERE supplier_id IS NOT NULL;

-- Times of selling at one drawer, from a float to a count.
CREATE TABLE shifts (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  -- The till whose drawer it is.
  drawer_id TEXT NOT NULL,
  opening_float BIGINT NOT NULL,
  -- NULL while it is open.
  report_id TEXT,
  business_day TEXT NOT NULL,
  user_id TEXT,
  device_id TEXT,
  created_at TEXT NOT NULL,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX shifts_by_version ON shifts (business_id, version);
CREATE INDEX shifts_by_time ON shifts (business_id, created_at);
CREATE INDEX shifts_open ON shifts (business_id, drawer_id, created_at) WHERE report_id IS NULL AND deleted = 0;

-- Counts that ended shifts, as they were made.
CREATE TABLE shift_reports (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  shift_id TEXT NOT NULL,
  -- JSON: what was found of each method.
  counted TEXT NOT NULL,
  -- JSON: the notes and coins.
  pieces TEXT,
  left_in_drawer BIGINT,
  reason TEXT,
  -- JSON: what the facts added up to that it saw, and the names of these facts.
  figures TEXT NOT NULL,
  seen TEXT NOT NULL,
  business_day TEXT NOT NULL,
  user_id TEXT,
  device_id TEXT,
  created_at TEXT NOT NULL,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX shift_reports_by_version ON shift_reports (business_id, version);
CREATE INDEX shift_reports_by_shift ON shift_reports (business_id, shift_id);

-- Counts of stock, made while the shop sells.
CREATE TABLE counts (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  category_id TEXT,
  closed_at TEXT,
  closed_by TEXT,
  user_id TEXT,
  created_at TEXT NOT NULL,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX counts_by_version ON counts (business_id, version);
CREATE INDEX counts_by_time ON counts (business_id, created_at);

-- Looks at a shelf.
CREATE TABLE count_looks (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  count_id TEXT NOT NULL,
  product_id TEXT NOT NULL,
  shelf TEXT,
  -- The stock by the book of that moment, and the part of it that counts had corrected.
  expected BIGINT NOT NULL,
  corrected BIGINT NOT NULL,
  cost BIGINT,
  -- The server's newest version that was known; what the same device had made before was known too.
  seen_version BIGINT NOT NULL,
  counted BIGINT,
  user_id TEXT,
  device_id TEXT,
  created_at TEXT NOT NULL,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX count_looks_by_version ON count_looks (business_id, version);
CREATE INDEX count_looks_by_count ON count_looks (business_id, count_id);

-- What the operator of a payment method says was received, by its statements and messages.
CREATE TABLE statement_lines (
  business_id TEXT NOT NULL,
  -- The method and the code.
  id TEXT NOT NULL,
  method TEXT NOT NULL,
  code TEXT NOT NULL,
  amount BIGINT NOT NULL,
  payer TEXT,
  paid_at TEXT NOT NULL,
  user_id TEXT,
  created_at TEXT NOT NULL,
  version BIGINT NOT NULL,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX statement_lines_by_version ON statement_lines (business_id, version);
CREATE INDEX statement_lines_by_time ON statement_lines (business_id, method, paid_at);

-- What the mutation log holds beside the sales that are their own entries.
CREATE TABLE stored_mutations (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  -- Canonical JSON, as the client sent it: equal text is equal content. Empty where the sale of this version spells it.
  args TEXT NOT NULL,
  args_version BIGINT NOT NULL DEFAULT 1,
  at TEXT NOT NULL,
  received_at TEXT NOT NULL,
  -- The member who made it.
  user_id TEXT,
  device_id TEXT,
  status TEXT NOT NULL CHECK (status IN ('applied', 'rejected')),
  error TEXT,
  version BIGINT,
  -- The member whose session brought it, where that is somebody else.
  carrier_id TEXT,
  -- Of an applied mutation: a hash of the link before it and of this row. NULL on a till, and from before the upgrade to it.
  link TEXT,
  -- What the device said, where that can't be true and "at" is the server's time.
  device_at TEXT,
  -- How its sale's row spells the arguments (sync/entities/sale-args.ts). NULL where they stand here.
  shape BIGINT,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX mutations_by_version ON stored_mutations (business_id, version) WHERE version IS NOT NULL;

-- The mutation log, append-only: the audit trail, and the proof that nothing is done twice. The last two parts are the sales that
-- are their own entries, under a mutation id of their own or under the sale's.
CREATE VIEW mutations AS
  SELECT business_id, id, name, args, args_version, at, received_at, user_id, device_id, status, error, version, carrier_id, link,
    device_at, shape
  FROM stored_mutations
  UNION ALL
  SELECT shops.business_id, sale.mutation_id, 'sale.create', '', 1 + sale.shape / 4096,
    strftime('%Y-%m-%dT%H:%M:%fZ', sale.made_ms / 1000.0, 'unixepoch'),
    strftime('%Y-%m-%dT%H:%M:%fZ', (sale.made_ms + sale.received_after) / 1000.0, 'unixepoch'),
    member.text, device.text, 'applied', NULL, sale.version, NULL, sale.link, NULL, sale.shape
  FROM shops
  JOIN stored_sales AS sale ON sale.shop = shops.n
  LEFT JOIN names AS member ON member.shop = sale.shop AND member.n = sale.member
  LEFT JOIN names AS device ON device.shop = sale.shop AND device.n = sale.device
  WHERE sale.mutation_id IS NOT NULL AND sale.shape IS NOT NULL
  UNION ALL
  SELECT shops.business_id, sale.id, 'sale.create', '', 1 + sale.shape / 4096,
    strftime('%Y-%m-%dT%H:%M:%fZ', sale.made_ms / 1000.0, 'unixepoch'),
    strftime('%Y-%m-%dT%H:%M:%fZ', (sale.made_ms + sale.received_after) / 1000.0, 'unixepoch'),
    member.text, device.text, 'applied', NULL, sale.version, NULL, sale.link, NULL, sale.shape
  FROM shops
  JOIN stored_sales AS sale ON sale.shop = shops.n
  LEFT JOIN names AS member ON member.shop = sale.shop AND member.n = sale.member
  LEFT JOIN names AS device ON device.shop = sale.shop AND device.n = sale.device
  WHERE sale.mutation_id IS NULL AND sale.shape IS NOT NULL;

-- Sums of sales, voids and refunds, so that reports cost the same in the shop's tenth year as in its first week. Facts up to
-- `version` are in them; a reader adds the newer ones, and those that a till has not sent yet. A sum is NUMERIC: many facts,
-- each as large as may be, add up to more than 64 bits.
CREATE TABLE tallies (
  business_id TEXT NOT NULL PRIMARY KEY,
  version BIGINT NOT NULL,
  -- All sales that were ever made.
  sales BIGINT NOT NULL,
  -- The last of the days that tally_products covers.
  window_day TEXT NOT NULL
);

CREATE TABLE tally_days (
  shop BIGINT NOT NULL,
  -- Of a day, of a slot in it, of a payment method, of a tender.
  kind TEXT NOT NULL CHECK (kind IN ('d', 's', 'm', 't')),
  -- Days since 1970-01-01.
  day BIGINT NOT NULL,
  -- What the kind tells apart within a day: nothing, the quarters of an hour since 1970-01-01 in UTC, the number of the method's or tender's name.
  key BIGINT NOT NULL,
  sales BIGINT NOT NULL,
  revenue NUMERIC NOT NULL,
  cost NUMERIC NOT NULL,
  refunded NUMERIC NOT NULL,
  PRIMARY KEY (shop, kind, day, key)
) WITHOUT ROWID;

-- What each product brought in the window of days that ends with tallies.window_day.
CREATE TABLE tally_products (
  business_id TEXT NOT NULL,
  product_id TEXT NOT NULL,
  quantity NUMERIC NOT NULL,
  revenue NUMERIC NOT NULL,
  profit NUMERIC NOT NULL,
  PRIMARY KEY (business_id, product_id)
) WITHOUT ROWID;
CREATE INDEX tally_products_by_revenue ON tally_products (business_id, revenue);
CREATE INDEX tally_products_by_profit ON tally_products (business_id, profit);

-- Sums of the rows' hashes, so that a digest costs the same in the shop's tenth year as in its first week. Block N has the rows
-- that last changed in versions 256 N - 255 to 256 N. The first digest after a block is full sums it (sync/feed/digest-blocks.ts).
-- A group is the sum of 16 blocks, so that few rows are read.
CREATE TABLE digest_blocks (
  business_id TEXT NOT NULL,
  part TEXT NOT NULL CHECK (part IN ('facts', 'records', 'groups')),
  block BIGINT NOT NULL,
  -- What the program that summed it hashes of a row: another one sums it again.
  form TEXT NOT NULL,
  sum TEXT NOT NULL,
  PRIMARY KEY (business_id, part, block)
) WITHOUT ROWID;

-- A sum is deleted as soon as one of its rows changes, by whatever statement. A sale deletes none: it inserts rows, and a digest
-- leaves out what it changes of a product (quantity, updated_at). A till restores whole products after a pending sale: hence WHEN.
CREATE TRIGGER businesses_updated AFTER UPDATE OF id, name, currency, time_zone, cut_off_hour, receipt_header, receipt_footer, created_at, updated_at, version, deleted, open_items,
  cash_unit, receipt_language, receipt_logo_url, tax_class, adds_tax, limits, lock_minutes, scale_labels, account_codes ON businesses BEGIN
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
  created_at, version, deleted, tax_class, unit ON products
  WHEN (OLD.id, OLD.name, OLD.sku, OLD.buying_price, OLD.selling_price, OLD.low_stock, OLD.is_service, OLD.is_active, OLD.category_id,
    OLD.image_url, OLD.thumbnail_url, OLD.created_at, OLD.version, OLD.deleted, OLD.tax_class, OLD.unit)
  IS NOT (NEW.id, NEW.name, NEW.sku, NEW.buying_price, NEW.selling_price, NEW.low_stock, NEW.is_service, NEW.is_active, NEW.category_id,
    NEW.image_url, NEW.thumbnail_url, NEW.created_at, NEW.version, NEW.deleted, NEW.tax_class, NEW.unit) BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER products_deleted AFTER DELETE ON products BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER product_packs_updated AFTER UPDATE ON product_packs BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER product_packs_deleted AFTER DELETE ON product_packs BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER sales_updated AFTER UPDATE OF shop, id, total, cost, paid, method, notes, receipt_number, day_number,
  member, device, made_ms, version, deleted, rounding, payment_code, has_payments, shift ON stored_sales BEGIN
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
CREATE TRIGGER customers_updated AFTER UPDATE ON customers BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER customers_deleted AFTER DELETE ON customers BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER layaways_updated AFTER UPDATE ON layaways BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER layaways_deleted AFTER DELETE ON layaways BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER payments_updated AFTER UPDATE ON payments BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER payments_deleted AFTER DELETE ON payments BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER shifts_updated AFTER UPDATE ON shifts BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER shifts_deleted AFTER DELETE ON shifts BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER shift_reports_updated AFTER UPDATE ON shift_reports BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER shift_reports_deleted AFTER DELETE ON shift_reports BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER statement_lines_updated AFTER UPDATE ON statement_lines BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER statement_lines_deleted AFTER DELETE ON statement_lines BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER counts_updated AFTER UPDATE ON counts BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER counts_deleted AFTER DELETE ON counts BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER count_looks_updated AFTER UPDATE ON count_looks BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER count_looks_deleted AFTER DELETE ON count_looks BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER suppliers_updated AFTER UPDATE ON suppliers BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER suppliers_deleted AFTER DELETE ON suppliers BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER deliveries_updated AFTER UPDATE ON deliveries BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER deliveries_deleted AFTER DELETE ON deliveries BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'facts' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER taxes_updated AFTER UPDATE ON taxes BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER taxes_deleted AFTER DELETE ON taxes BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER product_codes_updated AFTER UPDATE ON product_codes BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER product_codes_deleted AFTER DELETE ON product_codes BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
    OR part = 'groups' AND block = (OLD.version + 4095) / 4096);
END;
CREATE TRIGGER labels_updated AFTER UPDATE ON labels BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block IN ((OLD.version + 255) / 256, (NEW.version + 255) / 256)
    OR part = 'groups' AND block IN ((OLD.version + 4095) / 4096, (NEW.version + 4095) / 4096));
END;
CREATE TRIGGER labels_deleted AFTER DELETE ON labels BEGIN
  DELETE FROM digest_blocks WHERE business_id = OLD.business_id AND (part = 'records' AND block = (OLD.version + 255) / 256
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

-- What the server knows of each till: its receipt prefix, and how far its numbered mutations have come.
CREATE TABLE devices (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  prefix TEXT NOT NULL,
  last_number BIGINT NOT NULL DEFAULT 0,
  last_mutation_id TEXT,
  last_receipt BIGINT NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  last_seen_at TEXT NOT NULL,
  -- How far it had counted its mutations when it last brought some, and when that was: later numbers were made after it.
  counted BIGINT NOT NULL DEFAULT 0,
  counted_at TEXT,
  -- Its program's version, and the version up to which it had the feed when it was last seen, with the answer.
  program TEXT,
  reached BIGINT,
  PRIMARY KEY (business_id, id),
  UNIQUE (business_id, prefix)
);

CREATE TABLE notifications (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id),
  type TEXT NOT NULL,
  channel TEXT NOT NULL,
  title TEXT NOT NULL,
  message TEXT NOT NULL,
  data TEXT,
  read BIGINT NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  deleted_at TEXT,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX notifications_by_user ON notifications (business_id, user_id, created_at);

CREATE TABLE notification_preferences (
  business_id TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id),
  type TEXT NOT NULL,
  enabled BIGINT NOT NULL,
  PRIMARY KEY (business_id, user_id, type)
);

-- Keys of the AI gateway's callers. Of the key itself only a digest is kept: 32 random bytes need no slow one.
CREATE TABLE api_keys (
  business_id TEXT NOT NULL REFERENCES businesses (business_id),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  key_hash TEXT NOT NULL UNIQUE,
  -- The key's first letters, by which its owner tells it from others.
  hint TEXT NOT NULL,
  user_id TEXT,
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  revoked_at TEXT,
  PRIMARY KEY (business_id, id)
);

-- Who may use the AI gateway for a business. NULL is the default, which the code has; `allowed` is the operator's to set,
-- the rest the owner's.
CREATE TABLE ai_access (
  business_id TEXT NOT NULL PRIMARY KEY REFERENCES businesses (business_id),
  allowed BIGINT,
  least_role TEXT CHECK (least_role IN ('OWNER', 'MANAGER', 'CASHIER')),
  keeps_responses BIGINT,
  -- Where answers of queued requests may go, as JSON; the owner's.
  delivery TEXT
);

-- The ledger of the AI gateway: what each account of a business may spend in a month, and how often it may ask. The account
-- is `business` for everything (the operator's limits), `app` for all calls with app tokens (its rate is each member's), a
-- member's user id for his calls with app tokens, or a key's id. NULL is no limit, except for `app`, whose defaults the code
-- has, and for a member's rate, which is then the app's.
CREATE TABLE ai_limits (
  business_id TEXT NOT NULL REFERENCES businesses (business_id),
  account TEXT NOT NULL,
  -- In billionths of a USD, a month of the shop's.
  monthly_budget BIGINT,
  requests_per_minute BIGINT,
  PRIMARY KEY (business_id, account)
);

-- What an account spent in a month, and what is reserved for calls: a budget counts both.
CREATE TABLE ai_months (
  business_id TEXT NOT NULL,
  account TEXT NOT NULL,
  month TEXT NOT NULL,
  spent BIGINT NOT NULL,
  reserved BIGINT NOT NULL,
  PRIMARY KEY (business_id, account, month)
);

-- Every call of the AI gateway that ended. Costs are in billionths of a USD. A `running` row is a lease: what a server has
-- reserved for the calls of a key or a member; it becomes `interrupted` if that server dies.
CREATE TABLE ai_calls (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  -- NULL for a call with an app's token or from the web app.
  key_id TEXT,
  user_id TEXT,
  day TEXT NOT NULL,
  at TEXT NOT NULL,
  asked_model TEXT NOT NULL,
  model TEXT,
  route TEXT NOT NULL,
  cache TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'ok', 'failed', 'cancelled', 'interrupted')),
  error TEXT,
  attempts BIGINT NOT NULL,
  prompt_tokens BIGINT NOT NULL,
  cached_tokens BIGINT NOT NULL,
  completion_tokens BIGINT NOT NULL,
  cost BIGINT NOT NULL,
  first_token_ms BIGINT,
  duration_ms BIGINT NOT NULL,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX ai_calls_by_day ON ai_calls (business_id, day, id);
CREATE INDEX ai_calls_running ON ai_calls (business_id, at) WHERE status = 'running';

-- Answers that may be given again, of one business and never to another.
CREATE TABLE ai_answers (
  business_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  answer TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (business_id, hash)
);
CREATE INDEX ai_answers_by_age ON ai_answers (business_id, created_at);

-- Responses of the AI gateway that later requests refer to, with what was asked, for a day; only where the owner wants that.
CREATE TABLE ai_responses (
  business_id TEXT NOT NULL REFERENCES businesses (business_id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  payer TEXT NOT NULL,
  stored TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX ai_responses_by_end ON ai_responses (expires_at);

-- Requests of the AI gateway that are answered when they can be, and their answers until they expire.
CREATE TABLE ai_queue (
  business_id TEXT NOT NULL REFERENCES businesses (business_id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  -- The id of the key or the member that asked and pays, as in `ai_limits`.
  account TEXT NOT NULL,
  path TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  -- The client's Idempotency-Key.
  repeat_key TEXT,
  options TEXT NOT NULL,
  -- Of the request, and then of the answer.
  bytes BIGINT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  -- When it is run or delivered next, or when the claim of the server that does it ends. NULL: nothing is left to do.
  due_at TEXT,
  claim TEXT,
  tries BIGINT NOT NULL,
  waits_for TEXT,
  error TEXT,
  deliver_to TEXT,
  delivered_at TEXT,
  answered_at TEXT,
  -- NULL once it is answered.
  body TEXT,
  answer TEXT,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX ai_queue_due ON ai_queue (due_at) WHERE due_at IS NOT NULL;
CREATE UNIQUE INDEX ai_queue_by_repeat_key ON ai_queue (business_id, account, repeat_key);

-- The tables below are used on a replica only.

-- One row: who this till is and how far it has come.
CREATE TABLE replica (
  business_id TEXT NOT NULL PRIMARY KEY,
  device_id TEXT NOT NULL,
  prefix TEXT,
  last_number BIGINT NOT NULL DEFAULT 0,
  last_receipt BIGINT NOT NULL DEFAULT 0,
  epoch TEXT,
  cursor_version BIGINT NOT NULL DEFAULT 0,
  -- 1 while a fresh snapshot comes in after the server's history changed; old rows are swept at its end.
  resetting BIGINT NOT NULL DEFAULT 0,
  paused TEXT,
  clock_offset_ms BIGINT NOT NULL DEFAULT 0,
  last_sync_at TEXT,
  -- What the program that filled it reads of the feed; one that reads something else begins the feed again.
  feed_form TEXT,
  -- What the cursor carries of its version's link.
  cursor_proof TEXT NOT NULL DEFAULT '',
  -- How far a server that forgot some of this device's mutations still knew them; those kept are being offered again.
  resumes_after BIGINT,
  -- The cursor of the snapshot that the till joined by, until it holds the whole history, and how many of its parts are here.
  snapshot TEXT,
  snapshot_parts BIGINT NOT NULL DEFAULT 0,
  -- Facts up to this version are still to come, because the newest came first. NULL is none.
  history_version BIGINT,
  -- When rows that differed from the server's were last put right, and how many.
  healed_at TEXT,
  healed_rows BIGINT,
  -- The till's window: older sales, up to this version, are here only where something still needs them. 0 is all of them.
  window_version BIGINT NOT NULL DEFAULT 0,
  -- The first business day of which every sale and refund is here. NULL is all days.
  window_day TEXT,
  -- The first day for which the till last asked for older sales. NULL once rows were put right: one that needs them may have been missing.
  window_asked TEXT
);

-- What sales that a till with a window doesn't hold have moved of each product: a part of its ledger.
CREATE TABLE older_stock (
  business_id TEXT NOT NULL,
  product_id TEXT NOT NULL,
  delta BIGINT NOT NULL,
  PRIMARY KEY (business_id, product_id)
);

-- The replica's own mutations that the server has not answered, or whose answer must outlive the server's next backup.
CREATE TABLE outbox (
  business_id TEXT NOT NULL,
  position BIGINT NOT NULL,
  mutation_id TEXT NOT NULL,
  -- NULL for one that is offered again after a restore: it was numbered once already.
  number BIGINT,
  state TEXT NOT NULL CHECK (state IN ('pending', 'acknowledged', 'rejected', 'discarded')),
  server_version BIGINT,
  error TEXT,
  answered_at TEXT,
  -- Shows that its maker made it, whoever is signed in when it is sent.
  proof TEXT,
  PRIMARY KEY (business_id, position),
  UNIQUE (business_id, mutation_id)
);
CREATE INDEX outbox_by_state ON outbox (business_id, state, position);
-- What the server has applied and the till not pulled yet: a few of all that it has acknowledged.
CREATE INDEX outbox_by_version ON outbox (business_id, server_version) WHERE state = 'acknowledged';

-- The server's truth of each row that a pending mutation has touched; `data` is NULL where the server has no such row.
CREATE TABLE base_rows (
  business_id TEXT NOT NULL,
  entity TEXT NOT NULL,
  id TEXT NOT NULL,
  data TEXT,
  PRIMARY KEY (business_id, entity, id)
);

-- The sales in the making at this computer, a shop by itself or a replica, as JSON: each window keeps its own under its own id, and the held ones are
-- everybody's. They never travel.
CREATE TABLE carts (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  content TEXT NOT NULL,
  held_at TEXT,
  PRIMARY KEY (business_id, id)
);

-- Wrong PINs in a row at this computer, by the person whose PIN was typed. They never travel.
CREATE TABLE pin_attempts (
  business_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  -- Counted before the PIN is checked, and forgotten once it was right.
  failures BIGINT NOT NULL,
  locked_until TEXT,
  PRIMARY KEY (business_id, user_id)
);
