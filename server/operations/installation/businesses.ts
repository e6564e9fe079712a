import { demoOwner } from "../../../sync/protocol/demo.ts";
import type { Connection } from "../../../sync/store/store.ts";

/** A business on this server. */
interface InstalledBusiness {
	id: string;
	name: string;
	currency: string;
	timeZone: string;
	members: number;
	createdAt: string;
}

/** Lists all businesses, oldest first. */
export async function listBusinesses(
	tx: Connection,
): Promise<InstalledBusiness[]> {
	const rows = await tx.all(
		`SELECT business_id AS id, name, currency, time_zone AS "timeZone",
       (SELECT count(*) FROM memberships WHERE memberships.business_id = businesses.business_id) AS members,
       created_at AS "createdAt"
     FROM businesses WHERE deleted = 0 ORDER BY created_at, business_id`,
	);
	return rows as unknown as InstalledBusiness[];
}

/** Finds the server's only shop, whose owner takes care of the server, too. A demo shop beside it doesn't count. */
export async function findOnlyShop(
	tx: Connection,
): Promise<InstalledBusiness | undefined> {
	const all = await listBusinesses(tx);
	const demos = await tx.all(
		"SELECT business_id FROM memberships JOIN users ON users.id = user_id WHERE email = ?",
		demoOwner.email,
	);
	const isDemo = new Set(demos.map(({ business_id }) => business_id));
	const others = all.filter(({ id }) => !isDemo.has(id));
	const [only, ...more] = others.length > 0 ? others : all;
	return more.length > 0 ? undefined : only;
}

/** Counts of a business's server-only rows. */
interface BusinessCounts {
	members: number;
	devices: number;
	mutations: number;
	refused: number;
	head: number;
	/** The business's version in the last verified backup. */
	backedUpTo: number;
}

export async function countRecords(
	tx: Connection,
	businessId: string,
): Promise<BusinessCounts> {
	const row = await tx.get(
		`SELECT (SELECT count(*) FROM memberships WHERE memberships.business_id = businesses.business_id) AS members,
       (SELECT count(*) FROM devices WHERE devices.business_id = businesses.business_id) AS devices,
       (SELECT count(*) FROM mutations WHERE mutations.business_id = businesses.business_id) AS mutations,
       (SELECT count(*) FROM mutations WHERE mutations.business_id = businesses.business_id AND status = 'rejected') AS refused,
       head, backed_up_to AS "backedUpTo"
     FROM businesses WHERE business_id = ?`,
		businessId,
	);
	return row as unknown as BusinessCounts;
}
