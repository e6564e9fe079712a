import { readMeta } from "../../../sync/store/meta.ts";
import type { Connection } from "../../../sync/store/store.ts";

/** How far backups cover an installation. */
interface BackupStanding {
	/** When the last one was made; undefined if there is none. */
	at: string | undefined;
	isOnSameDisk: boolean;
	/** Changes of all shops that none holds. */
	behind: number;
}

export async function readBackupStanding(
	tx: Connection,
): Promise<BackupStanding> {
	const row = await tx.get(
		"SELECT coalesce(sum(head), 0) AS heads, coalesce(sum(backed_up_to), 0) AS covered FROM businesses",
	);
	const held = Number((await readMeta(tx, "backed_up_heads")) ?? 0);
	return {
		at: await readMeta(tx, "backed_up_at"),
		isOnSameDisk: (await readMeta(tx, "backup_disk")) === "same",
		behind: Math.max(
			0,
			Number(row?.heads) - Math.max(held, Number(row?.covered)),
		),
	};
}
