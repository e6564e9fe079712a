import { hash, randomBytes } from "node:crypto";

/** What the core may know of the world outside: passed in, so that a simulation can own it. */
export interface Env {
	/** Milliseconds since 1970, by this machine's clock. */
	now(): number;
	randomBytes(count: number): Uint8Array;
}

export const systemEnv: Env = {
	now: () => Date.now(),
	randomBytes: takeRandom,
};

/** The system is asked for many at once: each question costs as much as a hundred ids. */
const poolBytes = 4_096;
let pool = Buffer.alloc(0);

function takeRandom(count: number): Uint8Array {
	if (count > poolBytes) return randomBytes(count);
	if (pool.length < count) pool = randomBytes(poolBytes);
	const taken = pool.subarray(0, count);
	pool = pool.subarray(count);
	return taken;
}

/** A new id that sorts by time of making: UUIDv7 (RFC 9562, section 5.7). */
export function newId(env: Env): string {
	const bytes = Buffer.alloc(16);
	bytes.set(env.randomBytes(10), 6);
	bytes.writeUIntBE(env.now(), 0, 6);
	return toUuid(bytes, 0x70);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;

/**
 * The id of the nth record that a mutation makes besides those it names: the same wherever it is applied. It begins
 * with the time in the mutation's own id, so that a ledger's index grows at its end.
 */
export function derivedId(mutationId: string, n: number): string {
	const bytes = hash("sha256", `${mutationId} ${n}`, "buffer").subarray(0, 16);
	if (uuid.test(mutationId))
		bytes.write(mutationId.slice(0, 8) + mutationId.slice(9, 13), "hex");
	return toUuid(bytes, 0x80);
}

function toUuid(bytes: Buffer, version: number): string {
	bytes[6] = ((bytes[6] as number) & 0x0f) | version;
	bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
	const hex = bytes.toString("hex");
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
