/** One key and when it was pressed, in milliseconds. */
export interface Keystroke {
	letter: string;
	at: number;
}

/** Where keys go: no field, a text field or a number field. */
export type Target = "none" | "text" | "number";

/**
 * What a burst of keys is: a scan; `maybe` a scan, if the code is known; or typed by a person.
 */
type Burst = "scan" | "maybe" | "typed";

/** Slower scanners exist, but look like a person. */
export const scanGapMaxMs = 140;

const lengthMin = 4;
/** No quantity or price has this many digits. */
const digitsMin = 8;
/** Faster than anyone types: the slowest gap of a short code, or the mean of a long one, since wireless scanners send keys in groups. */
const fastGapMaxMs = 35;
const fastMeanMs = 45;
const fastMeanLengthMin = 6;
/** A scanner keeps its pace: most gaps are this close to the median. A typist's vary more. */
const paceMs = 15;
const paceShare = 0.8;

/**
 * Tells a scanner from a typist by the whole burst: its length, speed and evenness.
 *
 * @param keys without long pauses between them
 * @param enterAt when the Enter that ended the burst was pressed
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
	// Nobody types outside fields.
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
