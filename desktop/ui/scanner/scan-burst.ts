/** A key of a code, and when it was pressed, in milliseconds. */
export interface Keystroke {
	letter: string;
	at: number;
}

/** Where keys go: to no field, to one that takes text, or to one that takes a number. */
export type Target = "none" | "text" | "number";

/**
 * What a burst of keys is: a scan; `maybe` one, which counts where the code is known; or typed by a person.
 */
type Burst = "scan" | "maybe" | "typed";

/** Slower scanners than this between two keys exist, but a person can't be told from them. */
export const scanGapMaxMs = 140;

const lengthMin = 4;
/** A code of so many digits is nobody's quantity or price. */
const digitsMin = 8;
/** Nobody types a short code this fast, nor a long one on average; a radio link passes keys on in groups. */
const fastGapMaxMs = 35;
const fastMeanMs = 45;
const fastMeanLengthMin = 6;
/** A scanner keeps its pace: most of its gaps are this close to the usual one. A person's fingers spread wider. */
const paceMs = 15;
const paceShare = 0.8;

/**
 * Tells a scanner from a person by the whole burst: its length, its speed and how even it is.
 *
 * @param keys without pauses between them
 * @param enterAt when the Enter came that ended it
 */
export function judgeBurst(
	keys: readonly Keystroke[],
	enterAt: number,
	target: Target,
): Burst {
	if (keys.length < lengthMin) return "typed";
	const code = keys.map(({ letter }) => letter).join("");
	const gaps = [...keys.slice(1).map(({ at }) => at), enterAt].map(
		(at, i) => at - (keys[i] as Keystroke).at,
	);
	const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
	const isFast =
		Math.max(...gaps) <= fastGapMaxMs ||
		(keys.length >= fastMeanLengthMin && mean <= fastMeanMs);
	if (isFast) return "scan";
	const isEven = isAtOnePace(gaps);
	// Nobody types where nothing is written.
	if (target === "none" || (target === "number" && !/^[\d.,-]*$/.test(code)))
		return isEven ? "scan" : "maybe";
	if (!isEven) return "typed";
	if (/^\d+$/.test(code) && code.length >= digitsMin) return "scan";
	return target === "text" ? "maybe" : "typed";
}

function isAtOnePace(gaps: readonly number[]): boolean {
	const usual = gaps.toSorted((a, b) => a - b)[gaps.length >> 1] ?? 0;
	const close = gaps.filter((gap) => Math.abs(gap - usual) <= paceMs);
	return close.length >= gaps.length * paceShare;
}
