import * as z from "zod";
import { defineMutation } from "./entity.ts";
import { recordId } from "./fields.ts";
import { inboxItem, raise } from "./inbox.ts";

/** Reports that a till has locked a member's PIN, after wrong ones: somebody may be guessing it. */
export const pinLock = defineMutation({
	name: "pin.lock",
	args: z.strictObject({
		/** Names the lock: the inbox item has this id. */
		id: recordId,
		/** Whose PIN it is. */
		userId: recordId,
	}),
	ownId: ({ id }) => id,
	sentence: ({ userId }) => `Locked the PIN of member ${userId}`,
	examples: [{ id: "lock", userId: "member" }],
	async apply(context, { id, userId }) {
		if (await context.isRecorded(inboxItem, id, isLock)) return;
		await raise(context, null, { id, cause: "pin_locked" });
		const { userId: maker } = context;
		await context.notify({
			...{ code: "pin_locked", act: "pin.lock", id, userId: maker },
			...{ approver: userId, amount: 0 },
		});
	},
});

const isLock = ({ cause }: { cause: string }) => cause === "pin_locked";
