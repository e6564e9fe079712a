import * as z from "zod";
import type { Deps } from "../deps.ts";
import { HttpError } from "../http/http-error.ts";
import { operation, type Routes } from "../http/operation.ts";
import { openDemo } from "../operations/demo/demo-account.ts";
import { setup, setupCode } from "./auth-routes.ts";
import { register } from "./register.ts";
import { setSession } from "./session-cookie.ts";
import { user } from "./tokens.ts";
import { hasUsers } from "./users.ts";

/** The first shop of a server, made by a person at its machine or with the code that its start prints. */
export function setupRoutes(deps: Deps): Routes {
	const { shop, tokens, setupDoor } = deps;

	const isEmpty = async () => !(await hasUsers(shop.store));

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
				answers: {
					200: z.object({
						isEmpty: z.boolean(),
						/** Whether this caller has to send the setup code. */
						needsCode: z.boolean(),
					}),
				},
				async handle({ request, response }) {
					const isWaiting = await isEmpty();
					response.json({
						isEmpty: isWaiting,
						needsCode: isWaiting && setupDoor.needsCode(request),
					});
				},
			}),

			POST: operation({
				summary: "Make the first account with its shop, and sign in",
				access: "anyone",
				body: setup,
				answers: { 201: z.object({ user }) },
				failures: [403, 409, 429],
				async handle({ request, body, response }) {
					await assertEmpty();
					setupDoor.assertOpen(request, body.setupCode);
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
				body: z.object({ setupCode }),
				failures: [403, 409, 429],
				answers: {
					201: z.object({
						user,
						/** Told this once. */
						password: z.string(),
					}),
				},
				async handle({ request, body, response }) {
					await assertEmpty();
					setupDoor.assertOpen(request, body.setupCode);
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
