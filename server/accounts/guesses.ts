import { HttpError } from "../http/http-error.ts";
import { networkOf } from "../http/networks.ts";
import { forgetOldest, type Limit, limitsOf, openTries } from "./tries.ts";

/** Failed sign-ins of one account, in a quarter of an hour. */
const accountMax = 20;
/** From one address, whatever the accounts: a shop with many tills has one. */
const addressMax = 100;
/** Addresses that accounts have signed in from. */
const knownMax = 20_000;

interface Guesses {
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
	const tries = openTries(now);
	const known = new Set<string>();
	return {
		async attempt(account, address, signIn) {
			const pair = `${networkOf(address)} ${account}`;
			const limits: Limit[] = [
				...limitsOf(address, addressMax),
				[known.has(pair) ? pair : account, accountMax],
			];
			tries.assertFew(limits, "Too many failed sign-ins, try again later");
			// Before the answer: those that are asked at the same time count, too.
			tries.add(limits, 1);
			try {
				const done = await signIn();
				tries.add(limits, -1);
				known.delete(pair);
				known.add(pair);
				if (known.size > knownMax) forgetOldest(known);
				return done;
			} catch (error) {
				const isGuess = error instanceof HttpError && error.status === 401;
				if (!isGuess) tries.add(limits, -1);
				throw error;
			}
		},
	};
}
