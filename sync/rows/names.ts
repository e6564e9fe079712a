import type { Connection } from "../store/store.ts";

/*
 * A shop's sales repeat a few hundred texts (ids of members, devices and products, names of lines), and an id takes 36 bytes.
 * Each has a number in this database, which never leaves it.
 */

/** A connection remembers no more numbers than this. */
const knownMax = 50_000;

async function remember(
	{ known }: Connection,
	key: string,
	find: () => Promise<number>,
): Promise<number> {
	const number = known?.get(key) ?? (await find());
	if (known && known.size >= knownMax) known.clear();
	known?.set(key, number);
	return number;
}

/** @returns the number of a shop, a new one if it has none */
export function shopNumber(
	tx: Connection,
	businessId: string,
): Promise<number> {
	return remember(tx, businessId, async () => {
		for (;;) {
			const row = await tx.get(
				"SELECT n FROM shops WHERE business_id = ?",
				businessId,
			);
			if (row) return row.n as number;
			// Does nothing if another process has taken the number for another shop.
			await tx.run(
				"INSERT INTO shops (n, business_id) VALUES ((SELECT coalesce(max(n), 0) + 1 FROM shops), ?) ON CONFLICT DO NOTHING",
				businessId,
			);
		}
	});
}

/** @returns the number of a text in a shop, a new one if it has none */
export function nameNumber(
	tx: Connection,
	shop: number,
	text: string,
): Promise<number> {
	return remember(tx, `${shop} ${text}`, async () => {
		const row =
			(await tx.get(
				"SELECT n FROM names WHERE shop = ? AND text = ?",
				shop,
				text,
			)) ??
			(await tx.get(
				"INSERT INTO names (shop, n, text) SELECT ?, coalesce(max(n), 0) + 1, ? FROM names WHERE shop = ? RETURNING n",
				...[shop, text, shop],
			));
		return row?.n as number;
	});
}
