import pg from "pg";
import { type ErrorCode, ShopError } from "../protocol/errors.ts";

/** By SQLSTATE, or by the first letters of a class of them; what the system says where it does not get that far. */
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
	["42501", "storage_failed", "The database's user may not do this"],
	["28", "storage_failed", "The database refuses the user or the password"],
	["3D000", "storage_failed", "There is no database of that name"],
	["ECONNREFUSED", "storage_failed", "The database can't be reached"],
	["ENOENT", "storage_failed", "The database can't be reached"],
	["ENOTFOUND", "storage_failed", "The database can't be reached"],
	["EAI_AGAIN", "storage_failed", "The database can't be reached"],
	["EHOSTUNREACH", "storage_failed", "The database can't be reached"],
	["ETIMEDOUT", "storage_failed", "The database can't be reached"],
];

/** Failures of the storage by our own names; anything else as it is. */
export function toPostgresError(error: unknown): unknown {
	if (error instanceof ShopError) return error;
	const code = sqlState(error);
	const known = storageCodes.find(([prefix]) => code.startsWith(prefix));
	if (known)
		return new ShopError(known[1], known[2], undefined, { cause: error });
	if (error instanceof pg.DatabaseError) return error;
	// The driver's own words, of a socket that closed or a server that says what no server should.
	return new ShopError(
		"storage_failed",
		"The connection to the database was lost",
		undefined,
		{ cause: error },
	);
}

/** The code of what the database said, if it was the database that said it. */
function sqlState(error: unknown): string {
	const cause = error instanceof ShopError ? error.cause : error;
	const { code } = (cause ?? {}) as { code?: unknown };
	return typeof code === "string" ? code : "";
}

/** Two transactions met: run again from the start, it may well succeed. */
export function isConflict(error: unknown): boolean {
	return ["40001", "40P01"].includes(sqlState(error));
}

/** It has waited for a row that another transaction holds. */
export function isLockTimeout(error: unknown): boolean {
	return sqlState(error) === "55P03";
}

/**
 * A unique key is taken. On one machine whoever looks before writing can't meet it; here another process may have come
 * in between, and a second look finds what that one wrote.
 */
export function isUnique(error: unknown): boolean {
	return sqlState(error) === "23505";
}

/** The connection broke: what it was asked last may have happened or not. */
export function isLost(error: unknown): boolean {
	if (!(error instanceof ShopError) || error.code !== "storage_failed")
		return false;
	return (
		!(error.cause instanceof pg.DatabaseError) ||
		/^(08|57P|25P03)/.test(sqlState(error))
	);
}
