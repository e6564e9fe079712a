/** A difference of less than a twentieth is about the same. */
const sameShare = 0.05;
/** From here on, "2.4 times" is easier to take in than "140 % more". */
const timesFrom = 2;

interface Comparison {
	/** The sentence of the letter. */
	word: `letter.took${"Usual" | "More" | "Less" | "Times"}`;
	/** By what part of the usual it is more or less. */
	share?: number;
	/** How many times the usual it is. */
	times?: number;
}

/** Compares a day's revenue with a usual one, which is above zero. */
export function comparisonOf(revenue: number, usual: number): Comparison {
	const times = revenue / usual;
	const share = Math.abs(times - 1);
	if (share < sameShare) return { word: "letter.tookUsual" };
	if (times >= timesFrom) return { word: "letter.tookTimes", times };
	const word = times > 1 ? "letter.tookMore" : "letter.tookLess";
	return { word, share };
}
