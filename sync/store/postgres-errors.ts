import pg from "pg";
import { type ErrorCode, ShopError } from "../protocol/errors.ts";

/** Our codes and messages by SQLSTATE, its first characters, or the system's error code. */
const storageCodes: readonly (readonly [string, ErrorCode, string])[] = [
	["53100", "storage_full", "The disk is full"],
	["40001", "storage_busy", "Another process is using the database"],
	["40P01", "storage_busy", "Another process is using the database"],
	["55P03", "storage_busy", "Another process is using the database"],
	["57014", "storage_busy", "The database took too long"],
	["53300", "storage_busy", "The database takes no more connections"],
	["57P03", "storage_busy", "The database is starting or stopping"],
	["57P", "storage_failed", "The connection to the database was lost"],
	["08", "storage_failed", "The connection to the database was lost"],
	["25P03", "storage_failed", "The connection to the database was lost"],
	["53", "storage_failed", "The database has run out of resources"],
	["58", "storage_failed", "The database's disk failed"],
	["XX001", "storage_failed", "The database is damaged"],
	["XX002", "storage_failed", "The database is damaged"],
	["25006", "storage_failed", "The database can't be written"],
	["42501", "storage_failed", "The database's user lacks the permission"],
	["28", "storage_failed", "The database refuses the user or the password"],
	["3D000", "storage_failed", "There is no database of that name"],
	["ECONNREFUSED", "storage_failed", "The database can't be reached"],
	["ENOENT", "storage_failed", "The database can't be reached"],
	["ENOTFOUND", "storage_failed", "The database can't be reached"],
	["EAI_AGAIN", "storage_failed", "The database can't be reached"],
	["EHOSTUNREACH", "storage_failed", "The database can't be reached"],
	["ETIMEDOUT", "storage_failed", "The database can't be reached"],
];

/** Converts a storage failure to a ShopError. Returns any other error unchanged. */
export function toPostgresError(error: unknown): unknown {
	if (error instanceof ShopError) return error;
	const code = sqlState(error);
	const known = storageCodes.find(([prefix]) => code.startsWith(prefix));
	if (known)
		return new ShopError(known[1], known[2], undefined, { cause: error });
	if (error instanceof pg.DatabaseError) return error;
	// The driver's own error, for a closed socket or an impossible answer.
	return new ShopError(
		"storage_failed",
		"The connection to the database was lost",
		undefined,
		{ cause: error },
	);
}

/** Returns the SQLSTATE of a database's error, or an empty text for another error. */
function sqlState(error: unknown): string {
	const cause = error instanceof ShopError ? error.cause : error;
	const { code } = (cause ?? {}) as { code?: unknown };
	return typeof code === "string" ? code : "";
}

/** Returns true for a conflict of two transactions: running again from the start can succeed. */
export function isConflict(error: unknown): boolean {
	return ["40001", "40P01"].includes(sqlState(error));
}

/** Returns true for a timeout while waiting for a row that another transaction holds. */
export function isLockTimeout(error: unknown): boolean {
	return sqlState(error) === "55P03";
}

/**
 * Returns true for a duplicate key. On one machine a check before the write excludes it; here another process may write
 * in between, and a second run sees what it wrote.
 */
export function isUnique(error: unknown): boolean {
	return sqlState(error) === "23505";
}

/** Returns true if the connection broke: the last statement may or may not have run. */
export function isLost(error: unknown): boolean {
	if (!(error instanceof ShopError) || error.code !== "storage_failed")
		return false;
	return (
		!(error.cause instanceof pg.DatabaseError) ||
		/^(08|57P|25P03)/.test(sqlState(error))
	);
}
