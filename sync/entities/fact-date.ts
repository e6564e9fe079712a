import { clockSlackMs } from "../log/dating.ts";
import { addDays, businessDay } from "../protocol/clock.ts";
import { business } from "./business.ts";
import type { Context } from "./entity.ts";

/** The moment of a fact and the business day that it counts on. */
interface FactDate {
	at: string;
	day: string;
	/** The device's clock or day was wrong and the server's is used: a person should check it. */
	isCorrected: boolean;
}

/**
 * Dates a sale, void or refund. The device fixed its business day; a server replaces that by the moment's own day if
 * the two are more than a day apart, so that every fact is in some report.
 *
 * @param said the business day that the device sent
 * @param after the moment of the sale that a void or refund takes back
 */
export async function dateFact(
	context: Context,
	said: string | undefined,
	after?: string,
): Promise<FactDate> {
	const { server } = context;
	let { at } = context;
	let isCorrected = server?.isCorrected ?? false;
	const isTooEarly =
		after !== undefined && Date.parse(at) < Date.parse(after) - clockSlackMs;
	if (server && isTooEarly) {
		at = server.now;
		isCorrected = true;
	}
	const believed = said !== undefined && !isCorrected;
	// In most zones and at most hours the business day is the UTC day, and no read is needed.
	if (believed && (!server || said === at.slice(0, 10)))
		return { at, day: said, isCorrected };
	const day = await shopDay(context, at);
	if (believed && said >= addDays(day, -1) && said <= addDays(day, 1))
		return { at, day: said, isCorrected };
	return { at, day, isCorrected: isCorrected || believed };
}

/** Returns the business day of a moment. */
export async function shopDay(
	context: Context,
	at = context.at,
): Promise<string> {
	const shop = await context.get(business, context.businessId, "businessId");
	return businessDay(at, shop.timeZone, shop.cutOffHour);
}

/** Fixes the business day when a fact is made. */
export async function fixDay<Args extends { businessDay?: string | undefined }>(
	context: Context,
	args: Args,
): Promise<Args & { businessDay: string }> {
	return { ...args, businessDay: args.businessDay ?? (await shopDay(context)) };
}
