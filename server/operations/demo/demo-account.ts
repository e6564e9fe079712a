import { randomBytes } from "node:crypto";
import { demoOwner } from "../../../sync/protocol/demo.ts";
import type { Authenticated } from "../../accounts/tokens.ts";
import type { Deps } from "../../deps.ts";
import { HttpError } from "../../http/http-error.ts";
import { makeDemoShop } from "./demo-shop.ts";

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
	const made = await makeDemoShop(shop.store, shop.env, owner, { isFirst });
	return {
		user: { ...made, ...demoOwner, role: "user" },
		tokenVersion: 0,
		password,
	};
}
