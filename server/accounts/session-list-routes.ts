import * as z from "zod";
import { timestamp } from "../../sync/entities/fields.ts";
import type { Connection } from "../../sync/store/store.ts";
import type { Deps } from "../deps.ts";
import { HttpError } from "../http/http-error.ts";
import { operation, type Routes } from "../http/operation.ts";
import { members } from "./members.ts";
import type { Identity } from "./tokens.ts";
import { membershipsOf } from "./users.ts";

const session = z
	.object({
		id: z.string(),
		userId: z.string(),
		userName: z.string(),
		kind: z.enum(["browser", "program"]),
		agent: z.string(),
		createdAt: timestamp,
		lastSeenAt: timestamp,
		/** Whether it is the one that asks. */
		current: z.boolean(),
	})
	.meta({ id: "Session" });

/** Routes of sessions: everybody sees and ends their own, an owner also those of people who work nowhere else. */
export function sessionListRoutes({
	shop: { store },
	sessions,
	authenticator,
}: Deps): Routes {
	const usersOf = (identity: Identity) =>
		store.read((tx) => usersUnder(tx, identity));

	return {
		"/api/sessions": {
			GET: operation({
				summary:
					"List the caller's sessions; for an owner, also those of people who work nowhere else",
				access: "userSession",
				answers: { 200: z.object({ sessions: z.array(session) }) },
				async handle({ identity, request, response }) {
					const own = await authenticator.sessionId(request);
					const found = await sessions.list(await usersOf(identity));
					response.json({
						sessions: found.map((one) => ({ ...one, current: one.id === own })),
					});
				},
			}),
		},

		"/api/sessions/:id": {
			DELETE: operation({
				summary: "End a session, such as that of a lost phone",
				access: "userSession",
				answers: { 200: z.object({ ok: z.literal(true) }) },
				async handle({ identity, id, response }) {
					const userId = await sessions.userOf(id);
					if (!userId || !(await usersOf(identity)).includes(userId))
						throw new HttpError(404, "Session not found");
					await sessions.end(id);
					response.json({ ok: true });
				},
			}),
		},
	};
}

/** The users whose sessions a user sees. */
async function usersUnder(tx: Connection, { id, role }: Identity) {
	const users = new Set([id]);
	// Administrators see no shop's people.
	if (role === "admin") return [...users];
	for (const { businessId, role } of await membershipsOf(tx, id)) {
		if (role !== "OWNER") continue;
		for (const { userId } of await members(tx).list(businessId))
			if ((await membershipsOf(tx, userId)).length === 1) users.add(userId);
	}
	return [...users];
}
