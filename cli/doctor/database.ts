import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { readBackupStanding } from "../../server/operations/backup/standing.ts";
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
	'stop the server, then run "counterfoil restore BACKUP --force": the tills resend what the backup lacks';

const adviceOnServer =
	'make one with pg_dump, restore it into a separate database with pg_restore, and run "counterfoil check-backup" on that';

/** Checks a database file without changing it. A missing database of a new installation is only a warning. */
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
				`${file} is missing or empty, but its shop used to be here`,
				'mount its disk, or run "counterfoil restore BACKUP --force"; for a new shop, delete auth-secret',
			),
		];
	if (!existsSync(file))
		return [
			checkClock(now, null),
			warning(
				"database",
				`${file} does not exist yet`,
				'the first start creates it; "counterfoil demo" creates one with sample data',
			),
		];
	try {
		return await lookInto(file, (tx, version) => examine(tx, version, now));
	} catch (error) {
		if (!(error instanceof ShopError)) throw error;
		return [checkClock(now, null), failureOf(error, file)];
	}
}

/** Checks a database on a PostgreSQL server without changing it. @param name its address without a password */
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
				"check DATABASE_URL and whether that server is running",
			),
		];
	}
}

function notDurable({ name, found }: Finding): Finding {
	return problem(
		name,
		`${found}; it confirms writes before they are on disk`,
		"turn on fsync and full_page_writes in its settings: a power cut would lose acknowledged sales",
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

/** @returns null if there is no sale, or if the schema is not the newest */
async function lastSaleOf(
	tx: Connection,
	version: number | undefined,
): Promise<string | null> {
	if (version !== newestVersion()) return null;
	const row = await tx.get(
		// One subquery per business, so that each reads only the end of an index.
		`SELECT max(last) AS at FROM (
       SELECT (SELECT max(made_ms) FROM sales WHERE sales.business_id = businesses.business_id) AS last FROM businesses
     ) AS sold`,
	);
	return typeof row?.at === "number" ? toIso(row.at) : null;
}

async function checkIntegrity(tx: Connection): Promise<Finding> {
	const name = "database";
	const row = await tx.get("PRAGMA integrity_check(1)");
	const said = String(Object.values(row ?? {})[0] ?? "");
	return said === "ok"
		? ok(name, "intact")
		: problem(name, `damaged: ${said}`, restoreAdvice);
}

function checkSchema(version: number | undefined): Finding {
	const name = "schema";
	const newest = newestVersion();
	if (version === undefined)
		return warning(name, "the database is empty", "the next start creates it");
	if (version > newest)
		return problem(
			name,
			`${version}, but this Counterfoil supports up to ${newest}`,
			"update Counterfoil",
		);
	if (version < newest)
		return warning(
			name,
			`${version}; this Counterfoil uses ${newest}`,
			"the next start upgrades it; make a backup first",
		);
	return ok(name, `${version}, the newest`);
}

/** Sales take their time from this machine's clock, so a wrong clock puts them on the wrong day. */
function checkClock(now: number, lastSale: string | null): Finding {
	const name = "clock";
	const found = toIso(now);
	const advice = "set this machine's clock, and turn on automatic network time";
	const program = statSync(join(import.meta.dirname, "../../package.json"));
	if (lastSale !== null && Date.parse(lastSale) > now + clockSlackMs)
		return problem(
			name,
			`${found}, but the last sale was at ${lastSale}`,
			advice,
		);
	if (now < program.mtimeMs - 24 * 3_600_000)
		return problem(name, `${found}, before Counterfoil was installed`, advice);
	return ok(name, found);
}

async function checkBackups(
	tx: Connection,
	now: number,
	advice = 'run "counterfoil backup --out DIRECTORY" with a directory on another disk',
): Promise<Finding> {
	const name = "backups";
	const { at, isOnSameDisk, behind } = await readBackupStanding(tx);
	if (isOnSameDisk)
		return warning(
			name,
			`the last one, of ${at}, is on the same disk as the shop`,
			'run "counterfoil backup --out DIRECTORY" with a directory on another disk: losing this disk loses both',
		);
	if (at === undefined)
		return behind === 0
			? ok(name, "there is nothing to back up yet")
			: warning(name, "there are none", advice);
	const found = `the last one is of ${at}, ${behind} changes behind`;
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
			"run as the user that owns it, or give this user the database and the files beside it",
		);
	const advice: Record<string, string> = {
		not_a_database: "check DATA_DIR; the file there was not changed",
		storage_busy: "try again when the program that holds it has finished",
		storage_failed: restoreAdvice,
	};
	return problem(
		"database",
		`${file}: ${error.message}`,
		advice[error.code] ?? "see the message",
	);
}
