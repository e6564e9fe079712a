import * as z from "zod";
import { managing, roles } from "../../../sync/entities/entity.ts";
import { toIso } from "../../../sync/protocol/clock.ts";
import type { Env } from "../../../sync/protocol/ids.ts";
import type { Connection, Store } from "../../../sync/store/store.ts";
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
		const others = await askFor(asking.businessId);
		if (others) await write(others.map((one) => ({ ...asking, ...one })));
		else curious ??= asking;
	}

	/** @returns false if only names could be written */
	const write = (members: Member[]) =>
		store.write(async (tx) => {
			const at = toIso(env.now());
			for (const one of members) await writeName(tx, one, at);
			const isFilled = await isHere(tx, members[0] as Member);
			if (isFilled)
				for (const one of members) await writeMembership(tx, one, at);
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
async function askFor(businessId: string) {
	try {
		const answer = await fetch("/api/members", {
			headers: { "x-business-id": businessId },
		});
		return answer.ok
			? membersAnswer.parse(await answer.json()).members
			: undefined;
	} catch (error) {
		console.debug("Couldn't fetch the members' names", error);
		return undefined;
	}
}

async function writeName(
	tx: Connection,
	{ userId, name }: Member,
	at: string,
): Promise<void> {
	await tx.run(
		`INSERT INTO users (id, email, name, password_hash, created_at) VALUES (?, ?, ?, 'none', ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name`,
		userId,
		// Nobody signs in with these rows.
		userId,
		name,
		at,
	);
}

async function writeMembership(
	tx: Connection,
	{ businessId, userId, role }: Member,
	at: string,
): Promise<void> {
	await tx.run(
		`INSERT INTO memberships (business_id, user_id, role, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (business_id, user_id) DO UPDATE SET role = excluded.role`,
		businessId,
		userId,
		role,
		at,
	);
}

/** Whether the business that a membership names has been downloaded. */
async function isHere(
	tx: Connection,
	{ businessId }: Member,
): Promise<boolean> {
	const filled = await tx.get(
		"SELECT 1 AS filled FROM replica WHERE business_id = ? AND last_sync_at IS NOT NULL",
		businessId,
	);
	return filled !== undefined;
}
