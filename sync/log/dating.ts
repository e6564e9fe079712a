import { timestamp } from "../entities/fields.ts";
import { toIso } from "../protocol/clock.ts";
import type { Connection } from "../store/store.ts";

/** A device's clock may be this far ahead before a person should look at it. */
export const clockSlackMs = 5 * 60_000;
/**
 * A mutation may be dated this much earlier than it can have been made: before they first meet, the clocks of a till and its
 * server may be hours apart.
 */
const earlierSlackMs = 24 * 3_600_000;
const isTimestamp = (value: unknown) => timestamp.safeParse(value).success;

/** When a mutation was made, as far as the device's clock can be believed. */
export interface MutationDate {
	at: string;
	/** The device's clock was wrong: `at` is the server's now. */
	isCorrected: boolean;
}

/** How far a device had counted its mutations when it was last heard of: later numbers were made after that. */
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
 * Dates a mutation. A till that was offline for months brings old sales, so age alone proves nothing. What can't be true is a
 * moment in the future, one before the business began, and one before the device was last heard of without that mutation.
 *
 * @param message with the device's `at`, corrected by what it knew of the server's clock
 * @returns undefined for what is no moment at all
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
	/** What the server noted while its own clock was ahead says nothing. */
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
