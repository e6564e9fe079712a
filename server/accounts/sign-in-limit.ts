import { HttpError } from "../http/http-error.ts";
import { networkOf } from "../http/networks.ts";
import { type Limit, limitsOf } from "./attempt-counter.ts";
import type { Attempts } from "./attempts.ts";

/** Failed sign-ins allowed per account in a quarter of an hour. */
const accountMax = 20;
/** Failed sign-ins allowed per address, over all accounts: a shop with many tills shares one address. */
const addressMax = 100;

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
 */
export function openSignInLimit(attempts: Attempts): SignInLimit {
	return {
		async attempt(account, address, signIn) {
			const pair = `${networkOf(address)} ${account}`;
			const isKnown = await attempts.knows(pair);
			const limits: Limit[] = [
				...limitsOf(address, addressMax),
				// An account is any text, also that of a pair.
				[isKnown ? `pair ${pair}` : `account ${account}`, accountMax],
			];
			await attempts.take(limits, "Too many failed sign-ins, try again later");
			try {
				const done = await signIn();
				await attempts.giveBack(limits, pair);
				return done;
			} catch (error) {
				const isGuess = error instanceof HttpError && error.status === 401;
				if (!isGuess) await attempts.giveBack(limits);
				throw error;
			}
		},
	};
}
