import { cashMove, drawerOpen } from "../entities/cash.ts";
import { cartRemove } from "../entities/removal.ts";
import { tagOf, tagsOf } from "../entities/seen.ts";
import { shiftClose, shiftOpen } from "../entities/shift.ts";
import { newId } from "../protocol/ids.ts";
import type { Connection } from "../store/store.ts";
import { type Act, pickTill } from "./pick-till.ts";
import { canaryOf } from "./witness.ts";
import type { World } from "./world.ts";

/** Opens a shift, puts cash in or takes some out, opens the drawer, or counts one: mostly this till's, sometimes another's. */
export const worksDrawer: Act = async (world, random) => {
	const till = pickTill(world, random);
	if (!till) return;
	const { businessId, caller, machine, replica } = till;
	const id = newId(machine.env);
	const kind = random.next();
	const amount = 1 + random.below(500);
	const reason = `Charcoal ${canaryOf(businessId)}`;
	await world.attempt(async () => {
		const open = await machine.store.read((tx) =>
			tx.all(
				"SELECT id FROM shifts WHERE business_id = ? AND report_id IS NULL ORDER BY created_at DESC, id LIMIT 3",
				businessId,
			),
		);
		if (kind < 0.3 || open.length === 0)
			await replica.mutate(caller, shiftOpen, { id, openingFloat: amount });
		else if (kind < 0.55) {
			const moved = { amount: amount - 300.5, category: "expense" } as const;
			await replica.mutate(caller, cashMove, { id, ...moved, reason });
		} else if (kind < 0.6)
			await replica.mutate(caller, drawerOpen, { id, reason });
		else if (kind < 0.65)
			await replica.mutate(caller, cartRemove, { id, reason });
		else {
			const shiftId = random.pick(open).id as string;
			const counted = [{ method: "CASH", amount }];
			const args = { id, shiftId, counted, reason };
			await replica.mutate(caller, shiftClose, args);
			const made = await readReports(machine.store, businessId);
			const text = made.get(id);
			if (text !== undefined)
				world.witness.reports.set(`${businessId} ${id}`, text);
		}
	});
};

/** What each report says, by its id. */
async function readReports(
	store: World["server"]["machine"]["store"],
	businessId: string,
): Promise<Map<string, string>> {
	const rows = await store.read((tx) =>
		tx.all(
			"SELECT id, shift_id, counted, figures, seen FROM shift_reports WHERE business_id = ?",
			businessId,
		),
	);
	return new Map(
		rows.map(({ id, ...said }) => [id as string, JSON.stringify(said)]),
	);
}

/** Cash by fact, counted by SQL that the reports do not use. */
const cashSql = `
  SELECT id AS fact, shift_id, CASE WHEN payment_method = 'CASH'
      THEN CASE WHEN paid < total THEN paid ELSE total END - coalesce(rounding, 0)
      WHEN paid > total THEN total - paid ELSE 0 END AS cash
    FROM sales WHERE business_id = ? AND shift_id IS NOT NULL AND has_payments IS NULL
  UNION ALL
  SELECT sales.id, sales.shift_id, CASE WHEN payments.method = 'CASH' THEN payments.amount ELSE 0 END FROM sales
    LEFT JOIN payments ON payments.business_id = sales.business_id AND fact_id = sales.id AND kind = 'sale'
    WHERE sales.business_id = ? AND sales.shift_id IS NOT NULL AND has_payments = 1
  UNION ALL
  SELECT refunds.id, refunds.shift_id, CASE WHEN coalesce(refunds.payment_method, sales.payment_method) = 'CASH'
      THEN coalesce(refunds.rounding, 0) - refunds.total ELSE 0 END FROM refunds
    JOIN sales ON sales.business_id = refunds.business_id AND sales.id = sale_id
    WHERE refunds.business_id = ? AND refunds.shift_id IS NOT NULL AND refunds.has_payments IS NULL
  UNION ALL
  SELECT refunds.id, refunds.shift_id, CASE WHEN payments.method = 'CASH' THEN payments.amount ELSE 0 END FROM refunds
    LEFT JOIN payments ON payments.business_id = refunds.business_id AND fact_id = refunds.id AND payments.kind = 'refund'
    WHERE refunds.business_id = ? AND refunds.shift_id IS NOT NULL AND refunds.has_payments = 1
  UNION ALL
  SELECT fact_id, shift_id, CASE WHEN payments.method = 'CASH' THEN payments.amount ELSE 0 END FROM payments
    WHERE business_id = ? AND shift_id IS NOT NULL`;

/** A drawer's cash by fact, in millionths, for each shift. */
async function readCash(
	tx: Connection,
	businessId: string,
): Promise<Map<unknown, Map<string, number>>> {
	const rows = await tx.all(
		cashSql,
		...Array.from({ length: 5 }, () => businessId),
	);
	const byShift = new Map<unknown, Map<string, number>>();
	for (const { fact, shift_id, cash } of rows) {
		const facts = byShift.get(shift_id) ?? new Map<string, number>();
		byShift.set(shift_id, facts);
		const id = fact as string;
		facts.set(id, (facts.get(id) ?? 0) + Number(cash));
	}
	return byShift;
}

/** Reports are as they were made, add up, and what they leave out was reported. */
export async function judgeDrawers(
	{ witness }: World,
	tx: Connection,
	businessId: string,
): Promise<void> {
	const reports = await tx.all(
		`SELECT r.id, r.shift_id, r.counted, r.figures, r.seen, s.report_id FROM shift_reports AS r
     JOIN shifts AS s ON s.business_id = r.business_id AND s.id = r.shift_id WHERE r.business_id = ?`,
		businessId,
	);
	const items = await tx.all(
		"SELECT DISTINCT cause, shift_id FROM inbox_items WHERE business_id = ? AND shift_id IS NOT NULL",
		businessId,
	);
	const found = new Set(
		items.map(({ cause, shift_id }) => `${cause} ${shift_id}`),
	);
	const cash = await readCash(tx, businessId);
	for (const { id, report_id, ...said } of reports) {
		const made = witness.reports.get(`${businessId} ${id}`);
		if (made !== undefined && made !== JSON.stringify(said))
			witness.fail("a report has changed", `${id}`);
		const facts = cash.get(said.shift_id) ?? new Map<string, number>();
		const tags = tagsOf(said.seen as string);
		const seen = [...facts].filter(([fact]) => tags.has(tagOf(fact)));
		const sum = seen.reduce((sum, [, amount]) => sum + amount, 0);
		const { methods } = JSON.parse(said.figures as string);
		const line = methods.find(
			({ method }: { method: string }) => method === "CASH",
		);
		const figure = line
			? line.sold - line.givenBack + line.collected + line.moved
			: 0;
		const isOff =
			seen.length === tags.size && Math.abs(figure - sum / 1e6) > 1e-7;
		// A till may have counted damaged rows.
		if (isOff && !found.has(`figures_differ ${said.shift_id}`))
			witness.fail("a report does not add up", `${id}: ${figure}, ${sum}`);
		const isLate = report_id === id && facts.size > seen.length;
		if (isLate && !found.has(`late_for_shift ${said.shift_id}`))
			witness.fail("a late fact was not reported", `${id}`);
	}
	const [open] = await tx.all(
		`SELECT s.id FROM shifts AS s JOIN shift_reports AS r ON r.business_id = s.business_id AND r.shift_id = s.id
     WHERE s.business_id = ? AND s.report_id IS NULL`,
		businessId,
	);
	if (open) witness.fail("a counted shift is open", `${open.id}`);
}
