import type { Connection } from "../store/store.ts";

/*
 * A shop's sales repeat a few hundred texts (ids of members, devices and products, names of lines), and an id takes 36 bytes.
 * Each has a number in this database, which never leaves it.
 */

/** @returns the number of a shop, a new one if it has none */
export async function shopNumber(
	tx: Connection,
	businessId: string,
): Promise<number> {
	for (;;) {
		const row = await tx.get(
			"SELECT n FROM shops WHERE business_id = ?",
			businessId,
		);
		if (row) return row.n as number;
		// Another process may have taken this number for another shop.
		await tx.run(
			"INSERT INTO shops (n, business_id) VALUES ((SELECT coalesce(max(n), 0) + 1 FROM shops), ?) ON CONFLICT DO NOTHING",
			businessId,
		);
	}
}

/** @returns the number of a text in a shop, a new one if it has none */
export async function nameNumber(
	tx: Connection,
	shop: number,
	text: string,
): Promise<number> {
	const known = await tx.get(
		"SELECT n FROM names WHERE shop = ? AND text = ?",
		shop,
		text,
	);
	if (known) return known.n as number;
	const added = await tx.get(
		"INSERT INTO names (shop, n, text) SELECT ?, coalesce(max(n), 0) + 1, ? FROM names WHERE shop = ? RETURNING n",
		...[shop, text, shop],
	);
	return added?.n as number;
}
