import type { Connection } from "../../../sync/store/store.ts";

/** Totals over all businesses. */
interface Figures {
	users: number;
	/** Counts since a given time. */
	newUsers: number;
	businesses: number;
	products: number;
	sales: number;
	newSales: number;
	reviews: number;
	averageRating: number | null;
}

export async function readFigures(
	tx: Connection,
	since: string,
): Promise<Figures> {
	const row = await tx.get(
		`SELECT (SELECT count(*) FROM users) AS users,
       (SELECT count(*) FROM users WHERE created_at >= ?) AS new_users,
       (SELECT count(*) FROM businesses WHERE deleted = 0) AS businesses,
       (SELECT count(*) FROM products WHERE deleted = 0) AS products,
       (SELECT count(*) FROM sales WHERE deleted = 0) AS sales,
       (SELECT count(*) FROM sales WHERE deleted = 0 AND made_ms >= ?) AS new_sales,
       (SELECT count(*) FROM reviews WHERE deleted = 0) AS reviews,
       (SELECT sum(rating) FROM reviews WHERE deleted = 0) AS ratings`,
		since,
		Date.parse(since),
	);
	const count = (name: string) => Number(row?.[name] ?? 0);
	const reviews = count("reviews");
	return {
		users: count("users"),
		newUsers: count("new_users"),
		businesses: count("businesses"),
		products: count("products"),
		sales: count("sales"),
		newSales: count("new_sales"),
		reviews,
		averageRating:
			reviews === 0
				? null
				: Math.round((count("ratings") / reviews) * 100) / 100,
	};
}

/** Counts of accounts, businesses and their use. */
interface Installation {
	businesses: number;
	users: number;
	admins: number;
	apiKeys: number;
	aiCalls: number;
}

export async function countInstallation(tx: Connection): Promise<Installation> {
	const row = await tx.get(
		`SELECT (SELECT count(*) FROM businesses WHERE deleted = 0) AS businesses, (SELECT count(*) FROM users) AS users,
       (SELECT count(*) FROM admins) AS admins, (SELECT count(*) FROM api_keys WHERE revoked_at IS NULL) AS "apiKeys",
       (SELECT count(*) FROM ai_calls) AS "aiCalls"`,
	);
	return row as unknown as Installation;
}
