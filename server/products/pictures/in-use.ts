import type { Connection } from "../../../sync/store/store.ts";
import { pictureName } from "./pictures.ts";

const path = "/api/pictures/";

export function urlOf(name: string): string {
	return `${path}${name}`;
}

/** The file name in a picture's URL; undefined for no URL or an external picture. */
export function nameOf(url: unknown): string | undefined {
	if (typeof url !== "string" || !url.startsWith(path)) return undefined;
	const name = url.slice(path.length);
	return pictureName.test(name) ? name : undefined;
}

/**
 * Picture files that the business uses: its receipts' logo, and its products' pictures, including inactive ones, which may
 * be reactivated.
 *
 * @returns undefined if the business is not in this database
 */
export async function picturesInUse(
	tx: Connection,
	businessId: string,
): Promise<Set<string> | undefined> {
	const known = await tx.get(
		"SELECT receipt_logo_url FROM businesses WHERE business_id = ?",
		businessId,
	);
	if (!known) return undefined;
	const rows = await tx.all(
		"SELECT image_url, thumbnail_url FROM products WHERE business_id = ? AND (image_url IS NOT NULL OR thumbnail_url IS NOT NULL)",
		businessId,
	);
	const names = [
		nameOf(known.receipt_logo_url),
		...rows.flatMap(({ image_url, thumbnail_url }) => [
			nameOf(image_url),
			nameOf(thumbnail_url),
		]),
	];
	return new Set(names.filter((name) => name !== undefined));
}
