import { clockSlackMs } from "../log/dating.ts";
import { addDays, businessDay } from "../protocol/clock.ts";
import { business } from "./business.ts";
import type { Context } from "./entity.ts";

/** When a fact happened, and on which of the shop's days it counts. */
interface FactDate {
	at: string;
	day: string;
	/** The device's clock or day was wrong, and the server's is taken: a person should look at it. */
	isCorrected: boolean;
}

/**
 * Dates a sale, void or refund. The day was fixed where it was made; a server takes the moment's own day instead if the two
 * are more than a day apart, so that no fact is dated out of the reports.
 *
 * @param said the day that the device named
 * @param after what must have come before it: a refund's sale
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
	// In most zones and at most hours the shop's day is that of UTC, and nothing has to be read.
	if (believed && (!server || said === at.slice(0, 10)))
		return { at, day: said, isCorrected };
	const day = await shopDay(context, at);
	if (believed && said >= addDays(day, -1) && said <= addDays(day, 1))
		return { at, day: said, isCorrected };
	return { at, day, isCorrected: isCorrected || believed };
}

/** The shop's day of a moment. */
export async function shopDay(
	context: Context,
	at = context.at,
): Promise<string> {
	const shop = await context.get(business, context.businessId, "businessId");
	return businessDay(at, shop.timeZone, shop.cutOffHour);
}
