import { plus, toDecimal, toMicros } from "../../../sync/entities/money.ts";
import { toIso } from "../../../sync/protocol/clock.ts";
import { mpesaCode } from "./debtors.ts";
import { openDice } from "./dice.ts";

const payers = ["GRACE", "PETER", "AISHA", "JAMES", "MARY", "HASSAN"];

/** What of a sale or collection says how it was paid. */
interface Paid {
	items?: readonly { price: number; quantity: number }[];
	paymentCode?: string;
	tenders?: readonly { amount: number; code?: string }[];
}

/**
 * The statements of the demo's M-PESA till. Now and then one lacks a payment that a sale names, has it under another code or
 * with another amount, or has one that no sale names.
 */
export function openReceived() {
	// Separate draws leave the rest of the shop as it is.
	const dice = openDice(27);
	let lines: object[] = [];

	function add(at: number, code: string, amount: number): void {
		const payer = `07${10 + dice.below(90)}***${100 + dice.below(900)}`;
		lines.push({
			...{ code, amount, paidAt: toIso(at - (20 + dice.below(60)) * 1_000) },
			payer: `${payer} - ${payers[dice.below(payers.length)]}`,
		});
	}

	return {
		/** Notes what a customer paid by M-PESA. */
		note(at: number, { items = [], paymentCode, tenders = [] }: Paid): void {
			const total = items.reduce(
				(sum, { price, quantity }) => sum + toMicros(price) * quantity,
				0,
			);
			const paid = paymentCode
				? [{ code: paymentCode, amount: toDecimal(Math.round(total)) }]
				: tenders;
			for (const { code, amount } of paid) {
				if (code === undefined) continue;
				const isMistyped = dice.below(150) === 0;
				if (isMistyped)
					add(at, `${code.slice(0, -1)}${dice.below(10)}`, amount);
				if (isMistyped || dice.below(150) === 0) continue;
				const isLess = amount > 50 && dice.below(150) === 0;
				add(at, code, isLess ? plus(amount, -10) : amount);
				const day = toIso(at).slice(0, 10);
				if (dice.below(200) === 0) add(at, mpesaCode(day, dice), 50);
			}
		},

		/** Returns the statement of what came since the last one. */
		statement(): { method: string; lines: object[] } | undefined {
			const sent = lines;
			lines = [];
			return sent.length > 0 ? { method: "MPESA", lines: sent } : undefined;
		},
	};
}
