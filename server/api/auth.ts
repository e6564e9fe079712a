import * as z from "zod";
import { currency, requiredText, timeZone } from "../../sync/fields.ts";
import { isTooLong } from "../auth/passwords.ts";
import { signIn } from "../auth/sign-in.ts";
import { createUser, normalEmail } from "../auth/users.ts";
import { readJson } from "../body.ts";
import { HttpError } from "../errors.ts";
import type { Deps, Routes } from "../routes.ts";

const passwordMin = 8;
const nameField = requiredText(200);

/** Business API, "Authentication and accounts". */
export function authRoutes(deps: Deps): Routes {
	const { shop, passwords, tokens, adminEmails } = deps;
	return {
		"/api/auth/mobile-login": {
			async POST(request, response) {
				const credentials = await readJson(request);
				const user = await signIn(
					shop.store,
					passwords,
					adminEmails,
					credentials,
				);
				response.json({ token: await tokens.sign(user, "bearer"), user });
			},
		},

		"/api/auth/register": {
			async POST(request, response) {
				const { password, ...account } = toRegistration(
					await readJson(request),
				);
				// These belong to the administrators' own store.
				if (adminEmails.has(account.email))
					throw new HttpError(409, "An account with that email already exists");
				const passwordHash = await passwords.hash(password);
				const { email, name, business } = account;
				const { id, businessId } = await createUser(
					shop.store,
					shop.env,
					{ email, name, passwordHash },
					{ business },
				);
				response.status(201).json({ id, email, name, businessId });
			},
		},
	};
}

/** Checks in the order and words of the contract; currency and time zone are ours, and optional. */
export function toRegistration(body: Record<string, unknown>) {
	const name = typeof body.name === "string" ? body.name.trim() : "";
	if (name === "") throw new HttpError(400, "Name is required");
	if (!nameField.safeParse(name).success)
		throw new HttpError(
			400,
			"Name must be well-formed, 200 characters at most",
		);
	const email = normalEmail(typeof body.email === "string" ? body.email : "");
	if (!z.email().max(254).safeParse(email).success)
		throw new HttpError(400, "Enter a valid email address");
	const { password } = body;
	if (typeof password !== "string" || password.length < passwordMin)
		throw new HttpError(
			400,
			`Password must be at least ${passwordMin} characters`,
		);
	if (isTooLong(password))
		throw new HttpError(400, "Password must be at most 72 bytes");
	const given = typeof body.businessName === "string" ? body.businessName : "";
	return {
		name,
		email,
		password,
		business: {
			name: checked(
				nameField,
				given.trim() || `${name}'s Business`,
				"businessName",
			),
			currency: checked(currency, body.currency ?? "KES", "currency"),
			timeZone: checked(
				timeZone,
				body.timeZone ?? "Africa/Nairobi",
				"timeZone",
			),
		},
	};
}

function checked<T>(schema: z.ZodType<T>, value: unknown, field: string): T {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	throw new HttpError(400, `${field}: ${parsed.error.issues[0]?.message}`);
}
