import type { Request } from "express";
import * as z from "zod";
import type { Deps } from "../deps.ts";
import { strangersBodyMaxBytes } from "../http/body.ts";
import { HttpError } from "../http/http-error.ts";
import { operation, type Routes } from "../http/operation.ts";
import { openDemo } from "../operations/demo/demo-account.ts";
import { setup, setupCode } from "./auth-routes.ts";
import { register } from "./register.ts";
import { setSession } from "./session-cookie.ts";
import { user } from "./tokens.ts";
import { hasUsers } from "./users.ts";

function closed(): HttpError {
	return new HttpError(409, "This server already has a shop", {
		code: "shop_exists",
	});
}

/** Routes that create a server's first shop, for a person at this machine or with the printed code. */
export function setupRoutes(deps: Deps): Routes {
	const { shop, tokens, setupGuard, authenticator } = deps;

	const isEmpty = async () => !(await hasUsers(shop.store));

	/** Called before a password is hashed. @throws HttpError 409 if there is an account */
	async function assertEmpty(): Promise<void> {
		if (await isEmpty()) return;
		throw closed();
	}

	/** @throws HttpError 409 unless an owner of this server is signed in */
	async function assertOwner(request: Request): Promise<void> {
		const callers = await authenticator
			.sessionMemberships(request)
			.catch((error: unknown) => {
				if (error instanceof HttpError) return [];
				throw error;
			});
		if (!callers.some(({ role }) => role === "OWNER")) throw closed();
	}

	return {
		"/api/setup": {
			GET: operation({
				summary: "Get whether this server needs its first shop",
				access: "anyone",
				answers: {
					200: z.object({
						isEmpty: z.boolean(),
						/** Whether this caller must send the setup code. */
						needsCode: z.boolean(),
					}),
				},
				async handle({ request, response }) {
					const isWaiting = await isEmpty();
					response.json({
						isEmpty: isWaiting,
						needsCode: isWaiting && setupGuard.needsCode(request),
					});
				},
			}),

			POST: operation({
				summary: "Create the first account with its shop, and sign in",
				access: "anyone",
				body: setup,
				bodyMaxBytes: strangersBodyMaxBytes,
				answers: { 201: z.object({ user }) },
				failures: [403, 409, 429],
				async handle({ request, body, response }) {
					await assertEmpty();
					await setupGuard.assertOpen(request, body.setupCode);
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
				summary:
					"Create a demo shop, and sign in to it: on an empty server, or beside the shop of a signed-in owner",
				access: "anyone",
				body: z.object({ setupCode }),
				bodyMaxBytes: strangersBodyMaxBytes,
				failures: [403, 409, 429],
				answers: {
					201: z.object({
						user,
						/** Returned only here. */
						password: z.string(),
					}),
				},
				async handle({ request, body, response }) {
					const isFirst = await isEmpty();
					if (isFirst) await setupGuard.assertOpen(request, body.setupCode);
					else await assertOwner(request);
					const made = await openDemo(deps, isFirst);
					await setSession(request, response, tokens, made);
					response
						.status(201)
						.json({ user: made.user, password: made.password });
				},
			}),
		},
	};
}
