import * as z from "zod";
import { managing, type Role } from "../../sync/entities/entity.ts";
import { toIso } from "../../sync/protocol/clock.ts";
import type { PinKey } from "../../sync/protocol/pin-key.ts";
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
import { type Member, members } from "./members.ts";
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
		write: (tx: Connection, member: Member) => Promise<void>,
	): Promise<void> {
		if (id !== caller.userId) assertRole(caller, ["OWNER"]);
		await store.write(async (tx) => {
			const all = await members(tx).list(caller.businessId);
			const member = all.find(({ userId }) => userId === id);
			if (!member) throw new HttpError(404, "Member not found");
			await write(tx, member);
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
					const { businessId } = caller;
					await change(caller, id, async (tx, { role }) => {
						assertLongEnough(body, role);
						const at = toIso(env.now());
						await changePinKey(tx, businessId, id, body, at);
					});
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

/** A person who copies a till's database guesses four digits in minutes, and signs with them. @throws HttpError 400 */
function assertLongEnough({ digits }: PinKey, role: Role): void {
	if (managing.includes(role) && digits < 6)
		throw new HttpError(
			400,
			"digits: the PIN of an owner or a manager must have six digits",
			{ code: "invalid_args", path: ["digits"] },
		);
}
