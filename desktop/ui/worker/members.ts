import * as z from "zod";
import { managing, roles } from "../../../sync/entities/entity.ts";
import { toIso } from "../../../sync/protocol/clock.ts";
import type { Env } from "../../../sync/protocol/ids.ts";
import type { Store } from "../../../sync/store/store.ts";
import {
	isDownloaded,
	writeMembership,
	writeName,
} from "../../../sync/till/local-members.ts";
import { staffAnswer } from "../../../sync/till/staff.ts";
import type { Member } from "./messages.ts";

/**
 * The members who have signed in on this browser, and those whom they may see: receipts name them, and a mutation keeps its
 * author even if another member sends it.
 */
export interface Members {
	meet(member: Member): void;
	/** Retries what failed because the shop wasn't here yet or the server was down. */
	keep(): Promise<void>;
}

export function openMembers(store: Store, env: Env): Members {
	const met = new Set<string>();
	const waiting = new Map<string, Member>();
	/** The member whose list of members is still to be fetched. */
	let curious: Member | undefined;

	async function keep(): Promise<void> {
		for (const [key, member] of waiting)
			if (await write([member])) waiting.delete(key);
		const asking = curious;
		if (!asking || waiting.size > 0) return;
		curious = undefined;
		const answer = await askFor(
			asking.businessId,
			"/api/members",
			membersAnswer,
		);
		const others = answer?.members;
		if (others) await write(others.map((one) => ({ ...asking, ...one })));
		else curious ??= asking;
	}

	/** @returns false if only names could be written */
	const write = (members: Member[]) =>
		store.write(async (tx) => {
			const at = toIso(env.now());
			const written = members.map((one) => ({ ...one, id: one.userId }));
			for (const one of written) await writeName(tx, one, at);
			const [{ businessId }] = members as [Member];
			const isFilled = await isDownloaded(tx, businessId);
			if (isFilled)
				for (const one of written)
					await writeMembership(tx, businessId, one, at);
			return isFilled;
		});

	return {
		keep,
		meet(member) {
			const key = JSON.stringify([member.userId, member.name, member.role]);
			if (met.has(key)) return;
			met.add(key);
			waiting.set(key, member);
			if (managing.includes(member.role)) curious = member;
			void keep().catch(console.error);
		},
	};
}

const membersAnswer = z.object({
	members: z.array(
		z.object({ userId: z.string(), name: z.string(), role: z.enum(roles) }),
	),
});

/** @returns undefined if the server can't be reached or doesn't say */
export function readStaff(businessId: string) {
	return askFor(businessId, "/api/till/staff", staffAnswer);
}

async function askFor<S extends z.ZodType>(
	businessId: string,
	path: string,
	schema: S,
): Promise<z.output<S> | undefined> {
	try {
		const answer = await fetch(path, {
			headers: { "x-business-id": businessId },
		});
		return answer.ok ? schema.parse(await answer.json()) : undefined;
	} catch (error) {
		console.debug(`Couldn't fetch ${path}`, error);
		return undefined;
	}
}
