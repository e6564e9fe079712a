import { hmacSha256, isSameSecret } from "#platform";
import type { PushRequest, PushResponse } from "../protocol/protocol.ts";
import type { Connection, Store } from "../store/store.ts";

/*
 * A member's proof that they made a mutation, for another member's session to carry to the server:
 *
 *    server ── key of (business, device, member) ──► the member's own session on a till
 *    till      proof = device . HMAC(key, id, name, args, at) with each mutation that the member makes there
 *    server ◄── the mutation with its proof, in any session: the server derives the key again and compares the HMAC
 *
 * The till deletes the key when the member signs out, so that nobody else can make proofs in their name.
 */

/** The member and device that a key belongs to. */
interface ProofKeyOwner {
	businessId: string;
	deviceId: string;
	userId: string;
}

/**
 * Derives a member's key for a device, the same one each time until it is revoked.
 *
 * @returns undefined for a member who has left or may not sign in
 */
export type ProofKeyOf = (
	tx: Connection,
	owner: ProofKeyOwner,
) => Promise<string | undefined>;

/** A key as a till stores it. */
export interface ProofKey {
	userId: string;
	deviceId: string;
	key: string;
}

/** A till's storage for the key of the signed-in member. */
export interface ProofKeyring {
	read(): ProofKey | undefined;
	/** Returns true if the session has no key yet and may have one. */
	isWanted(): boolean;
	write(key: ProofKey): void;
}

/** The keyring of a till that makes no proofs. */
export const noKeyring: ProofKeyring = {
	read: () => undefined,
	isWanted: () => false,
	write() {},
};

/** The fields that a proof covers. `args` is canonical JSON. */
interface Provable {
	id: string;
	name: string;
	args: string;
	argsVersion: number;
	at: string;
}

export function makeProof({ deviceId, key }: ProofKey, made: Provable): string {
	return `${deviceId}.${macOf(key, made)}`;
}

/** Returns true if the member made the mutation in their own session on the device that the proof names. */
export async function isProven(
	tx: Connection,
	proofKeyOf: ProofKeyOf | undefined,
	owner: Omit<ProofKeyOwner, "deviceId">,
	made: Provable,
	proof: unknown,
): Promise<boolean> {
	const match = /^(.{1,64})\.([\w-]{43})$/.exec(String(proof));
	const [, deviceId, mac] = match ?? [];
	if (deviceId === undefined || mac === undefined) return false;
	const key = await proofKeyOf?.(tx, { ...owner, deviceId });
	if (key === undefined) return false;
	return isSameSecret(macOf(key, made), mac);
}

/** Issues the caller's key for the device that requests it. */
export async function issueProofKey(
	store: Store,
	proofKeyOf: ProofKeyOf | undefined,
	{ businessId, userId }: { businessId: string; userId: string | null },
	{ deviceId, wantsProofKey }: PushRequest,
): Promise<Pick<PushResponse, "proofKey">> {
	if (!proofKeyOf || !wantsProofKey || !deviceId || userId === null) return {};
	const owner = { businessId, deviceId, userId };
	const key = await store.read((tx) => proofKeyOf(tx, owner));
	return key === undefined ? {} : { proofKey: { userId, key } };
}

function macOf(key: string, { id, name, args, argsVersion, at }: Provable) {
	return hmacSha256(key, JSON.stringify([id, name, argsVersion, args, at]));
}
