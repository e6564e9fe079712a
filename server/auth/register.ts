import type * as z from "zod";
import type { registration } from "../api/auth.ts";
import { HttpError } from "../errors.ts";
import type { Deps } from "../routes.ts";
import type { Authenticated } from "./tokens.ts";
import { createUser } from "./users.ts";

/**
 * Makes an account with its first business.
 *
 * @param isFirst only where there is no account yet
 * @throws HttpError 409 for a known email, an administrator's, or where it is not the first
 */
export async function register(
	{
		shop,
		passwords,
		adminEmails,
	}: Pick<Deps, "shop" | "passwords" | "adminEmails">,
	{ name, email, password, business }: z.output<typeof registration>,
	{ isFirst = false } = {},
): Promise<Authenticated & { user: { businessId: string } }> {
	// These belong to the administrators' own store.
	if (adminEmails.has(email))
		throw new HttpError(409, "An account with that email already exists");
	const passwordHash = await passwords.hash(password);
	const { id, businessId } = await createUser(
		shop.store,
		shop.env,
		{ email, name, passwordHash },
		{ business },
		{ isFirst },
	);
	return {
		user: { id, email, name, role: "user", businessId },
		tokenVersion: 0,
	};
}
