import type { Connection } from "../../sync/store/store.ts";

/** How much a business has, and since when. */
export interface BusinessCounts {
	businessId: string;
	name: string;
	members: number;
	devices: number;
	products: number;
	categories: number;
	sales: number;
	refunds: number;
	stockMovements: number;
	toSortOut: number;
	mutations: number;
	refused: number;
	firstSale: string | null;
	lastSale: string | null;
	head: number;
	/** The head that the last verified backup holds. */
	backedUpTo: number;
}

export interface InstallationCounts {
	businesses: number;
	users: number;
	admins: number;
	apiKeys: number;
	aiCalls: number;
}

const businessSql = `SELECT business_id AS "businessId", name, head, backed_up_to AS "backedUpTo",
    (SELECT count(*) FROM memberships WHERE memberships.business_id = businesses.business_id) AS members,
    (SELECT count(*) FROM devices WHERE devices.business_id = businesses.business_id) AS devices,
    (SELECT count(*) FROM products WHERE products.business_id = businesses.business_id AND products.deleted = 0) AS products,
    (SELECT count(*) FROM categories WHERE categories.business_id = businesses.business_id AND categories.deleted = 0) AS categories,
    (SELECT count(*) FROM sales WHERE sales.business_id = businesses.business_id) AS sales,
    (SELECT count(*) FROM refunds WHERE refunds.business_id = businesses.business_id) AS refunds,
    (SELECT count(*) FROM stock_movements WHERE stock_movements.business_id = businesses.business_id) AS "stockMovements",
    (SELECT count(*) FROM inbox_items WHERE inbox_items.business_id = businesses.business_id AND inbox_items.deleted = 0) AS "toSortOut",
    (SELECT count(*) FROM mutations WHERE mutations.business_id = businesses.business_id) AS mutations,
    (SELECT count(*) FROM mutations WHERE mutations.business_id = businesses.business_id AND status = 'rejected') AS refused,
    (SELECT min(created_at) FROM sales WHERE sales.business_id = businesses.business_id) AS "firstSale",
    (SELECT max(created_at) FROM sales WHERE sales.business_id = businesses.business_id) AS "lastSale"
  FROM businesses WHERE businesses.deleted = 0`;

/** @param businessId all of them where undefined */
export async function countBusinesses(
	tx: Connection,
	businessId: string | undefined,
): Promise<BusinessCounts[]> {
	const rows =
		businessId === undefined
			? await tx.all(`${businessSql} ORDER BY name`)
			: await tx.all(`${businessSql} AND business_id = ?`, businessId);
	return rows as unknown as BusinessCounts[];
}

export async function countInstallation(
	tx: Connection,
): Promise<InstallationCounts> {
	const row = await tx.get(
		`SELECT (SELECT count(*) FROM businesses WHERE deleted = 0) AS businesses, (SELECT count(*) FROM users) AS users,
      (SELECT count(*) FROM admins) AS admins, (SELECT count(*) FROM api_keys WHERE revoked_at IS NULL) AS "apiKeys",
      (SELECT count(*) FROM ai_calls) AS "aiCalls"`,
	);
	return row as unknown as InstallationCounts;
}
