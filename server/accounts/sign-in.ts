import type { Store } from "../../sync/store/store.ts";
import { HttpError } from "../http/http-error.ts";
import { noteUser } from "../http/request-id.ts";
import type { Passwords } from "./passwords.ts";
import type { Authenticated } from "./tokens.ts";
import { findAccount, normalEmail } from "./users.ts";

/**
 * Signs a user in.
 *
 * @param address the caller's network address
 * @throws HttpError 401; 429 after too many failures
 */
export type SignIn = (
	credentials: unknown,
	address: string,
) => Promise<Authenticated>;

const emailMax = 254;

/** The email in credentials, even if it has no account. */
export function accountOf(credentials: unknown): string {
	const { email } = (credentials ?? {}) as Record<string, unknown>;
	return typeof email === "string" ? normalEmail(email).slice(0, emailMax) : "";
}

/**
 * Checks an email and a password with one comparison against one table. The failure and its time are the same whether the
 * account is missing or the password is wrong.
 *
 * @throws HttpError 401
 */
export async function signIn(
	store: Store,
	passwords: Passwords,
	adminEmails: ReadonlySet<string>,
	credentials: unknown,
): Promise<Authenticated> {
	const { email, password } = (credentials ?? {}) as Record<string, unknown>;
	const account =
		typeof email === "string"
			? await findAccount(store, normalEmail(email), adminEmails)
			: undefined;
	const matches = await passwords.matches(
		typeof password === "string" ? password : "",
		account?.passwordHash,
	);
	noteUser(account?.user.id);
	if (!account || !matches)
		throw new HttpError(401, "Invalid email or password", {
			code: "wrong_password",
		});
	const { user, tokenVersion } = account;
	return { user, tokenVersion };
}
