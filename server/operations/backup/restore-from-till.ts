import type { Role } from "../../../sync/entities/entity.ts";
import {
	batchMax,
	type MutationMessage,
} from "../../../sync/protocol/protocol.ts";
import {
	becomeServer,
	type FormerTill,
} from "../../../sync/replica/become-server.ts";
import { openShop, type SyncServer } from "../../../sync/shop.ts";
import { openSqlite } from "../../../sync/store/sqlite.ts";
import type { Connection, Store } from "../../../sync/store/store.ts";
import { members } from "../../accounts/members.ts";
import {
	adoptMembers,
	type OwnerAccount,
} from "../../accounts/till-members.ts";
import { BackupError } from "./backup-error.ts";
import { forgetContents } from "./contents.ts";
import { installCopy, type RestoreOptions } from "./restore.ts";

/** A server as it was built from a till's database. */
interface FromTill {
	businessId: string;
	businessName: string;
	/** When the till last synced; null if it had never fetched the whole shop. */
	lastSyncAt: string | null;
	/** The first day of the till's window: older sales are missing until a till that has them brings them. Null without one. */
	windowDay: string | null;
	sales: number;
	/** Sales and refunds of others, from a till in the middle of a reset, that no mutation can make again. */
	unmade: number;
	/** What the till had made itself and kept, by what became of it on the new server. */
	own: { recorded: number; rejected: number; waiting: number };
	ownerId: string;
	/** The members who have no email, and so no way to sign in. */
	withoutEmail: { id: string; name: string; role: Role }[];
}

interface Options extends RestoreOptions {
	owner: OwnerAccount;
}

/**
 * Builds a server's database from a till's, for a shop whose server and backups are gone. All tills find a new history there
 * and offer what they have kept.
 *
 * @throws as `installCopy`; BackupError for a file that is no till's
 */
export function restoreFromTill(options: Options) {
	return installCopy(options, async (unfinished) => {
		const store = await openSqlite(unfinished);
		try {
			return await buildServer(store, options);
		} finally {
			await store.close();
		}
	});
}

async function buildServer(
	store: Store,
	{ file, env, owner }: Options,
): Promise<FromTill> {
	let unmade = 0;
	const { till, ownerId } = await store.write(async (tx) => {
		const till = await becomeServer(tx, env, () => {
			unmade += 1;
		});
		if (!till) throw new BackupError(await describeOther(tx, file));
		await forgetContents(tx);
		const makers = till.mutations.flatMap(({ by }) => by ?? []);
		return {
			till,
			ownerId: await adoptMembers(tx, env, till.businessId, owner, makers),
		};
	});
	const { businessId, lastSyncAt, windowDay } = till;
	const own = await recordAll(openShop({ store, env }), till, ownerId);
	const held = await store.read((tx) => describe(tx, businessId));
	return {
		...{ businessId, lastSyncAt, windowDay, ownerId, unmade, own },
		...held,
	};
}

/** Records what the till made, as if it had pushed it. What waits for a later mutation of the till is tried again. */
async function recordAll(
	shop: SyncServer,
	{ businessId, deviceId, mutations }: FormerTill,
	ownerId: string,
): Promise<FromTill["own"]> {
	const own = { recorded: 0, rejected: 0, waiting: 0 };
	const caller = {
		businessId,
		userId: ownerId,
		role: "OWNER",
		deviceId,
	} as const;
	for (let left = mutations; left.length > 0; ) {
		const waiting: MutationMessage[] = [];
		for (let start = 0; start < left.length; start += batchMax) {
			const batch = left.slice(start, start + batchMax);
			// The till counts on: the server must not take any of its numbers for answered.
			const request = { mutations: batch, deviceId, settled: 0, limit: 0 };
			const { results } = await shop.push(caller, request);
			for (const [i, { status }] of results.entries()) {
				if (status === "applied") own.recorded += 1;
				else if (status === "rejected") own.rejected += 1;
				else waiting.push(batch[i] as MutationMessage);
			}
		}
		own.waiting = waiting.length;
		if (waiting.length === left.length) break;
		left = waiting;
	}
	return own;
}

/** Says what a database is that is no till's. */
async function describeOther(tx: Connection, file: string): Promise<string> {
	if (await tx.get("SELECT 1 AS till FROM replica LIMIT 1"))
		return `${file} is a till's database that has not fetched its shop yet; use another till's`;
	const shop = await tx.get("SELECT name FROM businesses LIMIT 1");
	return shop
		? `${file} is not a till's database: ${shop.name} joined no server. Restore it as a backup: "counterfoil restore ${file}"`
		: `${file} has no shop; use the database of a till that has joined one`;
}

async function describe(
	tx: Connection,
	businessId: string,
): Promise<Pick<FromTill, "businessName" | "sales" | "withoutEmail">> {
	const shop = await tx.get(
		"SELECT name, (SELECT count(*) FROM sales WHERE sales.business_id = businesses.business_id) AS sales FROM businesses WHERE business_id = ?",
		businessId,
	);
	const all = await members(tx).list(businessId);
	return {
		businessName: shop?.name as string,
		sales: Number(shop?.sales),
		withoutEmail: all
			.filter(({ userId, email }) => email === userId)
			.map(({ userId: id, name, role }) => ({ id, name, role })),
	};
}
