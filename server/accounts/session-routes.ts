import * as z from "zod";
import { roles } from "../../sync/entities/entity.ts";
import type { Deps } from "../deps.ts";
import { isForm, strangersBodyMaxBytes } from "../http/body.ts";
import { operation, type Routes } from "../http/operation.ts";
import { logSession } from "../http/refusals.ts";
import { currentRequest } from "../http/request-id.ts";
import { credentials } from "./auth-routes.ts";
import { clearSession, setSession } from "./session-cookie.ts";
import { user } from "./tokens.ts";
import { membershipsOf } from "./users.ts";

/** Redirects a form's sender to the first page. */
const seeOther = {};

/** Routes of a browser's session. */
export function sessionRoutes(deps: Deps): Routes {
	const { shop, tokens } = deps;
	return {
		"/login": {
			POST: operation({
				summary: "Sign in to get a session cookie for 30 days",
				access: "anyone",
				body: credentials,
				bodyMaxBytes: strangersBodyMaxBytes,
				form: true,
				answers: { 200: z.object({ user }), 303: seeOther },
				failures: [401, 429],
				async handle({ request, body, response }) {
					const found = await deps.signIn(body, request.ip ?? "");
					logSession(deps.log, request, found.user.id, "Signed in");
					await setSession(request, response, tokens, found);
					if (isForm(request)) response.redirect(303, "/");
					else response.json({ user: found.user });
				},
			}),
		},

		"/logout": {
			POST: operation({
				summary: "Sign out: clear the cookie and end its session",
				access: "anyone",
				answers: { 200: z.object({ ok: z.literal(true) }), 303: seeOther },
				async handle({ request, response }) {
					clearSession(request, response);
					await deps.authenticator.signOut(request);
					logSession(deps.log, request, currentRequest()?.userId, "Signed out");
					if (isForm(request)) response.redirect(303, "/");
					else response.json({ ok: true });
				},
			}),
		},

		"/api/session": {
			GET: operation({
				summary:
					"Get the browser's signed-in user with their role in their first business",
				access: "userSession",
				answers: { 200: z.object({ user, role: z.enum(roles).nullable() }) },
				async handle({ identity, response }) {
					const [first] =
						identity.role === "admin"
							? []
							: await shop.store.read((tx) => membershipsOf(tx, identity.id));
					// The membership may be newer than the token.
					const businessId = first?.businessId ?? null;
					response.json({
						user: { ...identity, businessId },
						role: first?.role ?? null,
					});
				},
			}),
		},
	};
}
