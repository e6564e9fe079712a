import { randomBytes } from "node:crypto";
import { demoOwner } from "../../../sync/protocol/demo.ts";
import type { Authenticated } from "../../accounts/tokens.ts";
import type { Deps } from "../../deps.ts";
import { HttpError } from "../../http/http-error.ts";
import { makeDemoShop } from "./demo-shop.ts";
import { storeWithin } from "./store-within.ts";

/**
 * Creates the demo shop with an owner, and returns the owner's random password, which is not stored.
 *
 * @param isFirst whether the server must be empty
 * @throws HttpError 409 if it isn't, if it has a demo shop already, or if the owner's email is an administrator's
 */
export async function openDemo(
	{
		shop,
		passwords,
		adminEmails,
	}: Pick<Deps, "shop" | "passwords" | "adminEmails">,
	isFirst = true,
): Promise<Authenticated & { password: string }> {
	// Sign-in looks up administrators' emails in another table, so this owner could never sign in.
	if (adminEmails.has(demoOwner.email))
		throw new HttpError(409, "An account with that email already exists", {
			code: "email_taken",
		});
	const password = randomBytes(9).toString("base64url");
	const passwordHash = await passwords.hash(password);
	const owner = { ...demoOwner, passwordHash };
	const made = isFirst
		? await makeWhole(shop, owner)
		: await makeDemoShop(shop.store, shop.env, owner, { isFirst });
	return {
		user: { ...made, ...demoOwner, role: "user" },
		tokenVersion: 0,
		password,
	};
}

/**
 * Makes the demo shop in one transaction: an empty server on which it was interrupted would have an owner whose password
 * nobody knows, and no way to another one. Beside a shop that would have to wait, it is made in many.
 */
async function makeWhole(
	{ store, env }: Pick<Deps["shop"], "store" | "env">,
	owner: Parameters<typeof makeDemoShop>[2],
): Promise<{ id: string; businessId: string }> {
	return store.write(async (tx) => {
		const failures: unknown[] = [];
		const within = storeWithin(tx, (error) => failures.push(error));
		const made = await makeDemoShop(within, env, owner);
		if (failures.length > 0) throw failures[0];
		return made;
	});
}
