import * as z from "zod";
import { toIso } from "../../sync/protocol/clock.ts";
import type { Caller } from "../../sync/shop.ts";
import type { Connection } from "../../sync/store/store.ts";
import {
	changePinKey,
	pinKey,
	readStaff,
	removePinKey,
	staffAnswer,
} from "../../sync/till/staff.ts";
import type { Deps } from "../deps.ts";
import { HttpError } from "../http/http-error.ts";
import { operation, type Routes } from "../http/operation.ts";
import { members } from "./members.ts";
import { assertRole } from "./roles.ts";

const ok = z.object({ ok: z.literal(true) });

/**
 * Routes of the PINs under which members sell at a till. The server never sees a PIN: its key is derived where it is
 * typed. Tills check PINs themselves, so any till of the shop may have the keys.
 */
export function staffRoutes({ shop: { store, env } }: Deps): Routes {
	/** Writes a member's key: their own, or an owner's for any member. @throws HttpError 403, 404 */
	async function change(
		caller: Caller,
		id: string,
		write: (tx: Connection) => Promise<void>,
	): Promise<void> {
		if (id !== caller.userId) assertRole(caller, ["OWNER"]);
		await store.write(async (tx) => {
			const all = await members(tx).list(caller.businessId);
			if (!all.some(({ userId }) => userId === id))
				throw new HttpError(404, "Member not found");
			await write(tx);
		});
	}

	return {
		"/api/members/:id/pin": {
			POST: operation({
				summary: "Set a member's PIN for switching the cashier at a till",
				access: "member",
				body: pinKey,
				failures: [403],
				answers: { 200: ok },
				async handle({ caller, id, body, response }) {
					await change(caller, id, (tx) =>
						changePinKey(tx, caller.businessId, id, body, toIso(env.now())),
					);
					response.json({ ok: true });
				},
			}),

			DELETE: operation({
				summary: "Remove a member's PIN",
				access: "member",
				failures: [403],
				answers: { 200: ok },
				async handle({ caller, id, response }) {
					await change(caller, id, (tx) =>
						removePinKey(tx, caller.businessId, id, toIso(env.now())),
					);
					response.json({ ok: true });
				},
			}),
		},

		"/api/till/staff": {
			GET: operation({
				summary:
					"List the members who have a PIN, with the keys that tills check it against",
				access: "member",
				answers: { 200: staffAnswer },
				async handle({ caller, response }) {
					const people = await store.read((tx) =>
						readStaff(tx, caller.businessId),
					);
					response.json({ people });
				},
			}),
		},
	};
}
