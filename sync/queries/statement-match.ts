import * as z from "zod";
import { managing } from "../entities/entity.ts";
import {
	computed,
	day,
	recordId,
	text,
	timestamp,
} from "../entities/fields.ts";
import { toDecimal } from "../entities/money.ts";
import { paymentCode } from "../entities/payment.ts";
import { statementLineRow } from "../entities/statement.ts";
import { type Match, matchStates } from "../statements/match.ts";
import { periodDays } from "./period.ts";
import { placesBy } from "./place.ts";
import { defineList, defineQuery } from "./query.ts";
import { readMatches } from "./read-matches.ts";

const asked = {
	...periodDays,
	method: statementLineRow.shape.method.default("MPESA"),
};

const sums = z.object({
	count: z.int(),
	received: z.number(),
	claimed: z.number(),
});

export const statementTotals = defineQuery({
	name: "statement.totals",
	summary:
		"What statements say was received in at most 92 days, compared with the codes of sales and collections",
	args: z.strictObject(asked),
	older: { since: ({ from = "" }) => from },
	answer: z
		.object({
			from: day,
			to: day,
			/** The first and the last payment of the shop's statements, which are taken to be complete between them. */
			coveredFrom: timestamp.nullable(),
			coveredTo: timestamp.nullable(),
			confirmed: sums,
			differs: sums,
			missing: sums,
			unclaimed: sums,
			uncovered: sums,
		})
		.meta({ id: "StatementTotals" }),
	roles: managing,
	async run(context, { method, ...period }) {
		const { matches, covered } = await readMatches(context, period, method);
		const sumsOf = (state: Match["state"]) => {
			const found = matches.filter((match) => match.state === state);
			const sum = (field: "received" | "claimed") =>
				toDecimal(found.reduce((sum, match) => sum + (match[field] ?? 0), 0));
			return {
				count: found.length,
				received: sum("received"),
				claimed: sum("claimed"),
			};
		};
		return {
			...period,
			coveredFrom: covered?.from ?? null,
			coveredTo: covered?.to ?? null,
			confirmed: sumsOf("confirmed"),
			differs: sumsOf("differs"),
			missing: sumsOf("missing"),
			unclaimed: sumsOf("unclaimed"),
			uncovered: sumsOf("uncovered"),
		};
	},
});

const found = z.object({
	kind: z.enum(["sale", "collection", "received"]),
	/** Of the sale or collection; null for a line of a statement. */
	id: recordId.nullable(),
	code: paymentCode.nullable(),
	amount: computed,
	at: timestamp,
	receiptNumber: text(32).nullable(),
});

const matchRow = z
	.object({
		code: paymentCode,
		state: z.enum(matchStates),
		/** When it was received, or first claimed. */
		at: timestamp,
		received: computed.nullable(),
		claimed: computed.nullable(),
		payer: text(200).nullable(),
		claims: z.array(found),
		/** What has the same amount within a quarter of an hour. It proves nothing. */
		suggestions: z.array(found),
	})
	.meta({ id: "StatementMatch" });
export type StatementMatch = z.input<typeof matchRow>;

const byTime = placesBy<StatementMatch>(
	["string", "string"],
	({ at, code }) => [at, code],
);

export const statementMatch = defineList({
	name: "statement.match",
	summary:
		"Each code of at most 92 days that a statement has, or a sale or collection, the newest first",
	args: { ...asked, state: z.enum(matchStates).optional() },
	older: { since: ({ from = "" }) => from },
	row: matchRow,
	placeOf: byTime.placeOf,
	roles: managing,
	async read(context, { method, state, ...period }, { after, limit }) {
		const { matches } = await readMatches(context, period, method);
		const [at, code] = (byTime.read(after) ?? []) as string[];
		const isBehind = (match: Match) =>
			at === undefined ||
			code === undefined ||
			match.at < at ||
			(match.at === at && match.code < code);
		return {
			rows: matches
				.filter(
					(match) =>
						(state === undefined || match.state === state) && isBehind(match),
				)
				.slice(0, limit)
				.map((match) => z.encode(matchRow, match)),
		};
	},
});
