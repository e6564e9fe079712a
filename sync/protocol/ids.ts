import { randomBytes, sha256Hex } from "#platform";

/** The clock and the source of randomness, passed in so that a simulation can control them. */
export interface Env {
	/** Milliseconds since 1970, by this machine's clock. */
	now(): number;
	randomBytes(count: number): Uint8Array;
}

export const systemEnv: Env = {
	now: () => Date.now(),
	randomBytes: takeRandom,
};

/** Random bytes are fetched in bulk: one system call costs as much as a hundred ids. */
const poolBytes = 4_096;
let pool = Uint8Array.of();

function takeRandom(count: number): Uint8Array {
	if (count > poolBytes) return randomBytes(count);
	if (pool.length < count) pool = randomBytes(poolBytes);
	const taken = pool.subarray(0, count);
	pool = pool.subarray(count);
	return taken;
}

const hexOfByte = Array.from({ length: 256 }, (_, byte) =>
	byte.toString(16).padStart(2, "0"),
);

/** The last id of each clock: its millisecond, and its count there. */
const lastByClock = new WeakMap<Env, { ms: number; count: number }>();

/**
 * Makes a new id that sorts by creation time: UUIDv7 (RFC 9562, section 5.7). The ids of one millisecond are counted from
 * a random start below 2,048 (section 6.2, method 1), because lists take the greater id for the newer record.
 */
export function newId(env: Env): string {
	const ms = env.now();
	const [high = 0, low = 0, ...others] = env.randomBytes(10);
	const last = lastByClock.get(env);
	const count =
		last?.ms === ms ? (last.count + 1) & 0xfff : ((high & 7) << 8) | low;
	lastByClock.set(env, { ms, count });
	let hex = ms.toString(16).padStart(12, "0");
	hex += count.toString(16).padStart(4, "0");
	for (const byte of others) hex += hexOfByte[byte];
	return toUuid(hex, "7");
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;

/**
 * Derives an id from another one, equal on every machine: for the nth record that a mutation makes besides those that
 * it names, or for a mutation with certain arguments. It starts with the timestamp of the first id, so that a ledger's
 * index grows at its end.
 */
export function derivedId(id: string, which: number | string): string {
	const hex = sha256Hex(`${id} ${which}`).slice(0, 32);
	const isTimed = uuid.test(id);
	const time = isTimed ? id.slice(0, 8) + id.slice(9, 13) : hex.slice(0, 12);
	return toUuid(time + hex.slice(12), "8");
}

/** @param hex 32 digits; those of the version and the variant are overwritten */
function toUuid(hex: string, version: "7" | "8"): string {
	const variant = variants[Number(`0x${hex.charAt(16)}`) & 3];
	// Joined at once: a string that is added up keeps its parts in memory, too, which take six times as much as it does.
	return [
		hex.slice(0, 8),
		hex.slice(8, 12),
		version + hex.slice(13, 16),
		variant + hex.slice(17, 20),
		hex.slice(20),
	].join("-");
}

const variants = ["8", "9", "a", "b"];
