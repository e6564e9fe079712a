import type { Release } from "./release.ts";
import { runRelease } from "./release.ts";

/** What a release says about a shop: counts of its records, and its money by day, tender, cashier and shift. */
type Facts = Record<string, unknown>;

/** They change without a change of the shop. */
const ownToDatabase = new Set(["dataDir", "databaseBytes", "head"]);

export async function readFacts(
	release: Release,
	dataDir: string,
): Promise<Facts> {
	const stats = JSON.parse(
		await runRelease(release, ["stats", "--json"], dataDir),
	);
	const revenue: Facts = {};
	for (const { businessId } of stats.businesses) {
		const args = ["export", "revenue", "--json", "--business", businessId];
		const lines = (await runRelease(release, args, dataDir)).trim();
		revenue[businessId] = lines.split("\n").filter(Boolean).map(parse);
	}
	return { ...stats, revenue };
}

const parse = (line: string): unknown => JSON.parse(line);

/**
 * Finds what two releases say differently. What only one of them knows is no difference, since a release may count more.
 *
 * @returns a line for each, such as `businesses.0.sales: 12 became 11`
 */
export function differencesOf(
	before: unknown,
	after: unknown,
	path = "",
): string[] {
	if (isList(before) && isList(after) && before.length !== after.length)
		return [`${path}: ${before.length} entries became ${after.length}`];
	if (isTree(before) && isTree(after))
		return Object.keys(before)
			.filter((key) => key in after && !ownToDatabase.has(key))
			.flatMap((key) =>
				differencesOf(
					before[key],
					after[key],
					path === "" ? key : `${path}.${key}`,
				),
			);
	return before === after
		? []
		: [`${path}: ${JSON.stringify(before)} became ${JSON.stringify(after)}`];
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value);
const isTree = (value: unknown): value is Record<string, unknown> =>
	typeof value === "object" && value !== null;
