import { HttpError } from "../http/http-error.ts";
import { networkOf } from "../http/networks.ts";
import {
	forgetOldest,
	type Limit,
	limitsOf,
	openAttemptCounter,
} from "./attempt-counter.ts";

/** Failed sign-ins allowed per account in a quarter of an hour. */
const accountMax = 20;
/** Failed sign-ins allowed per address, over all accounts: a shop with many tills shares one address. */
const addressMax = 100;
/** The most remembered pairs of account and address. */
const knownMax = 20_000;

interface SignInLimit {
	/**
	 * Runs a sign-in, which counts as a failure until it succeeds.
	 *
	 * @throws HttpError 429 after too many failures
	 */
	attempt<T>(
		account: string,
		address: string,
		signIn: () => Promise<T>,
	): Promise<T>;
}

/**
 * Limits password guesses per account and per address. Addresses from which an account has signed in are counted
 * separately, so that strangers can't lock its owner out.
 *
 * @param now a monotonic clock in milliseconds
 */
export function openSignInLimit(now = () => performance.now()): SignInLimit {
	const tries = openAttemptCounter(now);
	const known = new Set<string>();
	return {
		async attempt(account, address, signIn) {
			const pair = `${networkOf(address)} ${account}`;
			const limits: Limit[] = [
				...limitsOf(address, addressMax),
				[known.has(pair) ? pair : account, accountMax],
			];
			tries.assertBelow(limits, "Too many failed sign-ins, try again later");
			// Count before the result, so that concurrent attempts count, too.
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
