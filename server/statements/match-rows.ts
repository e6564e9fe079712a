import type { StatementMatch } from "../../sync/queries/statement-match.ts";

/** The columns of matched codes in a file. */
export const matchColumns = [
	"state",
	"code",
	"localTime",
	"received",
	"claimed",
	"payer",
	"receipts",
	"suggestions",
];

/** Writes a matched code as a row of a file. */
export function toMatchRow(
	{ claims, suggestions, ...match }: StatementMatch,
	localTime: (at: string) => string,
) {
	return {
		state: match.state,
		code: match.code,
		localTime: localTime(match.at),
		received: match.received,
		claimed: match.claimed,
		payer: match.payer,
		receipts: namesOf(claims),
		suggestions: namesOf(suggestions),
	};
}

/** A sale is named by its receipt number, else by its id, a line of a statement by its code. */
const namesOf = (found: StatementMatch["claims"]) =>
	found
		.map(({ receiptNumber, id, code }) => receiptNumber ?? id ?? code)
		.join(" ");
