import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDatabaseMissing } from "../../server/operations/database.ts";
import { toIso } from "../../sync/protocol/clock.ts";
import { ShopError } from "../../sync/protocol/errors.ts";
import { newestVersion } from "../../sync/store/migrate.ts";
import { lookInto } from "../../sync/store/sqlite.ts";
import type { Connection } from "../../sync/store/store.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

const clockSlackMs = 5 * 60_000;
const backupMaxAgeMs = 7 * 24 * 3_600_000;
const restoreAdvice =
	'stop the server, then "counterfoil restore BACKUP --force": the tills bring back what the backup lacks';

const adviceOnServer =
	'pg_dump, pg_restore into a database beside it, and "counterfoil check-backup" on that';

/** All that can be told without changing anything. A database that is not there yet is no problem. */
export async function checkDatabase(
	file: string,
	now: number,
): Promise<Finding[]> {
	const isLost =
		isDatabaseMissing({ dataDir: dirname(file), databaseUrl: undefined }) &&
		existsSync(join(dirname(file), "auth-secret"));
	if (isLost)
		return [
			checkClock(now, null),
			problem(
				"database",
				`${file} is missing or empty, though its shop was here`,
				'mount its disk, or "counterfoil restore BACKUP --force"; for a new shop, remove auth-secret',
			),
		];
	if (!existsSync(file))
		return [
			checkClock(now, null),
			warning(
				"database",
				`${file} is not there yet`,
				'the first start makes it; "counterfoil demo" makes one to look around in',
			),
		];
	try {
		return await lookInto(file, (tx, version) => examine(tx, version, now));
	} catch (error) {
		if (!(error instanceof ShopError)) throw error;
		return [checkClock(now, null), failureOf(error, file)];
	}
}

/** The same of a database on a PostgreSQL server. @param name without a password */
export async function checkServerDatabase(
	url: string,
	name: string,
	now: number,
): Promise<Finding[]> {
	const { lookIntoPostgres } = await import("../../sync/store/postgres.ts");
	try {
		return await lookIntoPostgres(
			url,
			async (tx, { version, schemaVersion, isDurable }) => {
				const server = ok("database", `${name}, PostgreSQL ${version}`);
				const findings = [
					isDurable ? server : notDurable(server),
					checkSchema(schemaVersion),
				];
				if (schemaVersion === newestVersion())
					findings.push(await checkBackups(tx, now, adviceOnServer));
				return [
					checkClock(now, await lastSaleOf(tx, schemaVersion)),
					...findings,
				];
			},
		);
	} catch (error) {
		if (!(error instanceof ShopError)) throw error;
		const { cause } = error;
		const reason = cause instanceof Error ? ` (${cause.message})` : "";
		return [
			checkClock(now, null),
			problem(
				"database",
				`${name}: ${error.message}${reason}`,
				"check DATABASE_URL, and whether that server runs",
			),
		];
	}
}

function notDurable({ name, found }: Finding): Finding {
	return problem(
		name,
		`${found}, which does not wait for its disk`,
		"turn its settings fsync and full_page_writes on: a power cut would take sales that were acknowledged",
	);
}

async function examine(
	tx: Connection,
	version: number | undefined,
	now: number,
): Promise<Finding[]> {
	const findings = [await checkIntegrity(tx), checkSchema(version)];
	const lastSale = await lastSaleOf(tx, version);
	if (version !== newestVersion())
		return [checkClock(now, lastSale), ...findings];
	return [checkClock(now, lastSale), ...findings, await checkBackups(tx, now)];
}

/** Null where there is none, or where the tables are another version's. */
async function lastSaleOf(
	tx: Connection,
	version: number | undefined,
): Promise<string | null> {
	if (version !== newestVersion()) return null;
	const row = await tx.get(
		// Business by business, so that the index gives each answer at once.
		`SELECT max(last) AS at FROM (
       SELECT (SELECT max(created_at) FROM sales WHERE sales.business_id = businesses.business_id) AS last FROM businesses
     ) AS sold`,
	);
	return (row?.at ?? null) as string | null;
}

async function checkIntegrity(tx: Connection): Promise<Finding> {
	const name = "database";
	const row = await tx.get("PRAGMA integrity_check(1)");
	const said = String(Object.values(row ?? {})[0] ?? "");
	return said === "ok"
		? ok(name, "is whole")
		: problem(name, `is damaged: ${said}`, restoreAdvice);
}

function checkSchema(version: number | undefined): Finding {
	const name = "schema";
	const newest = newestVersion();
	if (version === undefined)
		return warning(name, "the database is empty", "the next start fills it");
	if (version > newest)
		return problem(
			name,
			`${version}, and this program knows up to ${newest}`,
			"update the program",
		);
	if (version < newest)
		return warning(
			name,
			`${version}, and this program's is ${newest}`,
			"the next start brings it up to date; make a backup before",
		);
	return ok(name, `${version}, the newest`);
}

/** This machine's clock says when a sale was, so a wrong one falls into the wrong day. */
function checkClock(now: number, lastSale: string | null): Finding {
	const name = "clock";
	const found = toIso(now);
	const advice = "set this machine's clock, and let it be set by the network";
	const program = statSync(join(import.meta.dirname, "../../package.json"));
	if (lastSale !== null && Date.parse(lastSale) > now + clockSlackMs)
		return problem(name, `${found}, and a sale was made ${lastSale}`, advice);
	if (now < program.mtimeMs - 24 * 3_600_000)
		return problem(name, `${found}, before this program was installed`, advice);
	return ok(name, found);
}

async function checkBackups(
	tx: Connection,
	now: number,
	advice = '"counterfoil backup --out DIRECTORY", on another disk',
): Promise<Finding> {
	const name = "backups";
	const meta = await tx.get(
		"SELECT value FROM meta WHERE key = 'backed_up_at'",
	);
	const row = await tx.get(
		"SELECT coalesce(sum(head - backed_up_to), 0) AS behind FROM businesses",
	);
	const behind = Number(row?.behind);
	const disk = await tx.get("SELECT value FROM meta WHERE key = 'backup_disk'");
	if (disk?.value === "same")
		return warning(
			name,
			`the last one, of ${String(meta?.value)}, is on the disk of the shop`,
			'"counterfoil backup --out DIRECTORY" on another disk: losing one loses both',
		);
	if (!meta)
		return behind === 0
			? ok(name, "there is nothing to back up yet")
			: warning(name, "none was ever made", advice);
	const at = String(meta.value);
	const found = `the last one is of ${at}, ${behind} changes ago`;
	const isOld = now - Date.parse(at) > backupMaxAgeMs;
	return behind > 0 && isOld ? warning(name, found, advice) : ok(name, found);
}

function failureOf(error: ShopError, file: string): Finding {
	const denied = /^SQLITE_(READONLY|CANTOPEN|PERM)/.test(
		String((error.cause as { code?: unknown } | undefined)?.code),
	);
	if (denied)
		return problem(
			"database",
			`${file}: ${error.message}`,
			"run as the user that owns it, or give it and what is beside it to this one",
		);
	const advice: Record<string, string> = {
		not_a_database: "check DATA_DIR; what is there is not touched",
		storage_busy: "try again when what holds it has ended",
		storage_failed: restoreAdvice,
	};
	return problem(
		"database",
		`${file}: ${error.message}`,
		advice[error.code] ?? "see the message",
	);
}
