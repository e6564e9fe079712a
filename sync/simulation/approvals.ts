import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { approvedText } from "../entities/approval.ts";
import { businessUpdate } from "../entities/business.ts";
import { cashMove } from "../entities/cash.ts";
import { approvedByPin } from "../entities/inbox.ts";
import { pinLock } from "../entities/pin-lock.ts";
import { toIso } from "../protocol/clock.ts";
import { derivedId, newId } from "../protocol/ids.ts";
import type { Connection } from "../store/store.ts";
import { writePinKey } from "../till/staff.ts";
import { type Act, pickTill } from "./pick-till.ts";
import { cashier } from "./sessions.ts";
import { canaryOf } from "./witness.ts";
import type { World } from "./world.ts";

/** The member who approves; the server has the key from the start. */
const approver = "owner";
const key = createPrivateKey({
	key: Buffer.concat([
		Buffer.from("302e020100300506032b657004220420", "hex"),
		Buffer.alloc(32, 7),
	]),
	...{ format: "der", type: "pkcs8" },
});
const publicKey = createPublicKey(key)
	.export({ format: "der", type: "spki" })
	.subarray(-32)
	.toString("hex");

/** Gives the approver a PIN, as far as the server is concerned. */
export async function addApprover(
	tx: Connection,
	businessId: string,
): Promise<void> {
	const pin = {
		salt: "00".repeat(16),
		publicKey,
		kdf: "scrypt-14-8-1",
		digits: 6,
	} as const;
	await writePinKey(tx, businessId, approver, pin, "2026-01-01T00:00:00.000Z");
}

/** Sets a cashier's limit, or takes cash out as a cashier: without an approval, with one, or with a forged one. */
export const takesCash: Act = async (world, random) => {
	const till = pickTill(world, random);
	if (!till) return;
	const { businessId, caller, machine, replica } = till;
	const kind = random.next();
	const id = newId(machine.env);
	const taken = 1 + random.below(200);
	await world.attempt(async () => {
		if (kind < 0.05) {
			await replica.mutate(caller, pinLock, { id, userId: approver });
			return;
		}
		if (kind < 0.3) {
			const limits = [{ role: "CASHIER" as const, cashOutMax: taken }];
			await replica.mutate(caller, businessUpdate, { set: { limits } });
			return;
		}
		const given = { by: approver, amount: taken, at: toIso(machine.env.now()) };
		const isForged = kind > 0.8;
		const signed = isForged ? { ...given, amount: taken - 1 } : given;
		const text = approvedText({ act: "cash.move", id, ...signed });
		const signature = sign(null, Buffer.from(text), key).toString("hex");
		const approval = { ...given, signature };
		await replica.mutate(
			caller,
			cashMove,
			{
				...{ id, amount: -taken, category: "expense" as const },
				reason: `Charcoal ${canaryOf(businessId)}`,
				...(kind > 0.5 && { approval }),
			},
			{ id, by: cashier },
		);
		if (kind > 0.5) world.witness.approvals.set(id, isForged);
	});
};

/** No forged approval settles anything, and no right one is taken for a forged one. */
export async function judgeApprovals(
	{ witness }: World,
	tx: Connection,
	businessId: string,
): Promise<void> {
	for (const [mutationId, isForged] of witness.approvals)
		for (const n of [1, 2]) {
			const item = await tx.get(
				"SELECT cause, resolution FROM inbox_items WHERE business_id = ? AND id = ?",
				businessId,
				derivedId(mutationId, n),
			);
			if (!item) continue;
			if (isForged && item.resolution === approvedByPin)
				witness.fail("a forged approval was believed", mutationId);
			if (!isForged && item.cause === "bad_approval")
				witness.fail("a right approval was not believed", mutationId);
			witness.count(isForged ? "forged approval" : "approval");
		}
}
