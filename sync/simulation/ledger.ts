import { readBalances } from "../entities/customer-account.ts";
import type { Connection } from "../store/store.ts";
import type { World } from "./world.ts";

/** The simulator's packs hold whole numbers of units. */
const units = (quantity: string) =>
	`${quantity} * coalesce(i.pack_size / 1000000, 1)`;

/** Invariants 2 and 4, computed independently. Each query finds violations. */
const ledgerRules: Record<string, string> = {
	"a quantity is not the sum of its movements": `SELECT id FROM products WHERE business_id = ? AND quantity <> coalesce((
      SELECT sum(delta) FROM stock_ledger m WHERE m.business_id = products.business_id AND product_id = products.id), 0)`,
	"a line did not move its stock once": `SELECT i.sale_id, i.id FROM sale_items i LEFT JOIN stock_ledger m
      ON m.business_id = i.business_id AND m.sale_id = i.sale_id AND m.item_id = i.id AND m.reason = 'sale'
      WHERE i.business_id = ? AND i.product_id IS NOT NULL
      GROUP BY i.business_id, i.sale_id, i.id, i.quantity, i.pack_size HAVING count(m.id) <> 1 OR sum(m.delta) <> -(${units("i.quantity")})`,
	"a sale's movement is stored beside its line": `SELECT id FROM stock_movements WHERE business_id = ? AND reason = 'sale'`,
	"stock came back as it should not": `SELECT b.sale_id, b.item_id FROM (
        SELECT r.business_id, r.sale_id, ri.item_id, sum(${units("ri.quantity")}) AS quantity FROM refunds r
        JOIN refund_items ri ON ri.business_id = r.business_id AND ri.refund_id = r.id
        JOIN sale_items i ON i.business_id = r.business_id AND i.sale_id = r.sale_id AND i.id = ri.item_id
        WHERE r.restock = 1 AND i.product_id IS NOT NULL GROUP BY r.business_id, r.sale_id, ri.item_id) b
      LEFT JOIN stock_movements m ON m.business_id = b.business_id AND m.sale_id = b.sale_id
        AND m.item_id = b.item_id AND m.reason <> 'sale'
      WHERE b.business_id = ? GROUP BY b.sale_id, b.item_id, b.quantity HAVING coalesce(sum(m.delta), 0) <> b.quantity`,
	"more was taken back than was sold": `SELECT i.sale_id, i.id FROM refunds r
      JOIN refund_items ri ON ri.business_id = r.business_id AND ri.refund_id = r.id
      JOIN sale_items i ON i.business_id = r.business_id AND i.sale_id = r.sale_id AND i.id = ri.item_id
      WHERE r.business_id = ? GROUP BY i.business_id, i.sale_id, i.id, i.quantity HAVING sum(ri.quantity) > i.quantity`,
	"a sale's payments are not what was due": `SELECT s.id FROM sales s LEFT JOIN payments p ON p.business_id = s.business_id AND p.fact_id = s.id AND p.kind = 'sale'
      WHERE s.business_id = ? AND s.has_payments = 1 GROUP BY s.business_id, s.id, s.total, s.paid, s.rounding
      HAVING coalesce(sum(p.amount), 0) <> CASE WHEN s.paid < s.total THEN s.paid ELSE s.total END - coalesce(s.rounding, 0)`,
	"a refund's payments are not what was given back": `SELECT r.id FROM refunds r LEFT JOIN payments p ON p.business_id = r.business_id AND p.fact_id = r.id AND p.kind = 'refund'
      WHERE r.business_id = ? AND r.has_payments = 1 GROUP BY r.business_id, r.id, r.total, r.rounding
      HAVING coalesce(sum(p.amount), 0) <> coalesce(r.rounding, 0) - r.total`,
	"payments beside a fact that tells its own": `SELECT p.id FROM payments p JOIN sales s ON s.business_id = p.business_id AND s.id = p.fact_id
      WHERE p.business_id = ? AND p.kind = 'sale' AND s.has_payments IS NULL`,
	"a collected debt is not what was paid": `SELECT fact_id FROM payments WHERE business_id = ? AND kind = 'collection' GROUP BY fact_id HAVING sum(amount) <> 0`,
	"a merged customer's account is not another's own": `SELECT c.id FROM customers c LEFT JOIN customers a ON a.business_id = c.business_id AND a.id = c.merged_into
      WHERE c.business_id = ? AND c.merged_into IS NOT NULL AND (a.id IS NULL OR a.merged_into IS NOT NULL OR c.deleted = 1)`,
	"erased data is still there": `SELECT id FROM customers WHERE business_id = ? AND deleted = 0 AND erased_at IS NOT NULL AND (name <> '—' OR phone IS NOT NULL OR note IS NOT NULL)`,
	"a line's tax is not the part of its price": `SELECT sale_id, id FROM (
        SELECT business_id, sale_id, id, tax, tax_rate, price / 1000000 * quantity AS gross FROM sale_items) AS line
      WHERE business_id = ? AND tax_rate IS NOT NULL
        AND tax <> (2 * gross * tax_rate + (100000000 + tax_rate) * 10000) / (2 * (100000000 + tax_rate) * 10000) * 10000`,
	"refunds took back more tax than a line had, or all of it without its tax": `SELECT i.sale_id, i.id FROM refunds r
      JOIN refund_items ri ON ri.business_id = r.business_id AND ri.refund_id = r.id
      JOIN sale_items i ON i.business_id = r.business_id AND i.sale_id = r.sale_id AND i.id = ri.item_id
      WHERE r.business_id = ? GROUP BY i.business_id, i.sale_id, i.id, i.quantity, i.tax
      HAVING count(ri.tax) <> CASE WHEN i.tax IS NULL THEN 0 ELSE count(*) END OR sum(ri.tax) > i.tax
        OR sum(ri.quantity) = i.quantity AND sum(ri.tax) <> i.tax`,
	"a total is not the sum of its lines": `SELECT s.id FROM sales s JOIN sale_items i
      ON i.business_id = s.business_id AND i.sale_id = s.id
      WHERE s.business_id = ? GROUP BY s.business_id, s.id, s.total, s.cost HAVING s.total <> sum(i.price / 1000000 * i.quantity)
        OR s.cost <> sum(i.cost / 1000000 * i.quantity)`,
};

export async function judgeLedger(
	world: World,
	tx: Connection,
	businessId: string,
): Promise<void> {
	for (const [rule, sql] of Object.entries(ledgerRules)) {
		const [off] = await tx.all(sql, businessId);
		if (off) world.witness.fail(rule, JSON.stringify(off));
	}
	await judgeDeliveries(world, tx, businessId);
	await judgeCodes(world, tx, businessId);
	const twice = await tx.all(
		"SELECT receipt_number FROM sales WHERE business_id = ? AND receipt_number IS NOT NULL GROUP BY receipt_number HAVING count(*) > 1",
		businessId,
	);
	const wrong = twice
		.map((row) => String(row.receipt_number))
		.find((number) => {
			const [prefix = ""] = number.split("-");
			return !world.twins.has(`${businessId} ${prefix}`);
		});
	if (wrong) world.witness.fail("two receipts have the same number", wrong);
}

/** A code that names payments of several sales and collections is reported for each but the first. */
async function judgeCodes(
	{ witness }: World,
	tx: Connection,
	businessId: string,
): Promise<void> {
	const row = await tx.get(
		`SELECT count(*) - count(DISTINCT code) AS reused,
       (SELECT count(*) FROM inbox_items WHERE business_id = ? AND cause = 'code_reused') AS reported
     FROM (SELECT payment_code AS code, id AS fact FROM sales WHERE business_id = ? AND payment_code IS NOT NULL
       UNION SELECT code, fact_id FROM payments WHERE business_id = ? AND code IS NOT NULL AND kind IN ('sale', 'collection')) AS named`,
		...[businessId, businessId, businessId],
	);
	const { reused, reported } = row as { reused: number; reported: number };
	witness.count("code reused", Number(reused));
	if (Number(reported) < Number(reused))
		witness.fail("one code pays twice, and no report says so", `${reused}`);
}

/** Each delivery is one movement under its own id, with its quantity. */
async function judgeDeliveries(
	{ witness }: World,
	tx: Connection,
	businessId: string,
): Promise<void> {
	const adjusted = await tx.all(
		"SELECT args FROM mutations WHERE business_id = ? AND name = 'stock.adjust' AND status = 'applied'",
		businessId,
	);
	const moved = await tx.all(
		"SELECT id, delta FROM stock_movements WHERE business_id = ?",
		businessId,
	);
	const deltaById = new Map(moved.map(({ id, delta }) => [id, delta]));
	for (const { args } of adjusted) {
		const { id, delta } = JSON.parse(args as string);
		if (deltaById.get(id) !== delta * 1e6)
			witness.fail("a delivery did not move its stock once", `${id}`);
	}
}

/** What a merge said holds, whatever came before and after; the balances of accounts add up to what was lent and given. */
export async function judgeMerges(
	{ witness }: World,
	tx: Connection,
	businessId: string,
): Promise<void> {
	const rows = await tx.all(
		"SELECT id, merged_into FROM customers WHERE business_id = ?",
		businessId,
	);
	const accounts = new Map(
		rows.map((row) => [row.id, row.merged_into ?? row.id]),
	);
	const merges = await tx.all(
		"SELECT args FROM mutations WHERE business_id = ? AND name = 'customer.merge' AND status = 'applied'",
		businessId,
	);
	for (const { args } of merges) {
		const { fromId, intoId } = JSON.parse(args as string);
		if (accounts.get(fromId) !== accounts.get(intoId))
			witness.fail("a merge does not hold", `${fromId} into ${intoId}`);
	}
	const ids = [...new Set(accounts.values())].map(String);
	const balances = await readBalances(tx, businessId, ids);
	const lent = await tx.get(
		`SELECT coalesce(sum(amount), 0) AS sum FROM payments WHERE business_id = ? AND method = 'CREDIT'
       AND customer_id IN (SELECT id FROM customers WHERE business_id = payments.business_id)`,
		businessId,
	);
	const sum = [...balances.values()].reduce((sum, one) => sum + one, 0);
	if (sum !== Number(lent?.sum))
		witness.fail("balances are not what was lent and given", `${sum}`);
}

/** Applied mutations have distinct versions without gaps up to the head. */
export async function judgeLog(
	{ witness }: World,
	tx: Connection,
	businessId: string,
): Promise<void> {
	const row = await tx.get(
		`SELECT head, (SELECT count(DISTINCT version) FROM mutations WHERE business_id = ? AND status = 'applied') AS versions,
       (SELECT max(version) FROM mutations WHERE business_id = ?) AS last,
       (SELECT min(version) FROM mutations WHERE business_id = ?) AS first,
       (SELECT count(*) FROM mutations WHERE business_id = ? AND status = 'applied') AS applied
     FROM businesses WHERE business_id = ?`,
		...Array.from({ length: 5 }, () => businessId),
	);
	const { head, versions, applied, first, last } = row as Record<
		string,
		number
	>;
	const isDense =
		applied === versions &&
		last === head &&
		(head as number) - (first as number) + 1 === versions;
	if (!isDense)
		witness.fail(
			"versions are not dense",
			`${businessId} ${JSON.stringify(row)}`,
		);
}

/** After a count, the stock is the counted level plus the movements since the person looked. */
export async function judgeCounts(
	{ witness }: World,
	tx: Connection,
	businessId: string,
): Promise<void> {
	for (const count of witness.stockCounts) {
		if (count.businessId !== businessId) continue;
		const row = await tx.get(
			`SELECT coalesce(sum(m.delta), 0) AS moved FROM mutations AS c LEFT JOIN stock_movements AS m
         ON m.business_id = c.business_id AND m.version = c.version AND m.product_id = ? AND m.reason = 'adjustment'
       WHERE c.business_id = ? AND c.id = ? AND c.status = 'applied' GROUP BY c.id`,
			count.productId,
			businessId,
			count.mutationId,
		);
		const { seen, counted } = count;
		if (row && Number(row.moved) !== counted - seen)
			witness.fail(
				"a count of stock is not what was counted",
				`${JSON.stringify(count)}: ${row.moved}`,
			);
	}
}

/** A field has the value that was set last, by the edits' moments. */
export async function judgeEdits(
	{ witness }: World,
	tx: Connection,
	businessId: string,
): Promise<void> {
	const edits = await tx.all(
		"SELECT args, at FROM mutations WHERE business_id = ? AND name = 'product.update' AND status = 'applied' ORDER BY at, version",
		businessId,
	);
	const last = new Map<string, unknown>();
	for (const { args } of edits) {
		const { id, set } = JSON.parse(args as string);
		for (const field of ["name", "sellingPrice"])
			if (set[field] !== undefined) last.set(`${id} ${field}`, set[field]);
	}
	const products = await tx.all(
		"SELECT id, name, selling_price FROM products WHERE business_id = ?",
		businessId,
	);
	for (const { id, name, selling_price: price } of products) {
		const expected = [last.get(`${id} name`), last.get(`${id} sellingPrice`)];
		const actual = [name, Number(price) / 1e6];
		expected.forEach((value, i) => {
			if (value !== undefined && value !== actual[i])
				witness.fail(
					"an older edit has won",
					`${businessId} ${id}: ${actual[i]} in place of ${value}`,
				);
		});
	}
}
