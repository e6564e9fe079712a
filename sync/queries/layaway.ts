import * as z from "zod";
import { accountOf, recordsOf } from "../entities/customer-account.ts";
import { day, timestamp } from "../entities/fields.ts";
import { type Layaway, layaway, layawayWire } from "../entities/layaway.ts";
import { sumOfProducts, toDecimal, toMicros } from "../entities/money.ts";
import { creditMethod } from "../entities/payment.ts";
import { localTimes, toIso } from "../protocol/clock.ts";
import type { Value } from "../store/store.ts";
import { businessGet } from "./business.ts";
import { letterhead, letterheadOf } from "./letterhead.ts";
import { orderOf } from "./order.ts";
import { defineList, defineQuery } from "./query.ts";
import { receipt } from "./receipt.ts";
import { anyId, recordQuery } from "./record.ts";

/** After all days. */
const never = "9999-12-31";

const mostUrgentFirst = orderOf<Layaway>(layaway, {
	columns: {
		[`coalesce(due_day, '${never}')`]: "string",
		...{ created_at: "string", id: "string" },
	},
	keyOf: ({ dueDay, createdAt, id }) => [dueDay ?? never, createdAt, id],
});

export const layawayList = defineList({
	name: "layaway.list",
	summary: "Goods kept for customers, what is due or overdue first",
	args: {
		show: z.enum(["open", "all"]).default("open"),
		customerId: anyId.optional(),
	},
	row: layawayWire,
	placeOf: mostUrgentFirst.placeOf,
	async read(context, { show, customerId }, page) {
		const conditions: string[] = [];
		const params: Value[] = [];
		if (show === "open") conditions.push("AND state = 'open'");
		if (customerId !== undefined) {
			const { tx, businessId } = context;
			conditions.push("AND customer_id IN (SELECT value FROM json_each(?))");
			const account = await accountOf(tx, businessId, customerId);
			const records = await recordsOf(tx, businessId, account);
			params.push(JSON.stringify(records));
		}
		const where = conditions.join(" ");
		return {
			rows: await mostUrgentFirst.read(context, { ...page, where, params }),
		};
	},
});

export const layawayGet = recordQuery(layaway, layawayWire, {
	summary: "Goods kept for a customer, with what was paid for them",
	missing: "Layaway not found",
});

/** What a customer gets for a deposit. Amounts are in the business's currency. */
const depositSlip = z
	.object({
		business: letterhead,
		/** Null if this database does not know the customer. */
		customerName: z.string().nullable(),
		/** The moment of what is left to pay, in UTC and in local time, `2026-11-20 12:00`. */
		asOf: timestamp,
		localTime: z.string(),
		state: layawayWire.shape.state,
		dueDay: day.nullable(),
		lines: z.array(
			receipt.shape.lines.element.omit({ refunded: true, taxClass: true }),
		),
		total: z.number(),
		/** What the customer gave, or got back if negative, the oldest first. */
		deposits: z.array(
			z.object({
				localTime: z.string(),
				method: z.string(),
				amount: z.number(),
			}),
		),
		deposited: z.number(),
		/** 0 of what was cancelled. */
		left: z.number(),
	})
	.meta({ id: "DepositSlip" });
export type DepositSlip = z.infer<typeof depositSlip>;

export const layawaySlip = defineQuery({
	name: "layaway.slip",
	summary: "The receipt of deposits: the goods, what was paid and what is left",
	args: z.strictObject({ id: anyId }),
	answer: depositSlip,
	async run(context, { id }) {
		const { tx, businessId, now } = context;
		const found = await layawayGet.run(context, { id });
		const { customerName, state, dueDay, items, total, deposited } = found;
		const business = await businessGet.run(context, {});
		const localTime = localTimes(business.timeZone);
		const rows = await tx.all(
			`SELECT method, amount, created_at FROM payments
       WHERE business_id = ? AND layaway_id = ? AND method <> ? AND deleted = 0 ORDER BY created_at, id`,
			...[businessId, id, creditMethod],
		);
		const asOf = toIso(now);
		const left = toMicros(total) - toMicros(deposited);
		return {
			business: letterheadOf(business),
			...{ customerName, asOf, localTime: localTime(asOf), state, dueDay },
			lines: items.map(({ name, quantity, price, listPrice, ...line }) => ({
				...{ name, quantity, price },
				...{ packName: line.packName, packSize: line.packSize },
				unit: line.unit,
				listPrice: listPrice && listPrice > price ? listPrice : undefined,
				total: toDecimal(
					sumOfProducts([
						{ price: toMicros(price), quantity: toMicros(quantity) },
					]),
				),
			})),
			total,
			deposits: rows.map((row) => ({
				localTime: localTime(row.created_at as string),
				method: row.method as string,
				amount: toDecimal(Number(row.amount)),
			})),
			deposited,
			left: state === "open" ? toDecimal(Math.max(left, 0)) : 0,
		};
	},
});
