import * as z from "zod";
import { register } from "../auth/register.ts";
import { setSession } from "../auth/session-cookie.ts";
import { user } from "../auth/tokens.ts";
import { openDemo } from "../demo/demo-account.ts";
import { HttpError } from "../errors.ts";
import { type Deps, operation, type Routes } from "../routes.ts";
import { registration } from "./auth.ts";

/**
 * The first shop of a server. While there is no account, whoever reaches the server may make the first: that is the deal
 * of a machine that hosts itself, and it ends with that account.
 */
export function setupRoutes(deps: Deps): Routes {
	const { shop, tokens } = deps;

	async function isEmpty(): Promise<boolean> {
		const row = await shop.store.read((tx) =>
			tx.get("SELECT 1 AS known FROM users LIMIT 1"),
		);
		return row === undefined;
	}

	/** Before a password is hashed. @throws HttpError 409 */
	async function assertEmpty(): Promise<void> {
		if (await isEmpty()) return;
		throw new HttpError(409, "This server has its shop already");
	}

	return {
		"/api/setup": {
			GET: operation({
				summary: "Whether this server still waits for its first shop",
				access: "anyone",
				answers: { 200: z.object({ isEmpty: z.boolean() }) },
				async handle({ response }) {
					response.json({ isEmpty: await isEmpty() });
				},
			}),

			POST: operation({
				summary: "Make the first account with its shop, and sign in",
				access: "anyone",
				body: registration,
				answers: { 201: z.object({ user }) },
				failures: [409],
				async handle({ request, body, response }) {
					await assertEmpty();
					const made = await register(deps, body, {
						address: request.ip,
						isFirst: true,
					});
					await setSession(request, response, tokens, made);
					response.status(201).json({ user: made.user });
				},
			}),
		},

		"/api/setup/demo": {
			POST: operation({
				summary: "Make a demo shop to look around in, and sign in to it",
				access: "anyone",
				failures: [409],
				answers: {
					201: z.object({
						user,
						/** Told this once. */
						password: z.string(),
					}),
				},
				async handle({ request, response }) {
					await assertEmpty();
					const made = await openDemo(deps);
					await setSession(request, response, tokens, made);
					response
						.status(201)
						.json({ user: made.user, password: made.password });
				},
			}),
		},
	};
}
