import * as z from "zod";
import { managing } from "../entities/entity.ts";
import { day } from "../entities/fields.ts";
import { toDecimal } from "../entities/money.ts";
import {
	comparedOf,
	readReport,
	shift,
	shiftReport,
} from "../entities/shift.ts";
import { readDayFacts, readShiftFacts } from "../entities/shift-facts.ts";
import { figuresOf, type ShiftFact } from "../entities/shift-figures.ts";
import { sumByTax } from "../entities/tax-amount.ts";
import { readRow, selectRows } from "../rows/rows.ts";
import { businessGet } from "./business.ts";
import {
	type Account,
	accountOfCategory,
	accountOfMethod,
	accounts,
} from "./journal-accounts.ts";
import { defineQuery, type QueryContext } from "./query.ts";

const journalLine = z
	.object({
		/** Lines of one number are one entry, whose debits equal its credits. */
		journalNo: z.string(),
		journalDate: day,
		accountCode: z.string(),
		accountName: z.string(),
		/** Null on the other side. */
		debits: z.number().nullable(),
		credits: z.number().nullable(),
		description: z.string(),
		taxClass: z.string().nullable(),
		/** In percent. */
		taxRate: z.number().nullable(),
		currency: z.string(),
	})
	.meta({ id: "JournalLine" });
export const journalColumns = Object.keys(journalLine.shape);

interface Tax {
	taxClass: string | null;
	taxRate: number | null;
}
/** Adds to an account, in millionths: a debit is positive, a credit negative. */
type Post = (account: Account, amount: number, tax?: Tax) => void;

/** A business day in double entry. It is derived: facts that arrive later change it. No till asks it, so it is in no till. */
export const journalEntry = defineQuery({
	name: "journal.entry",
	summary: "The journal entry of a business day",
	args: z.strictObject({ day }),
	answer: z.object({ lines: z.array(journalLine) }),
	roles: managing,
	onServer: true,
	async run(context, { day }) {
		const { tx, businessId } = context;
		const { currency, accountCodes = [] } = await businessGet.run(context, {});
		const inBooks = new Map(
			accountCodes.map(({ account, code }) => [account, code]),
		);
		const entry = openEntry();
		for (const fact of await readDayFacts(tx, businessId, day))
			postFact(entry.post, fact);
		await postCorrections(context, day, entry.post);
		await postDeliveries(context, day, entry.post);
		await postShifts(context, day, entry.post);
		return {
			lines: entry.lines().map(({ account, amount, taxClass, taxRate }) => ({
				...{ journalNo: day, journalDate: day },
				accountCode: inBooks.get(account.code) ?? account.code,
				accountName: account.name,
				debits: amount > 0 ? toDecimal(amount) : null,
				credits: amount < 0 ? toDecimal(-amount) : null,
				description:
					taxClass === null
						? account.name
						: `${account.name}, ${taxClass} ${toDecimal(taxRate ?? 0)} %`,
				taxClass,
				taxRate: taxRate === null ? null : toDecimal(taxRate),
				currency,
			})),
		};
	},
});

const hundredth = 10_000;

/** Adds up postings by account, and by tax class and rate where they have one. */
function openEntry() {
	const sums = new Map<string, Tax & { account: Account; amount: number }>();
	const post: Post = (
		account,
		amount,
		tax = { taxClass: null, taxRate: null },
	) => {
		const key = JSON.stringify([account, tax.taxClass, tax.taxRate]);
		const sum = sums.get(key) ?? { account, ...tax, amount: 0 };
		sum.amount += amount;
		sums.set(key, sum);
	};
	/** Returns sums in hundredths, as books have them. What that takes off or adds is rounding, so that they balance. */
	const lines = () => {
		let left = 0;
		for (const sum of sums.values()) {
			const hundredths = Math.round(Math.abs(sum.amount) / hundredth);
			sum.amount = Math.sign(sum.amount) * hundredths * hundredth;
			left += sum.amount;
		}
		post(accounts.rounding, -left);
		return [...sums.values()]
			.filter(({ amount }) => amount !== 0)
			.sort((a, b) => orderOf(a) - orderOf(b));
	};
	return { post, lines };
}

const orderOf = ({ account }: { account: Account }) => Number(account.code);

function postFact(post: Post, fact: ShiftFact): void {
	const { kind, total, rounding, taxes, cost, category, isBeside } = fact;
	const money = fact.entries.reduce((sum, { amount }) => sum + amount, 0);
	for (const { method, amount } of fact.entries)
		post(
			kind === "supplier" && method === "BANK"
				? accounts.bank
				: accountOfMethod(method, isBeside),
			amount,
		);
	if (category !== null)
		post(fact.isOwed ? accounts.payables : accountOfCategory[category], -money);
	if (kind !== "sale" && kind !== "refund" && kind !== "void") return;
	const [revenue, sign] =
		kind === "sale" ? [accounts.sales, 1] : [accounts.refunds, -1];
	post(accounts.rounding, sign * rounding);
	// Negative of what came back, as the taxes are.
	const gross = sign * total;
	post(accounts.unpaid, gross - money - sign * rounding);
	let untaxed = gross;
	for (const { taxClass, taxRate, ...sum } of sumByTax(taxes)) {
		post(revenue, -sum.net, { taxClass, taxRate });
		post(accounts.tax, -sum.tax, { taxClass, taxRate });
		untaxed -= sum.gross;
	}
	post(revenue, -untaxed);
	post(accounts.costOfGoods, cost);
	post(accounts.stock, -cost);
}

/** Posts what changed what customers owe although no money moved. */
async function postCorrections(
	{ tx, businessId }: QueryContext,
	day: string,
	post: Post,
): Promise<void> {
	const rows = await tx.all(
		"SELECT amount FROM payments WHERE business_id = ? AND business_day = ? AND kind NOT IN ('sale', 'refund') AND kind = 'adjustment' AND deleted = 0",
		businessId,
		day,
	);
	for (const { amount } of rows) {
		post(accounts.customers, Number(amount));
		post(accounts.corrections, -Number(amount));
	}
}

/** Posts what came from suppliers, and what went back. Goods from nobody in particular are paid at once. */
async function postDeliveries(
	{ tx, businessId }: QueryContext,
	day: string,
	post: Post,
): Promise<void> {
	const rows = await tx.all(
		"SELECT supplier_id, total FROM deliveries WHERE business_id = ? AND business_day = ? AND deleted = 0",
		businessId,
		day,
	);
	for (const { supplier_id, total } of rows) {
		post(accounts.stock, Number(total));
		post(
			supplier_id === null ? accounts.suppliers : accounts.payables,
			-Number(total),
		);
	}
}

/**
 * Posts floats that came into drawers, and counts: what was over or short, and that the cash left the drawer. What should have
 * been there is the sum of all facts that are known today, so that a drawer whose shift is closed holds nothing in the books,
 * also where facts came after the count.
 */
async function postShifts(
	{ tx, businessId }: QueryContext,
	day: string,
	post: Post,
): Promise<void> {
	const where = "AND business_day = ? AND deleted = 0";
	const opened = await selectRows(tx, shift, businessId, where, day);
	for (const { row } of opened) {
		post(accounts.cash, row.openingFloat);
		post(accounts.safe, -row.openingFloat);
	}
	const reports = await selectRows(tx, shiftReport, businessId, where, day);
	for (const { row: report } of reports) {
		const { shiftId } = report;
		const of = (await readRow(tx, shift, businessId, shiftId))?.row;
		// A second count of the same shift moved nothing.
		if (of?.reportId !== report.id) continue;
		const facts = await readShiftFacts(tx, businessId, shiftId);
		const figures = figuresOf(facts);
		const { counted } = readReport(report);
		for (const one of comparedOf(of.openingFloat, { counted, figures })) {
			if (one.method === "CREDIT") continue;
			const account = accountOfMethod(one.method);
			const found = one.counted ?? one.expected;
			post(account, found - one.expected);
			post(accounts.difference, one.expected - found);
			if (account !== accounts.cash) continue;
			post(accounts.safe, found);
			post(account, -found);
		}
	}
}
