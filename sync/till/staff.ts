import * as z from "zod";
import { approvedText } from "../entities/approval.ts";
import { type Role, roles } from "../entities/entity.ts";
import { recordId } from "../entities/fields.ts";
import { toIso } from "../protocol/clock.ts";
import { ShopError } from "../protocol/errors.ts";
import type { Env } from "../protocol/ids.ts";
import type { OpenedPin, PinKey } from "../protocol/pin-key.ts";
import type {
	ActToApprove,
	ApprovalCheck,
	Cashier,
	PinCheck,
	WrongPin,
} from "../protocol/till-api.ts";
import type { Connection, Store } from "../store/store.ts";
import { isDownloaded, writeMembership, writeName } from "./local-members.ts";

/** What a PIN is checked against, as it travels. */
export const pinKey = z.object({
	salt: z.string().regex(/^[0-9a-f]{32}$/),
	publicKey: z.string().regex(/^[0-9a-f]{64}$/),
	kdf: z.literal("scrypt-14-8-1"),
	digits: z.union([z.literal(4), z.literal(6)]).default(4),
}) satisfies z.ZodType<PinKey>;

const person = pinKey.extend({
	id: recordId,
	name: z.string(),
	role: z.enum(roles),
});
type Person = z.output<typeof person>;

/** The members who have a PIN, with the keys that PINs are checked against. */
export const staffAnswer = z.object({ people: z.array(person) });

/** Wrong PINs in a row for which a person's PIN is locked for a while. */
const triesMax = 5;
/** The first lock; each further one is twice as long. */
const lockMs = 30_000;
const lockMaxMs = 15 * 60_000;

/** Wrong PINs of one person in a row. */
export interface PinAttempts {
	userId: string;
	failures: number;
	lockedUntil: string | null;
}

type TriedPin = WrongPin | { outcome: "right"; person: Person; pin: OpenedPin };

/** The people who may sell at a till under their PIN, and the check of the PIN. */
export interface Staff {
	list(): Promise<Cashier[]>;
	/** Replaces the list by the server's. Does nothing before the shop has been downloaded. */
	replace(people: readonly Person[]): Promise<void>;
	/**
	 * Checks a PIN. An attempt counts as a failure until it is known to be right, so that closing the page in between
	 * gains nothing.
	 *
	 * @throws ShopError `not_found` for a person without a PIN
	 */
	check(id: string, pin: string): Promise<PinCheck>;
	/** Checks a PIN like `check`, and signs one act with it. */
	approve(id: string, pin: string, act: ActToApprove): Promise<ApprovalCheck>;
	/** The role of a member whom this till knows, with or without a PIN. */
	roleOf(id: string): Promise<Role | undefined>;
	attempts(): Promise<PinAttempts[]>;
	/** Takes over attempts that were stored elsewhere; of two counts the higher one holds. */
	putAttempts(attempts: readonly PinAttempts[]): Promise<void>;
}

const toCashier = ({ id, name, role, digits }: Person): Cashier => ({
	...{ id, name, role, digits },
});

/** Reads the members who have a PIN and can sign in, by name. */
export async function readStaff(
	tx: Connection,
	businessId: string,
): Promise<Person[]> {
	const rows = await tx.all(
		`SELECT users.id, users.name, memberships.role, salt, public_key AS "publicKey", kdf, digits
     FROM staff_keys
     JOIN memberships ON memberships.business_id = staff_keys.business_id AND memberships.user_id = staff_keys.user_id
     JOIN users ON users.id = staff_keys.user_id
     WHERE staff_keys.business_id = ? AND users.disabled_at IS NULL ORDER BY users.name, users.id`,
		businessId,
	);
	return z.array(person).parse(rows);
}

export async function writePinKey(
	tx: Connection,
	businessId: string,
	userId: string,
	{ salt, publicKey, kdf, digits }: PinKey,
	at: string,
): Promise<void> {
	await tx.run(
		`INSERT INTO staff_keys (business_id, user_id, salt, public_key, kdf, created_at, digits) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		...[businessId, userId, salt, publicKey, kdf, at, digits],
	);
}

/** Replaces a member's key. What the old one approved before this moment stays approved. */
export async function changePinKey(
	tx: Connection,
	businessId: string,
	userId: string,
	key: PinKey,
	at: string,
): Promise<void> {
	await removePinKey(tx, businessId, userId, at);
	await writePinKey(tx, businessId, userId, key, at);
}

export async function removePinKey(
	tx: Connection,
	businessId: string,
	userId: string,
	at: string,
): Promise<void> {
	await tx.run(
		`INSERT INTO former_staff_keys (business_id, user_id, salt, public_key, kdf, created_at, retired_at)
     SELECT business_id, user_id, salt, public_key, kdf, created_at, ? FROM staff_keys WHERE business_id = ? AND user_id = ?`,
		...[at, businessId, userId],
	);
	await tx.run(
		"DELETE FROM staff_keys WHERE business_id = ? AND user_id = ?",
		businessId,
		userId,
	);
}

export function openStaff(store: Store, env: Env, businessId: string): Staff {
	async function readAttempts(tx: Connection): Promise<PinAttempts[]> {
		const rows = await tx.all(
			"SELECT user_id, failures, locked_until FROM pin_attempts WHERE business_id = ? ORDER BY user_id",
			businessId,
		);
		return rows.map((row) => ({
			userId: row.user_id as string,
			failures: Number(row.failures),
			lockedUntil: row.locked_until as string | null,
		}));
	}

	async function writeAttempts(
		tx: Connection,
		{ userId, failures, lockedUntil }: PinAttempts,
	): Promise<void> {
		await tx.run(
			`INSERT INTO pin_attempts (business_id, user_id, failures, locked_until) VALUES (?, ?, ?, ?)
       ON CONFLICT (business_id, user_id) DO UPDATE SET failures = excluded.failures, locked_until = excluded.locked_until
       WHERE excluded.failures >= pin_attempts.failures`,
			...[businessId, userId, failures, lockedUntil],
		);
	}

	/** Counts an attempt, unless the PIN is locked. */
	async function begin(
		tx: Connection,
		userId: string,
	): Promise<{ failures: number; waitSeconds: number }> {
		const all = await readAttempts(tx);
		const before = all.find((one) => one.userId === userId);
		const waitSeconds = secondsUntil(before?.lockedUntil, env.now());
		if (before && waitSeconds > 0) return { ...before, waitSeconds };
		const failures = (before?.failures ?? 0) + 1;
		const isLast = failures % triesMax === 0;
		const lockedUntil = isLast
			? toIso(env.now() + lockMsAfter(failures))
			: null;
		await writeAttempts(tx, { userId, failures, lockedUntil });
		return { failures, waitSeconds: 0 };
	}

	/** Counts the attempt as a failure until the PIN is known to be right. */
	async function tryPin(id: string, typed: string): Promise<TriedPin> {
		const { person, failures, waitSeconds } = await store.write(async (tx) => {
			const all = await readStaff(tx, businessId);
			const person = all.find((one) => one.id === id);
			if (!person)
				throw new ShopError("not_found", "This person has no PIN here");
			return { person, ...(await begin(tx, id)) };
		});
		if (waitSeconds > 0) return { outcome: "locked", seconds: waitSeconds };
		const { openPin } = await loadPinKey();
		const pin = await openPin(person, typed);
		if (pin) {
			await store.write((tx) => forgetAttempts(tx, businessId, id));
			return { outcome: "right", person, pin };
		}
		const triesLeft = triesMax - (failures % triesMax);
		return triesLeft < triesMax
			? { outcome: "wrong", triesLeft }
			: {
					outcome: "locked",
					seconds: lockMsAfter(failures) / 1_000,
					isNew: true,
				};
	}

	return {
		list: async () => {
			const people = await store.read((tx) => readStaff(tx, businessId));
			// Offline, and without a service worker, it could not be loaded when it is needed.
			if (people.length > 0) void loadPinKey().catch(() => {});
			return people.map(toCashier);
		},

		replace: (people) =>
			store.write(async (tx) => {
				if (!(await isDownloaded(tx, businessId))) return;
				const at = toIso(env.now());
				await tx.run(
					"DELETE FROM staff_keys WHERE business_id = ?",
					businessId,
				);
				for (const one of people) {
					await writeName(tx, one, at);
					await writeMembership(tx, businessId, one, at);
					await writePinKey(tx, businessId, one.id, one, at);
				}
			}),

		async check(id, pin) {
			const tried = await tryPin(id, pin);
			if (tried.outcome !== "right") return tried;
			return { outcome: "right", cashier: toCashier(tried.person) };
		},

		async approve(by, pin, { amount, ...act }) {
			const tried = await tryPin(by, pin);
			if (tried.outcome !== "right") return tried;
			const allowed = { by, amount, at: toIso(env.now()) };
			const text = approvedText({ ...act, ...allowed });
			const signature = tried.pin.sign(text);
			return { outcome: "right", approval: { ...allowed, signature } };
		},

		roleOf: (id) =>
			store.read(async (tx) => {
				const row = await tx.get(
					"SELECT role FROM memberships WHERE business_id = ? AND user_id = ?",
					businessId,
					id,
				);
				return row?.role as Role | undefined;
			}),

		attempts: () => store.read(readAttempts),
		putAttempts: (attempts) =>
			store.write(async (tx) => {
				for (const one of attempts) await writeAttempts(tx, one);
			}),
	};
}

/** Few shops need it. */
const loadPinKey = () => import("../protocol/pin-key.ts");

function lockMsAfter(failures: number): number {
	return Math.min(lockMs * 2 ** (failures / triesMax - 1), lockMaxMs);
}

function secondsUntil(until: string | null | undefined, now: number): number {
	const leftMs = until ? Date.parse(until) - now : 0;
	// A clock that was set back must not lock a person out for longer than a lock lasts.
	return Math.max(0, Math.ceil(Math.min(leftMs, lockMaxMs) / 1_000));
}

async function forgetAttempts(
	tx: Connection,
	businessId: string,
	userId: string,
): Promise<void> {
	await tx.run(
		"DELETE FROM pin_attempts WHERE business_id = ? AND user_id = ?",
		businessId,
		userId,
	);
}
