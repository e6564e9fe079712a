import { HttpError } from "../errors.ts";

/** Failed sign-ins that are forgotten one by one, each after its share of this time. */
const windowMs = 15 * 60_000;
/** Of one account, in the window. */
const accountMax = 20;
/** From one address, whatever the accounts: a shop with many tills has one. */
const addressMax = 100;
/** Counts that are kept: far more than honest sign-ins make. */
const countsMax = 20_000;
/** Addresses that accounts have signed in from. */
const knownMax = 20_000;

export interface Guesses {
	/**
	 * Runs a sign-in that counts as a guess until it is known to be none.
	 *
	 * @throws HttpError 429 where there were too many
	 */
	attempt<T>(
		account: string,
		address: string,
		signIn: () => Promise<T>,
	): Promise<T>;
}

/**
 * Limits how often passwords can be guessed, of one account and from one address. An account that strangers guess at stays
 * open for its owner: an address that it was signed in from has a count of its own.
 *
 * @param now in milliseconds, of a clock that never goes back
 */
export function openGuesses(now = () => performance.now()): Guesses {
	const counts = new Map<string, { level: number; at: number }>();
	const known = new Set<string>();

	function levelOf(key: string, max: number): number {
		const count = counts.get(key);
		if (!count) return 0;
		return Math.max(0, count.level - ((now() - count.at) * max) / windowMs);
	}

	function add(key: string, max: number, guesses: number): void {
		const level = Math.max(0, levelOf(key, max) + guesses);
		counts.delete(key);
		if (level > 0) counts.set(key, { level, at: now() });
		if (counts.size > countsMax) forgetOldest(counts.keys(), counts);
	}

	function assertFew(key: string, max: number): void {
		const tooMany = levelOf(key, max) + 1 - max;
		if (tooMany <= 0) return;
		throw new HttpError(429, "Too many failed sign-ins, try again later", {
			retryAfterSeconds: Math.ceil((tooMany * windowMs) / max / 1_000),
		});
	}

	return {
		async attempt(account, address, signIn) {
			const from = networkOf(address);
			const pair = `${from} ${account}`;
			const limits = [
				[from, addressMax],
				[known.has(pair) ? pair : account, accountMax],
			] as const;
			for (const [key, max] of limits) assertFew(key, max);
			// Before the answer: those that are asked at the same time count, too.
			for (const [key, max] of limits) add(key, max, 1);
			try {
				const done = await signIn();
				for (const [key, max] of limits) add(key, max, -1);
				known.delete(pair);
				known.add(pair);
				if (known.size > knownMax) forgetOldest(known.keys(), known);
				return done;
			} catch (error) {
				const isGuess = error instanceof HttpError && error.status === 401;
				if (!isGuess) for (const [key, max] of limits) add(key, max, -1);
				throw error;
			}
		},
	};
}

function forgetOldest(
	keys: Iterator<string>,
	from: { delete(key: string): boolean },
): void {
	const { value } = keys.next();
	if (value !== undefined) from.delete(value);
}

/** Of IPv6 the network: whoever has one address there has them all. */
function networkOf(address: string): string {
	const bare = address.replace(/^::ffff:/i, "");
	if (!bare.includes(":")) return bare;
	const [head = "", tail] = bare.split("::");
	const groups = head.split(":");
	if (tail !== undefined) while (groups.length < 4) groups.push("0");
	return groups.slice(0, 4).join(":");
}
