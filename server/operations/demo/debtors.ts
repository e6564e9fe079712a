import { plus } from "../../../sync/entities/money.ts";
import { type Env, newId } from "../../../sync/protocol/ids.ts";
import { signsOfDay } from "../../../sync/statements/mpesa-code.ts";
import type { openDice } from "./dice.ts";

type Dice = ReturnType<typeof openDice>;

interface Person {
	name: string;
	phone: string | null;
	limit: number | null;
	/** What stood in the old book. */
	owedBefore?: number;
}

const people: readonly Person[] = [
	{ name: "Mama Zawadi", phone: "0712 345 678", limit: 3_000 },
	{ name: "Baba Juma", phone: "0722 118 904", limit: 1_500 },
	{ name: "Njeri Fundi", phone: "0733 902 116", limit: null },
	{ name: "Otieno Boda", phone: null, limit: 800 },
	{
		...{ name: "Shule ya Tumaini", phone: "0701 660 042", limit: 10_000 },
		owedBefore: 2_400,
	},
	{ name: "Fatuma", phone: "0745 221 350", limit: 1_000 },
];

/** A mutation of the demo. */
export interface Intent {
	name: string;
	args: object;
}

/** The people who buy on credit at the demo's shop, and pay some of it at the end of the week. */
export function openDebtors(env: Env, dice: Dice) {
	const debtors = people.map((person) => ({
		...{ ...person, id: newId(env), owes: person.owedBefore ?? 0 },
	}));

	return {
		/** Writes them down, one of them twice, with their limits and what they owed before. */
		*meet(): Generator<Intent> {
			for (const { id, name, phone, limit, owedBefore } of debtors) {
				yield { name: "customer.create", args: { id, name, phone } };
				if (owedBefore !== undefined)
					yield {
						name: "payment.adjust",
						args: {
							...{ id: newId(env), customerId: id, amount: owedBefore },
							reason: "Owed in the old book",
						},
					};
				if (limit !== null)
					yield {
						...{ name: "customer.limit", args: { id, creditLimit: limit } },
					};
			}
			const [first] = debtors;
			if (!first) return;
			const fromId = newId(env);
			yield {
				...{ name: "customer.create", args: { id: fromId, name: "Zawadi" } },
			};
			yield { name: "customer.merge", args: { fromId, intoId: first.id } };
		},

		/** How one of them buys on credit, now and then with some of it in cash. Most sales are paid at once. */
		lend(total: number): object | undefined {
			if (dice.below(35) > 0) return undefined;
			const debtor = debtors[dice.below(debtors.length)];
			if (!debtor || debtor.owes + total > (debtor.limit ?? 2_500))
				return undefined;
			const cash = dice.below(3) === 0 ? Math.floor(total / 100) * 50 : 0;
			debtor.owes = plus(debtor.owes, total - cash);
			return cash > 0
				? {
						customerId: debtor.id,
						tenders: [{ method: "CASH", amount: cash }],
					}
				: { customerId: debtor.id, paymentMethod: "CREDIT" };
		},

		/**
		 * Keeps dear goods for two of them, who pay some of it at once. One should have paid all by now.
		 *
		 * @param days by when they want to have paid
		 */
		*keep(
			goods: readonly object[],
			deposits: readonly number[],
			days: readonly string[],
		): Generator<Intent> {
			for (const [i, item] of goods.entries()) {
				const debtor = debtors[i + 2];
				if (!debtor) continue;
				const [id, customerId] = [newId(env), debtor.id];
				yield {
					name: "layaway.create",
					args: { id, customerId, items: [item], dueDay: days[i] ?? null },
				};
				yield {
					name: "payment.collect",
					args: {
						...{ id: newId(env), customerId, layawayId: id },
						tenders: [{ method: "CASH", amount: deposits[i] }],
					},
				};
			}
		},

		/** Collects large debts. */
		*collect(day: string): Generator<Intent> {
			for (const debtor of debtors) {
				if (debtor.owes < 300 || dice.below(3) === 0) continue;
				const amount =
					dice.below(2) === 0
						? debtor.owes
						: Math.floor(debtor.owes / 200) * 100;
				debtor.owes = plus(debtor.owes, -amount);
				const isMpesa = dice.below(2) === 0;
				yield {
					name: "payment.collect",
					args: {
						...{ id: newId(env), customerId: debtor.id, businessDay: day },
						tenders: [
							isMpesa
								? { method: "MPESA", amount, code: mpesaCode(day, dice) }
								: { method: "CASH", amount },
						],
					},
				};
			}
		},
	};
}

/** The letters and digits of codes. */
const signs = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** An M-PESA code of a day. */
export function mpesaCode(day: string, dice: Dice): string {
	const rest = Array.from({ length: 7 }, () => signs[dice.below(signs.length)]);
	return signsOfDay(day) + rest.join("");
}
