import { limitsOf } from "./attempt-counter.ts";
import type { Attempts } from "./attempts.ts";

/** New accounts allowed per address in a quarter of an hour. */
const addressMax = 50;

export interface RegistrationLimit {
	/** Counts a registration before its password is hashed. @throws HttpError 429 after too many */
	count(address: string | undefined): Promise<void>;
}

/** Limits how many accounts one address can register, because each costs a hash and stays. */
export function openRegistrationLimit(attempts: Attempts): RegistrationLimit {
	return {
		count: (address = "") =>
			attempts.take(
				limitsOf(address, addressMax),
				"Too many new accounts, try again later",
			),
	};
}
