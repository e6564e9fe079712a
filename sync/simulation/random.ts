/** A deterministic random number generator. */
export interface Random {
	/** From 0 to less than 1. */
	next(): number;
	/** An integer from 0 to less than `count`. */
	below(count: number): number;
	chance(probability: number): boolean;
	pick<T>(items: readonly T[]): T;
	bytes(count: number): Uint8Array;
}

/** @param seed parts that determine the numbers; different parts give different numbers */
export function openRandom(...seed: (string | number)[]): Random {
	let state = hashOf(seed.join(" "));

	/** mulberry32 */
	function next(): number {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	}

	const below = (count: number) => Math.floor(next() * count);
	return {
		next,
		below,
		chance: (probability) => next() < probability,
		pick: <T>(items: readonly T[]) => items[below(items.length)] as T,
		bytes: (count) => Uint8Array.from({ length: count }, () => below(256)),
	};
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
	let hash = 0x811c9dc5;
	for (let i = 0; i < text.length; i += 1)
		hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
	return hash;
}
