import { expect } from "vitest";
import { cashMove } from "../entities/cash.ts";
import { cashCategories } from "../entities/cash-categories.ts";
import { customerCreate, customerMerge } from "../entities/customer.ts";
import { paymentAdjust, paymentCollect } from "../entities/payment.ts";
import { saleRefund, saleVoid } from "../entities/refund.ts";
import { saleCreate } from "../entities/sale.ts";
import { shiftClose, shiftOpen } from "../entities/shift.ts";
import { addDays } from "../protocol/clock.ts";
import { openRandom, type Random } from "../simulation/random.ts";
import { saleArgs, type TestShop } from "./shop.ts";

/** The days of the facts, with a margin. */
export const moneyDays = { from: "2026-11-10", to: "2026-11-30" };

const customers = ["asha", "baraka", "zawadi"] as const;

interface Trade extends Pick<TestShop, "shop" | "caller"> {
	random: Random;
	/** True for quantities of which prices have no parts of a cent. */
	isWhole: boolean;
	shifts: string[];
	sales: { id: string; lines: number }[];
}

interface Dated {
	id: string;
	businessDay: string;
	/** Perhaps one that was counted already: then the fact is late. */
	shiftId: string | undefined;
}

/** Does what people do with money in a shop, at random, at three drawers; refused mutations change nothing. */
export async function tradeMoney(
	{ shop, caller }: Pick<TestShop, "shop" | "caller">,
	seed: number,
	count: number,
) {
	const random = openRandom(seed);
	const isWhole = seed % 2 === 1;
	const trade: Trade = { shop, caller, random, isWhole, shifts: [], sales: [] };
	for (const id of customers)
		await shop.mutate(caller, customerCreate, { id, name: id, phone: null });
	const acts = [sells, sells, sells, sells, givesBack, moves, counts];
	for (let i = 0; i < count; i += 1) {
		const shifts = trade.shifts.slice(-4);
		await random.pick(acts)(trade, {
			id: `fact-${i}`,
			businessDay: addDays(moneyDays.from, 4 + random.below(12)),
			shiftId:
				shifts.length === 0 || random.below(3) === 0
					? undefined
					: random.pick(shifts),
		});
	}
	const merged = { fromId: "asha", intoId: "baraka" };
	await shop.mutate(caller, customerMerge, merged);
}

const amountOf = (random: Random) => (1 + random.below(90_000)) / 100;

async function sells(trade: Trade, dated: Dated): Promise<void> {
	const { shop, caller, random, isWhole, sales } = trade;
	const lines = Array.from({ length: 1 + random.below(3) }, () => {
		const price = (1 + random.below(20_000)) / 100;
		const quantity = isWhole ? 1 + random.below(3) : (1 + random.below(40)) / 8;
		const listPrice = random.below(3) === 0 ? { listPrice: price + 5 } : {};
		const tax = random.pick([{}, { taxClass: "B", taxRate: 16 }]);
		return { price, quantity, cost: price / 2, ...listPrice, ...tax };
	});
	const customerId = random.pick(customers);
	await shop.mutate(caller, saleCreate, {
		...{ ...dated, ...saleArgs(dated.id, lines) },
		...random.pick<object>([
			{},
			{ paid: 900 },
			{ paymentMethod: "CARD", paid: 950 },
			{ paymentMethod: "CREDIT" },
			{ paymentMethod: "MPESA", paid: 0.5 },
			{ paid: 1_000, rounding: 0.4 },
			{ customerId, paymentMethod: "CREDIT" },
			{
				customerId,
				tenders: [
					{ method: "MPESA", amount: amountOf(random) },
					{ method: "VOUCHER", amount: 5 },
				],
			},
			{
				tenders: [
					{ method: "CARD", amount: 1 },
					{ method: "CASH", amount: 5_000 },
				],
				rounding: -0.25,
			},
		]),
	});
	sales.push({ id: dated.id, lines: lines.length });
}

async function givesBack(trade: Trade, dated: Dated): Promise<void> {
	const { shop, caller, random, sales } = trade;
	if (sales.length === 0) return;
	const { id: saleId, lines } = random.pick(sales);
	const itemId = String(1 + random.below(lines));
	const said = { ...dated, saleId, reason: "Sour" };
	const given =
		random.below(4) === 0
			? shop.mutate(caller, saleVoid, said)
			: shop.mutate(caller, saleRefund, {
					...{ ...said, restock: random.below(2) === 0 },
					items: [{ id: "1", itemId, quantity: 1 }],
					...random.pick([{}, { tenders: [{ method: "CASH", amount: 3.3 }] }]),
				});
	await given.catch((error: { code?: string }) => {
		expect(["already_voided", "over_refunded"]).toContain(error.code);
	});
}

async function moves(trade: Trade, dated: Dated): Promise<void> {
	const { shop, caller, random } = trade;
	const customerId = random.pick(customers);
	const amount = amountOf(random);
	const { shiftId: _, ...corrected } = dated;
	await random.pick([
		() =>
			shop.mutate(caller, paymentCollect, {
				...{ ...dated, customerId },
				tenders: [
					{ method: "CASH", amount },
					{ method: "MPESA", amount: 2 },
				],
			}),
		() =>
			shop.mutate(caller, paymentAdjust, {
				...{ ...corrected, customerId },
				...{ amount: amount - 300.5, reason: "The old book" },
			}),
		() =>
			shop.mutate(caller, cashMove, {
				...{ ...dated, amount: amount - 1_000.5, reason: "Charcoal" },
				category: random.pick(cashCategories),
			}),
	])();
}

async function counts(trade: Trade, dated: Dated): Promise<void> {
	const { shop, caller, random, shifts } = trade;
	const { id, businessDay, shiftId } = dated;
	const amount = amountOf(random);
	if (shiftId === undefined || random.below(2) === 0) {
		shifts.push(id);
		await shop.mutate(caller, shiftOpen, {
			...{ id, businessDay, openingFloat: amount },
			drawerId: `till-${random.below(3)}`,
		});
		return;
	}
	await shop.mutate(caller, shiftClose, {
		...{ id, businessDay, shiftId },
		counted: [
			{ method: "CASH", amount },
			...random.pick([[], [{ method: "MPESA", amount: 7 }]]),
		],
	});
}
