import { createHmac } from "node:crypto";
import { isStorageError } from "../../sync/protocol/errors.ts";
import type { Connection, Store } from "../../sync/store/store.ts";
import {
	assertRoom,
	forgetOldest,
	type Limit,
	openAttemptCounter,
	windowMs,
} from "./attempt-counter.ts";

/** Tries of one kind, such as sign-ins, each of which counts against several limits. */
export interface Attempts {
	/** Counts a try before its outcome is known, so that concurrent ones count, too. @throws HttpError 429 at a limit */
	take(limits: readonly Limit[], message: string): Promise<void>;
	/** Takes a try back that was no guess. @param known a key to know from now on */
	giveBack(limits: readonly Limit[], known?: string): Promise<void>;
	knows(key: string): Promise<boolean>;
}

/** The most keys that a process knows. */
const knownMax = 20_000;
const knownMs = 30 * 24 * 3_600_000;
/** Levels are stored in whole thousandths. */
const unit = 1_000;

/**
 * Counts in this process, which writes nothing: somebody can sign in on a full disk.
 *
 * @param now a monotonic clock in milliseconds
 */
export function openOwnAttempts(now = () => performance.now()): Attempts {
	const tries = openAttemptCounter(now);
	const known = new Set<string>();
	return {
		async take(limits, message) {
			tries.assertBelow(limits, message);
			tries.add(limits, 1);
		},
		async giveBack(limits, key) {
			tries.add(limits, -1);
			if (key === undefined) return;
			known.delete(key);
			known.add(key);
			if (known.size > knownMax) forgetOldest(known);
		},
		knows: async (key) => known.has(key),
	};
}

/**
 * Counts in the database, for all servers that share it. Counts in this process while the database can't be written.
 *
 * @param kind what is tried, because kinds count apart
 */
export function openSharedAttempts(
	store: Store,
	secret: Uint8Array,
	kind: string,
): Attempts {
	const own = openOwnAttempts();
	/** Hides addresses and emails, also those that somebody mistyped, from copies of the database. */
	const idOf = (key: string) =>
		createHmac("sha256", secret).update(`${kind} ${key}`).digest("base64url");

	async function write(
		act: (tx: Connection) => Promise<void>,
		otherwise: () => Promise<void>,
	): Promise<void> {
		try {
			await store.write(act);
		} catch (error) {
			if (!isStorageError(error)) throw error;
			await otherwise();
		}
	}

	return {
		take: (limits, message) =>
			write(
				async (tx) => {
					const now = Date.now();
					await tx.run("DELETE FROM attempts WHERE until_ms < ?", now);
					const tries = await change(tx, named(limits, idOf), unit, now);
					for (const [{ max }, level] of tries)
						assertRoom(level / unit, max, message);
				},
				() => own.take(limits, message),
			),

		giveBack: (limits, known) =>
			write(
				async (tx) => {
					const now = Date.now();
					await change(tx, named(limits, idOf), -unit, now);
					if (known === undefined) return;
					await tx.run(
						`INSERT INTO attempts (id, level, at_ms, until_ms) VALUES (?, 0, ?, ?)
             ON CONFLICT (id) DO UPDATE SET until_ms = excluded.until_ms`,
						...[idOf(`known ${known}`), now, now + knownMs],
					);
				},
				() => own.giveBack(limits, known),
			),

		async knows(key) {
			const row = await store.read((tx) =>
				tx.get(
					"SELECT 1 AS known FROM attempts WHERE id = ? AND until_ms >= ?",
					...[idOf(`known ${key}`), Date.now()],
				),
			);
			return row !== undefined || (await own.knows(key));
		},
	};
}

interface Named {
	id: string;
	max: number;
}

/** In one order for all, so that no two transactions wait for each other. */
function named(
	limits: readonly Limit[],
	idOf: (key: string) => string,
): Named[] {
	return limits
		.map(([key, max]) => ({ id: idOf(key), max }))
		.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Changes the levels of limits. @returns each with its new level */
async function change(
	tx: Connection,
	limits: readonly Named[],
	by: number,
	now: number,
): Promise<[Named, number][]> {
	const changed: [Named, number][] = [];
	for (const limit of limits) {
		const { id, max } = limit;
		// Locks the row, also a new one.
		const row = await tx.get(
			`INSERT INTO attempts (id, level, at_ms, until_ms) VALUES (?, 0, ?, ?)
       ON CONFLICT (id) DO UPDATE SET level = attempts.level RETURNING level, at_ms`,
			...[id, now, now + windowMs],
		);
		const passed = Math.max(0, now - Number(row?.at_ms));
		const left = Number(row?.level) - (passed * max * unit) / windowMs;
		const level = Math.max(0, Math.round(Math.max(0, left) + by));
		await tx.run(
			"UPDATE attempts SET level = ?, at_ms = ?, until_ms = ? WHERE id = ?",
			...[level, now, now + windowMs, id],
		);
		changed.push([limit, level]);
	}
	return changed;
}
