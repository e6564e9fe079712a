import { limitsOf, openAttemptCounter } from "./attempt-counter.ts";

/** New accounts allowed per address in a quarter of an hour. */
const addressMax = 50;

export interface RegistrationLimit {
	/** Counts a registration before its password is hashed. @throws HttpError 429 after too many */
	count(address: string | undefined): void;
}

/**
 * Limits how many accounts one address can register, because each costs a hash and stays.
 *
 * @param now a monotonic clock in milliseconds
 */
export function openRegistrationLimit(
	now = () => performance.now(),
): RegistrationLimit {
	const tries = openAttemptCounter(now);
	return {
		count(address = "") {
			const limits = limitsOf(address, addressMax);
			tries.assertBelow(limits, "Too many new accounts, try again later");
			tries.add(limits, 1);
		},
	};
}
