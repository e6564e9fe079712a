import { hash } from "node:crypto";
import type { ProofKeyOf, ProofKeyring } from "../log/proof.ts";
import type { Connection } from "../store/store.ts";
import type { SimulatedTill } from "./world.ts";

/** The member who takes over a till from the owner who opened it. */
export const cashier = "cashier";
/** All members who sign in, on the server and on the tills. */
const owners = ["owner", ...[1, 2, 3, 4, 5].map((n) => `till-${n}`)];

export async function addMembers(
	tx: Connection,
	businessIds: readonly string[],
): Promise<void> {
	const at = "2026-01-01T00:00:00.000Z";
	for (const id of [...owners, cashier]) {
		await tx.run(
			"INSERT INTO users (id, email, name, password_hash, created_at) VALUES (?, ?, ?, 'none', ?)",
			...[id, `${id}@example.com`, id, at],
		);
		for (const businessId of businessIds)
			await tx.run(
				"INSERT INTO memberships (business_id, user_id, role, created_at) VALUES (?, ?, ?, ?)",
				...[businessId, id, id === cashier ? "CASHIER" : "OWNER", at],
			);
	}
}

/** Saves the members who have signed in on a till. */
export async function rememberMembers(
	tx: Connection,
	businessId: string,
): Promise<void> {
	for (const id of [...owners, cashier])
		await tx.run(
			"INSERT INTO former_members (business_id, user_id, left_at) VALUES (?, ?, '') ON CONFLICT DO NOTHING",
			businessId,
			id,
		);
}

export const proofKeyOf: ProofKeyOf = async (_tx, owner) => {
	const { businessId, deviceId, userId } = owner;
	return hash("sha256", `${businessId} ${deviceId} ${userId}`, "hex");
};

/** @param hasServer whether the sign-in reaches the server, which then issues a proof key */
export function signIn(
	till: SimulatedTill,
	userId: string,
	hasServer: boolean,
): void {
	const role = userId === cashier ? "CASHIER" : "OWNER";
	till.caller = { ...till.caller, userId, role };
	till.proofs = { mayHaveKey: hasServer, key: undefined };
}

export function openKeyring(till: SimulatedTill): ProofKeyring {
	return {
		read: () => till.proofs.key,
		isWanted: () => till.proofs.mayHaveKey && !till.proofs.key,
		write(key) {
			if (key.userId === till.caller.userId) till.proofs.key = key;
		},
	};
}
