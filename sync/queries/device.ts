import * as z from "zod";
import { managing } from "../entities/entity.ts";
import { timestamp } from "../entities/fields.ts";
import { defineQuery } from "./query.ts";

const device = z.object({
	id: z.string(),
	prefix: z.string(),
	lastReceipt: z.int(),
	createdAt: timestamp,
	lastSeenAt: timestamp,
	/** What it had made by its last push and not sent, as far as it said so. */
	unsent: z.int(),
	/** Its program's version, if it has said so. */
	program: z.string().nullable(),
	/** Changes of the shop that it had not fetched when it was last seen or that came since; null if it has not said so. */
	behind: z.int().nullable(),
});

export const deviceList = defineQuery({
	name: "device.list",
	summary: "The tills of the business, the latest to sync first",
	roles: managing,
	onServer: true,
	args: z.strictObject({}),
	answer: z.object({ devices: z.array(device) }),
	async run({ tx, businessId }) {
		const rows = await tx.all(
			"SELECT devices.*, (SELECT head FROM businesses WHERE businesses.business_id = devices.business_id) AS head FROM devices WHERE business_id = ? ORDER BY last_seen_at DESC, id",
			businessId,
		);
		const devices = rows.map((row) => ({
			id: row.id as string,
			prefix: row.prefix as string,
			lastReceipt: row.last_receipt as number,
			createdAt: row.created_at as string,
			lastSeenAt: row.last_seen_at as string,
			unsent: Math.max(0, Number(row.counted) - Number(row.last_number)),
			program: row.program as string | null,
			behind:
				row.reached === null
					? null
					: Math.max(0, Number(row.head) - Number(row.reached)),
		}));
		return { devices };
	},
});
