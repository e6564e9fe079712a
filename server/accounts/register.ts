import type * as z from "zod";
import type { Deps } from "../deps.ts";
import type { registration } from "./auth-routes.ts";
import type { Authenticated } from "./tokens.ts";
import { assertFreeEmail, createUser } from "./users.ts";

/**
 * Registers an account with its first business.
 *
 * @param isFirst requires that there is no account yet
 * @throws HttpError 409 for a known or an administrator's email, or if it is not the first; 429 after too many from one
 * address
 */
export async function register(
	{
		shop,
		passwords,
		adminEmails,
		registrationLimit,
	}: Pick<Deps, "shop" | "passwords" | "adminEmails" | "registrationLimit">,
	{ name, email, password, business }: z.output<typeof registration>,
	{
		address,
		isFirst = false,
	}: { address: string | undefined; isFirst?: boolean },
): Promise<Authenticated & { user: { businessId: string } }> {
	await registrationLimit.count(address);
	await assertFreeEmail(shop.store, email, adminEmails);
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
