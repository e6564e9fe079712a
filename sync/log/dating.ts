import { timestamp } from "../entities/fields.ts";
import { toIso } from "../protocol/clock.ts";
import type { Connection } from "../store/store.ts";

/** How far ahead a device's clock may be before its sales raise an inbox item. */
export const clockSlackMs = 5 * 60_000;
/**
 * A mutation may be dated this much earlier than it can have been made, because the clocks of a till and its server may
 * differ by hours before they first sync.
 */
const earlierSlackMs = 24 * 3_600_000;
const isTimestamp = (value: unknown) => timestamp.safeParse(value).success;

/** The date of a mutation, corrected if the device's clock was wrong. */
export interface MutationDate {
	at: string;
	/** True if the device's clock was wrong and `at` is the server's now. */
	isCorrected: boolean;
}

/** A device's number when the server last heard from it: it made later numbers after that. */
export interface DeviceCount {
	number: number;
	at: string;
}

interface Dating {
	caller: { businessId: string };
	now: number;
	device?: { counted: DeviceCount | undefined };
}

/**
 * Dates a mutation. A till that was offline for months pushes old sales, so age alone proves nothing. Impossible are a
 * moment in the future, one before the business began, and one before the device last synced without that mutation.
 *
 * @param message with the device's `at`, corrected by its offset to the server's clock
 * @returns undefined if `at` is not a moment
 */
export async function dateMutation(
	tx: Connection,
	{ at: said, number }: { at: unknown; number: unknown },
	{ caller: { businessId }, now, device }: Dating,
): Promise<MutationDate | undefined> {
	if (!isTimestamp(said)) return undefined;
	const at = said as string;
	const ms = Date.parse(at);
	const corrected = { at: toIso(now), isCorrected: true };
	if (ms > now) return { ...corrected, isCorrected: ms > now + clockSlackMs };
	const isRecent = ms >= now - earlierSlackMs;
	if (isRecent) return { at, isCorrected: false };
	/** Ignores moments that the server recorded while its own clock was ahead. */
	const isBefore = (noted: string) =>
		Date.parse(noted) <= now && ms < Date.parse(noted) - earlierSlackMs;
	const counted = device?.counted;
	if (counted && (number as number) > counted.number && isBefore(counted.at))
		return corrected;
	const row = await tx.get(
		"SELECT created_at FROM businesses WHERE business_id = ?",
		businessId,
	);
	const isBeforeBusiness = isBefore((row?.created_at as string) ?? at);
	return isBeforeBusiness ? corrected : { at, isCorrected: false };
}
