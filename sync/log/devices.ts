import type { Device } from "../entities/entity.ts";
import { toIso } from "../protocol/clock.ts";
import type { Env } from "../protocol/ids.ts";
import type { MutationResult, PushRequest } from "../protocol/protocol.ts";
import { serverDrawer } from "../protocol/till-api.ts";
import type { Connection } from "../store/store.ts";
import type { DeviceCount } from "./dating.ts";
import { lockHead } from "./log.ts";
import { isCount } from "./message.ts";
import { prefixOf } from "./prefix.ts";

const seenEveryMs = 60_000;

/** A till as the server knows it. The server has recorded all its mutations up to `lastNumber`. */
export interface KnownDevice {
	id: string;
	prefix: string;
	lastNumber: number;
	/** The device's number at its last push, and when that was. */
	counted: DeviceCount | undefined;
}

/** What a device says of itself. */
interface DeviceReport extends Pick<PushRequest, "prefix" | "program"> {
	/** The version up to which it has the feed with the answer. */
	reached?: number | undefined;
}

/** What a push has come to. */
interface PushProgress extends Pick<DeviceReport, "reached"> {
	results: readonly MutationResult[];
	now: number;
}

/**
 * Finds a device, or registers it with its own receipt prefix. It keeps the prefix that it already prints, which a
 * restored server may have forgotten, unless another device has it.
 */
export async function registerDevice(
	tx: Connection,
	businessId: string,
	id: string,
	env: Env,
	{ prefix, program, reached }: DeviceReport = {},
): Promise<KnownDevice> {
	const now = env.now();
	const known = await tx.get(
		"SELECT prefix, last_number, last_seen_at, counted, counted_at, program FROM devices WHERE business_id = ? AND id = ?",
		businessId,
		id,
	);
	if (known) {
		const isNew = (program ?? known.program) !== known.program;
		if (isNew || now - Date.parse(known.last_seen_at as string) > seenEveryMs)
			await tx.run(
				"UPDATE devices SET last_seen_at = ?, program = coalesce(?, program), reached = coalesce(?, reached) WHERE business_id = ? AND id = ?",
				toIso(now),
				program ?? null,
				reached ?? null,
				businessId,
				id,
			);
		return {
			id,
			prefix: known.prefix as string,
			lastNumber: known.last_number as number,
			counted:
				known.counted_at === null
					? undefined
					: {
							number: known.counted as number,
							at: known.counted_at as string,
						},
		};
	}
	// The lock makes concurrent registrations get different prefixes.
	await lockHead(tx, businessId);
	const rows = await tx.all(
		"SELECT prefix FROM devices WHERE business_id = ?",
		businessId,
	);
	const taken = new Set(rows.map((row) => row.prefix));
	const given =
		prefix !== undefined && /^[A-Z]{1,8}$/.test(prefix) && !taken.has(prefix)
			? prefix
			: freePrefix(businessId, id, taken);
	await tx.run(
		"INSERT INTO devices (business_id, id, prefix, created_at, last_seen_at, program, reached) VALUES (?, ?, ?, ?, ?, ?, ?)",
		businessId,
		id,
		given,
		toIso(now),
		toIso(now),
		program ?? null,
		reached ?? null,
	);
	return { id, prefix: given, lastNumber: 0, counted: undefined };
}

function freePrefix(
	businessId: string,
	deviceId: string,
	taken: Set<unknown>,
): string {
	for (let tries = 0; ; tries += 1) {
		const prefix = prefixOf(businessId, deviceId, tries);
		if (!taken.has(prefix)) return prefix;
	}
}

/** @example formatReceipt("A", 123) === "A-000123" */
export function formatReceipt(prefix: string, count: number): string {
	return `${prefix}-${String(count).padStart(6, "0")}`;
}

/** @returns the count in a receipt number with this prefix, or 0 for another device's receipt */
export function countOfReceipt(prefix: string, receiptNumber: unknown): number {
	const match = /^([A-Z]+)-(\d{6,9})$/.exec(String(receiptNumber));
	return match?.[1] === prefix ? Number(match[2]) : 0;
}

/**
 * The device of the server's own receipts.
 *
 * @param id of one run in one epoch, see server-writes.ts
 */
export function serverDevice(
	tx: Connection,
	businessId: string,
	id: string,
	env: Env,
): Device {
	return {
		drawerId: serverDrawer,
		async nextReceiptNumber() {
			const { prefix } = await registerDevice(tx, businessId, id, env);
			const row = await tx.get(
				"UPDATE devices SET last_receipt = last_receipt + 1 WHERE business_id = ? AND id = ? RETURNING last_receipt",
				businessId,
				id,
			);
			return formatReceipt(prefix, Number(row?.last_receipt));
		},
	};
}

/**
 * Returns true if the server knows another past of the device, which was restored from an old copy or cloned. It has
 * then counted less far than the server knows, or uses an old number for an unknown mutation.
 */
export async function isForked(
	tx: Connection,
	businessId: string,
	device: KnownDevice,
	mutations: readonly unknown[],
	lastNumber: number | undefined,
): Promise<boolean> {
	if (lastNumber !== undefined && lastNumber < device.lastNumber) return true;
	for (const mutation of mutations) {
		const { id, number } = toNumbered(mutation);
		if (number === undefined || number > device.lastNumber) continue;
		const seen = await tx.get(
			"SELECT 1 AS seen FROM mutations WHERE business_id = ? AND id = ?",
			businessId,
			id,
		);
		if (!seen) return true;
	}
	return false;
}

/** Saves a device's progress up to its first deferred mutation, which it will send again. */
export async function saveProgress(
	tx: Connection,
	businessId: string,
	device: KnownDevice,
	{ mutations, lastNumber, settled, settles = 0 }: PushRequest,
	{ results, now, reached }: PushProgress,
): Promise<void> {
	let last = Math.max(device.lastNumber, settled ?? 0);
	let lastId: string | null = null;
	let isWhole = true;
	for (const [i, mutation] of mutations.entries()) {
		const { id, number } = toNumbered(mutation);
		if (number === undefined) continue;
		isWhole = results[i]?.status !== "deferred";
		if (!isWhole) {
			// What is not in the batch between its first number and `settles` was answered before.
			last = Math.max(last, Math.min(number - 1, settles));
			break;
		}
		// Without `settled`, a number between this batch and the last one may be deferred.
		const follows = settled === undefined || number === last + 1;
		if (number > last && follows) {
			last = number;
			lastId = id;
		}
	}
	if (isWhole) last = Math.max(last, settles);
	if (last > device.lastNumber)
		await tx.run(
			"UPDATE devices SET last_number = ?, last_mutation_id = coalesce(?, last_mutation_id), counted = ?, counted_at = ?, reached = coalesce(?, reached) WHERE business_id = ? AND id = ?",
			last,
			lastId,
			// Mutations made after this request get later numbers.
			Math.max(lastNumber ?? last, last),
			toIso(now),
			reached ?? null,
			businessId,
			device.id,
		);
}

/** Returns true if something that a device made before a batch was deferred, and is still to come. */
export function lacksEarlier(
	device: KnownDevice | undefined,
	{ mutations, settled, lastNumber = 0 }: PushRequest,
): boolean {
	if (!device) return false;
	const first = mutations.find((one) => toNumbered(one).number !== undefined);
	// What is offered again has no number: it may stand behind all that has one.
	const behindAll = settled === undefined ? 0 : lastNumber + 1;
	const { number = behindAll } = toNumbered(first);
	return number > Math.max(device.lastNumber, settled ?? 0) + 1;
}

function toNumbered(mutation: unknown): {
	id: string;
	number: number | undefined;
} {
	const { id, number } = (mutation ?? {}) as Record<string, unknown>;
	return {
		id: typeof id === "string" ? id : "",
		number: typeof id === "string" && isCount(number) ? number : undefined,
	};
}
