/*
 * What a count corrects, by product. A look fixes what the book knew of a product at that moment; the entry says what lay there.
 *
 *     expected = goods + corrected        at the look: what was bought, sold, … and what counts had corrected before
 *     correction = counted − goods − all that counts have corrected by now
 *
 * So the stock becomes what was counted and whatever moved that the look had not seen, in any order of arrival: a correction
 * by another count, seen or not, is replaced and never added to.
 */

/** A look at a shelf, with what was found. Quantities are in millionths. */
export interface CountedLook {
	id: string;
	productId: string;
	shelf: string | null;
	/** The stock by the book. */
	expected: number;
	/** The part of it that counts had corrected. */
	corrected: number;
	/** Null until somebody says. */
	counted: number | null;
	createdAt: string;
}

/** What a count found of a product. */
export interface CountLine {
	/** The newest look, by which the correction is named. */
	lookId: string;
	productId: string;
	/** On all shelves together. */
	counted: number;
	/** What had moved by the book, without the corrections of counts. */
	goods: number;
}

/**
 * Adds up what lies on different shelves. Of several looks at one shelf the newest counts. What moves between the looks at two
 * shelves is taken to have moved from the first, so that the book of the first look is the one that counts.
 */
export function linesOf<Look extends CountedLook>(
	looks: readonly Look[],
): (CountLine & { first: Look; newest: Look })[] {
	const byProduct = new Map<string, Map<string | null, Look>>();
	for (const look of looks.toSorted(byTime)) {
		if (look.counted === null) continue;
		const shelves = byProduct.get(look.productId) ?? new Map();
		byProduct.set(look.productId, shelves.set(look.shelf, look));
	}
	return [...byProduct].map(([productId, shelves]) => {
		const all = [...shelves.values()].toSorted(byTime);
		const [first, newest] = [all[0] as Look, all.at(-1) as Look];
		return {
			...{ lookId: newest.id, productId, first, newest },
			counted: all.reduce((sum, { counted }) => sum + (counted ?? 0), 0),
			goods: first.expected - first.corrected,
		};
	});
}

/**
 * What looks at one product had found when one of them was the newest.
 *
 * @param unknown for a look that isn't among them, or without a number
 */
export function countedBy(
	looks: readonly CountedLook[],
	lookId: string,
	unknown: number,
): number {
	const newest = looks.find(({ id }) => id === lookId);
	if (!newest || newest.counted === null) return unknown;
	const [line] = linesOf(looksUntil(looks, newest));
	return line?.counted ?? unknown;
}

/**
 * True if a look may have corrected the stock with its number. A number on another shelf may still be on its way.
 *
 * @param looks at one product
 * @param corrected what counts had corrected before
 */
export function explains(
	looks: readonly CountedLook[],
	look: CountedLook,
	{ delta, corrected }: { delta: number; corrected: number },
): boolean {
	const until = looksUntil(looks, look);
	if (until.some((one) => one.counted === null && one.shelf !== look.shelf))
		return true;
	const [line] = linesOf(until);
	return line !== undefined && correctionOf(line, corrected) === delta;
}

const looksUntil = (looks: readonly CountedLook[], newest: CountedLook) =>
	looks.filter((look) => byTime(look, newest) <= 0);

/** What a line adds to the stock. @param corrected what counts have corrected by now */
export function correctionOf(
	{ counted, goods }: Pick<CountLine, "counted" | "goods">,
	corrected: number,
): number {
	return counted - goods - corrected;
}

const byTime = (a: CountedLook, b: CountedLook) =>
	compare(a.createdAt, b.createdAt) || compare(a.id, b.id);
const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
