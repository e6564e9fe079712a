import type { Store } from "../../sync/store/store.ts";
import { HttpError } from "../errors.ts";
import { isTooLong, type Passwords } from "./passwords.ts";
import type { Identity } from "./tokens.ts";
import { findAccount, normalEmail } from "./users.ts";

/** @throws HttpError 401 */
export type SignIn = (credentials: unknown) => Promise<Identity>;

/**
 * Checks an email and a password: one comparison against exactly one store (business API, "Authentication" 5). The
 * failure is the same, and takes as long, whether the account is missing or the password is wrong.
 *
 * @throws HttpError 401
 */
export async function signIn(
	store: Store,
	passwords: Passwords,
	adminEmails: ReadonlySet<string>,
	credentials: unknown,
): Promise<Identity> {
	const { email, password } = (credentials ?? {}) as Record<string, unknown>;
	const account =
		typeof email === "string"
			? await findAccount(store, normalEmail(email), adminEmails)
			: undefined;
	const matches = await passwords.matches(
		typeof password === "string" && !isTooLong(password) ? password : "",
		account?.passwordHash,
	);
	if (!account || !matches)
		throw new HttpError(401, "Invalid email or password");
	return account.identity;
}
