import type { Logger } from "pino";
import { lockHead } from "../../sync/log/log.ts";
import { toIso } from "../../sync/protocol/clock.ts";
import type { Env } from "../../sync/protocol/ids.ts";
import type { Connection, Store } from "../../sync/store/store.ts";
import type { Backups } from "../operations/backup/backups.ts";
import { readBackupStanding } from "../operations/backup/standing.ts";
import { diskMinBytes, readDisk } from "../operations/disk.ts";
import { findOnlyShop } from "../operations/installation/businesses.ts";
import { notify } from "./notifications.ts";

const dayMs = 24 * 3_600_000;
/** A busy shop loses this much when its disk dies. */
const backupMaxAgeMs = 7 * dayMs;
/** Backups that the server makes itself are an hour old, or a day where its operator chose one hour. */
const ownBackupMaxAgeMs = 2 * dayMs;
/** A till that is away over a weekend is no reason to worry. */
const awayMaxMs = 3 * dayMs;
/** What goes on is said again after this long. */
const repeatMs = 7 * dayMs;
const everyMs = 3_600_000;
/** After the backups that are due when a server starts that was off for days. */
const firstMs = 600_000;

interface Alert {
	businessId: string;
	/** The same for the same trouble, so that it is not said twice. */
	title: string;
	message: string;
	data: Record<string, unknown>;
}

interface Parts {
	store: Store;
	env: Env;
	dataDir: string;
	backups: Pick<Backups, "isOn" | "standing">;
	log: Logger;
}

interface Alerts {
	look(): void;
	close(): void;
}

/** Looks each hour for what an owner should know before it costs sales. */
export function openAlerts(parts: Parts): Alerts {
	const look = () => {
		alertOwners(parts).catch((err) => parts.log.error({ err }));
	};
	const timers = [setTimeout(look, firstMs), setInterval(look, everyMs)];
	for (const timer of timers) timer.unref();
	return {
		look,
		close() {
			for (const timer of timers) clearTimeout(timer);
		},
	};
}

/** Notifies the owners of each business of what is new. */
export async function alertOwners({
	store,
	env,
	dataDir,
	backups,
}: Omit<Parts, "log">): Promise<void> {
	const { freeBytes } = await readDisk(dataDir);
	const alerts = await store.read(async (tx) => [
		...(await serverAlerts(tx, env.now(), freeBytes, backups)),
		...(await tillAlerts(tx, env.now())),
	]);
	for (const alert of alerts)
		await store.write(async (tx) => {
			// Another process may be saying the same.
			await lockHead(tx, alert.businessId);
			for (const userId of await ownersUnaware(tx, alert, env.now()))
				await notify(
					tx,
					env,
					{ businessId: alert.businessId, userId },
					{ ...alert, type: "system" },
				);
		});
}

/** What concerns the server is for the owner of its only shop: another's operator has the numbers of `/metrics`. */
async function serverAlerts(
	tx: Connection,
	now: number,
	freeBytes: number,
	backups: Parts["backups"],
): Promise<Alert[]> {
	const only = await findOnlyShop(tx);
	if (!only) return [];
	const businessId = only.id;
	const alerts: Alert[] = [];
	const { at, behind } = await readBackupStanding(tx);
	const since = at ?? only.createdAt;
	const maxAgeMs = backups.isOn ? ownBackupMaxAgeMs : backupMaxAgeMs;
	if (behind > 0 && now - Date.parse(since) > maxAgeMs)
		alerts.push({
			businessId,
			title: at ? "The last backup is old" : "There is no backup yet",
			message: `${behind} changes have none.`,
			data: { code: "backup_old", at: at ?? null, count: behind },
		});
	for (const { dir, problem } of backups.standing())
		if (problem)
			alerts.push({
				businessId,
				title: `No backup in ${dir}`,
				message: problem.message,
				data: { code: `backup_${problem.trouble}`, name: dir },
			});
	if (freeBytes < diskMinBytes) {
		const megabytes = Math.floor(freeBytes / 1e6);
		alerts.push({
			businessId,
			title: "The server's disk is nearly full",
			message: `${megabytes} MB are left. On a full disk nothing is saved.`,
			data: { code: "disk_low", megabytes },
		});
	}
	return alerts;
}

/** A till says with each push how far it has counted, so the server knows what one that was cut off still has. */
async function tillAlerts(tx: Connection, now: number): Promise<Alert[]> {
	const rows = await tx.all(
		"SELECT business_id, id, prefix, last_seen_at, counted - last_number AS unsent FROM devices WHERE counted > last_number AND last_seen_at < ?",
		toIso(now - awayMaxMs),
	);
	return rows.map((row) => ({
		businessId: row.business_id as string,
		title: `Till ${row.prefix} keeps unsent sales`,
		message: `${row.unsent} acts unsent, last seen ${row.last_seen_at}. Put it online.`,
		data: {
			...{ code: "till_unsent", name: row.prefix, deviceId: row.id },
			...{ count: Number(row.unsent), at: row.last_seen_at },
		},
	}));
}

/** The owners who have not read of it lately, whether they deleted it since or not. */
async function ownersUnaware(
	tx: Connection,
	{ businessId, title }: Alert,
	now: number,
): Promise<string[]> {
	const rows = await tx.all(
		`SELECT user_id FROM memberships WHERE business_id = ? AND role = 'OWNER' AND NOT EXISTS (
       SELECT 1 FROM notifications WHERE notifications.business_id = ? AND notifications.user_id = memberships.user_id
         AND title = ? AND created_at > ?)`,
		businessId,
		businessId,
		title,
		toIso(now - repeatMs),
	);
	return rows.map(({ user_id }) => user_id as string);
}
