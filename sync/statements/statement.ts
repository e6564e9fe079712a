import * as z from "zod";

/** A payment that a statement or a message says was received. */
interface ReceivedPayment {
	/** Capital letters and digits. */
	code: string;
	/** When it was paid, in UTC. */
	paidAt: string;
	amount: number;
	/** Who paid, as far as it is shown; phone numbers are masked. */
	payer: string | null;
}

/**
 * Why a line can't be read as a payment. A client words the code in its user's language.
 *
 * | code | what is wrong |
 * |---|---|
 * | quotation_marks | its quotation marks are invalid |
 * | column_count | it has more or fewer cells than the header |
 * | no_code | it has an amount but no payment code |
 * | no_time | its time is missing or in an unknown form |
 * | no_amount | its amount is missing or in an unknown form |
 * | other_amount | an earlier line has its code with another amount |
 */
const statementRefusalCodes = [
	"quotation_marks",
	"column_count",
	"no_code",
	"no_time",
	"no_amount",
	"other_amount",
] as const;

export const statementRefusal = z.object({
	/** The line in the text, from 1. */
	line: z.int(),
	code: z.enum(statementRefusalCodes),
	/** The line's beginning. */
	text: z.string(),
});
export type StatementRefusal = z.infer<typeof statementRefusal>;

/** What a text says was received. */
export interface Statement {
	payments: ReceivedPayment[];
	/** How many lines are no received payments: withdrawals, charges, failed and repeated ones. */
	passedOver: number;
	refused: StatementRefusal[];
}

/** The form of an M-PESA code. */
const form = /^[A-Z0-9]{8,12}$/;
const refusalTextMax = 100;

/** A line as read; what can't be read is undefined. */
interface ReadPayment extends Pick<ReceivedPayment, "code" | "payer"> {
	paidAt: string | undefined;
	amount: number | undefined;
}

/** Collects what a statement's lines say, each code once. */
export function openStatement() {
	const byCode = new Map<string, ReceivedPayment>();
	const refused: StatementRefusal[] = [];
	let passedOver = 0;

	function refuse(line: number, code: StatementRefusal["code"], text: string) {
		refused.push({ line, code, text: text.trim().slice(0, refusalTextMax) });
	}

	return {
		refuse,

		passOver(): void {
			passedOver += 1;
		},

		/** Adds the payment of a line, or refuses the line. */
		add(
			line: number,
			text: string,
			{ code, paidAt, amount, payer }: ReadPayment,
		): void {
			const known = byCode.get(code);
			if (!form.test(code)) refuse(line, "no_code", text);
			else if (paidAt === undefined) refuse(line, "no_time", text);
			else if (amount === undefined) refuse(line, "no_amount", text);
			else if (!known) byCode.set(code, { code, paidAt, amount, payer });
			else if (known.amount === amount) passedOver += 1;
			else refuse(line, "other_amount", text);
		},

		end: (): Statement => ({
			payments: [...byCode.values()],
			passedOver,
			refused,
		}),
	};
}

/** @example amountOf("1,234.50") === 1234.5 */
export function amountOf(text: string): number | undefined {
	const plain = text.replace(/^(?:ksh|kes|tsh|tzs|ugx|ush)\.?\s*/i, "");
	if (!/^(\d{1,3}(,\d{3})+|\d{1,9})(\.\d{1,2})?$/.test(plain)) return undefined;
	const amount = Number(plain.replaceAll(",", ""));
	return amount > 0 && amount < 1_000_000_000 ? amount : undefined;
}

const payerMax = 200;

/** Names a payer without most of their phone number: each till and each archive keeps it. */
export function payerOf(text: string): string | null {
	const plain = text
		.replaceAll(/\s+/g, " ")
		.replaceAll(
			/\+?\d{9,13}/g,
			(number) => `${number.slice(0, 4)}***${number.slice(-3)}`,
		)
		.trim();
	return plain.slice(0, payerMax) || null;
}

/** @returns `2026-09-03T10:15:00`, or undefined if there is no such time */
export function localTime(
	[year, month, day]: readonly [year: string, month: string, day: string],
	[hour, minute, second]: readonly [
		hour: number,
		minute: string,
		second: string,
	],
): string | undefined {
	const two = (part: string | number) => String(part).padStart(2, "0");
	const date = `${year.length === 2 ? `20${year}` : year}-${two(month)}-${two(day)}`;
	const local = `${date}T${two(hour)}:${minute}:${second}`;
	const ms = Date.parse(`${local}Z`);
	// Date.parse takes 31 February for 3 March.
	const isReal =
		!Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
	return isReal && hour < 24 ? local : undefined;
}
