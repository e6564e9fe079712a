/** A payment that a statement has. Amounts are in millionths. */
export interface Received {
	code: string;
	amount: number;
	at: string;
	payer: string | null;
}

/** A sale that was paid by a code, or a debt that was. */
export interface Claim {
	kind: "sale" | "collection";
	id: string;
	/** Null where the cashier typed none. */
	code: string | null;
	amount: number;
	at: string;
	receiptNumber: string | null;
}

/**
 * | state | what is known of a code |
 * |---|---|
 * | confirmed | the amount received is what the sales and collections that name it were paid |
 * | differs | another amount was received than was claimed |
 * | missing | claimed, and not received although the statements cover the time |
 * | unclaimed | received, and named by no sale and no collection |
 * | uncovered | claimed at a time that no statement covers yet |
 */
export const matchStates = [
	"confirmed",
	"differs",
	"missing",
	"unclaimed",
	"uncovered",
] as const;
export type MatchState = (typeof matchStates)[number];

/** Whatever may belong to a code: of the same amount, at nearly the same time. It proves nothing. */
interface Suggestion extends Omit<Claim, "kind" | "id"> {
	kind: Claim["kind"] | "received";
	/** Of the sale or collection. */
	id: string | null;
}

/** What is known of one code. */
export interface Match {
	code: string;
	state: MatchState;
	/** When it was received, or first claimed. */
	at: string;
	received: number | null;
	claimed: number | null;
	payer: string | null;
	claims: Claim[];
	suggestions: Suggestion[];
}

/** The time of the first and the last payment that a shop's statements have. */
export interface Coverage {
	from: string;
	to: string;
}

/**
 * Compares what was received with what was claimed, the newest first. Only an equal code joins the two: equal amounts at the
 * same minute are usual in a shop. A code that pays for two sales pays their sum.
 *
 * @param uncoded sales by the statement's method without a code, for suggestions
 */
export function matchCodes(
	received: readonly Received[],
	claims: readonly (Claim & { code: string })[],
	covered: Coverage | undefined,
	uncoded: readonly Claim[] = [],
): Match[] {
	const claimsByCode = Map.groupBy(claims, ({ code }) => code);
	const matches = received.map((line): Match => {
		const found = claimsByCode.get(line.code) ?? [];
		claimsByCode.delete(line.code);
		const claimed = sumOf(found);
		const state =
			found.length === 0
				? "unclaimed"
				: claimed === line.amount
					? "confirmed"
					: "differs";
		return {
			...{ code: line.code, state, at: line.at, payer: line.payer },
			...{ received: line.amount, claims: found, suggestions: [] },
			claimed: found.length === 0 ? null : claimed,
		};
	});
	for (const [code, found] of claimsByCode) {
		const at = found.reduce(
			(first, claim) => (claim.at < first ? claim.at : first),
			"9",
		);
		const isCovered = covered && at >= covered.from && at <= covered.to;
		matches.push({
			...{ code, at, payer: null, received: null, claimed: sumOf(found) },
			...{ claims: found, suggestions: [] },
			state: isCovered ? "missing" : "uncovered",
		});
	}
	suggest(matches, uncoded);
	return matches.sort(newestFirst);
}

function newestFirst(a: Match, b: Match): number {
	if (a.at !== b.at) return a.at < b.at ? 1 : -1;
	return a.code < b.code ? 1 : -1;
}

const sumOf = (claims: readonly Claim[]) =>
	claims.reduce((sum, { amount }) => sum + amount, 0);

const suggestedWithinMs = 15 * 60_000;
const suggestionsMax = 3;

/** Writes what may belong together: payments that nothing names, and what names a code that didn't come, or none. */
function suggest(matches: readonly Match[], uncoded: readonly Claim[]): void {
	const unclaimed = matches.filter(({ state }) => state === "unclaimed");
	const missing = matches.filter(({ state }) => state === "missing");
	const facts = nearby([
		...missing.flatMap(({ claims }) => claims),
		...uncoded,
	]);
	const lines = nearby(
		unclaimed.map(
			({ code, at, received }): Suggestion & { amount: number } => ({
				...{ kind: "received", id: null, receiptNumber: null },
				...{ code, at, amount: received ?? 0 },
			}),
		),
	);
	for (const match of unclaimed)
		match.suggestions = facts(match.received ?? 0, match.at);
	for (const match of missing)
		match.suggestions = lines(match.claimed ?? 0, match.at);
}

/** Returns a search for what has an amount within a quarter of an hour, the nearest first. */
function nearby(all: readonly Suggestion[]) {
	const timed = all.map((one) => ({ one, ms: Date.parse(one.at) }));
	timed.sort((a, b) => a.ms - b.ms);
	// Sorted, because a shop can sell one thing at one price all day.
	const byAmount = Map.groupBy(timed, ({ one }) => one.amount);
	return (amount: number, at: string): Suggestion[] => {
		const found = byAmount.get(amount) ?? [];
		const ms = Date.parse(at);
		const distance = (i: number) => Math.abs((found[i]?.ms ?? Infinity) - ms);
		let after = firstFrom(found, ms);
		let before = after - 1;
		const nearest: Suggestion[] = [];
		while (nearest.length < suggestionsMax) {
			const i = distance(before) <= distance(after) ? before-- : after++;
			const next = found[i];
			if (!next || distance(i) > suggestedWithinMs) break;
			nearest.push(next.one);
		}
		return nearest;
	};
}

/** Returns the index of the first that is not before a moment, in a sorted list. */
function firstFrom(sorted: readonly { ms: number }[], ms: number): number {
	let low = 0;
	let high = sorted.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((sorted[middle]?.ms ?? ms) < ms) low = middle + 1;
		else high = middle;
	}
	return low;
}
