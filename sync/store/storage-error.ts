import { ShopError } from "../protocol/errors.ts";

const storageCodes = [
	["SQLITE_FULL", "storage_full", "The disk is full"],
	["SQLITE_BUSY", "storage_busy", "Another process is using the database"],
	["SQLITE_LOCKED", "storage_busy", "Another process is using the database"],
	["SQLITE_NOTADB", "not_a_database", "The file is not a database"],
	// The index of the log had no room to grow.
	["SQLITE_IOERR_SHMSIZE", "storage_full", "The disk is full"],
	["SQLITE_IOERR", "storage_failed", "The disk failed"],
	["SQLITE_CORRUPT", "storage_failed", "The database file is damaged"],
	["SQLITE_READONLY", "storage_failed", "The database can't be written"],
	["SQLITE_CANTOPEN", "storage_failed", "The database can't be opened"],
	// Codes of the operating system, for files beside the database.
	["ENOSPC", "storage_full", "The disk is full"],
	["EDQUOT", "storage_full", "The disk is full"],
	["EROFS", "storage_failed", "The disk can't be written"],
	["EIO", "storage_failed", "The disk failed"],
	// Codes of a browser, for its own files.
	["QuotaExceededError", "storage_full", "The disk is full"],
	[
		"NoModificationAllowedError",
		"storage_busy",
		"Another process is using the database",
	],
] as const;

/** Converts any failure to open a database to a ShopError. */
export function toOpeningError(error: unknown): ShopError {
	const known = toStorageError(error);
	return known instanceof ShopError
		? known
		: new ShopError(
				"storage_failed",
				"The database can't be opened",
				undefined,
				{
					cause: error,
				},
			);
}

/** Converts a storage failure to a ShopError. Returns any other error unchanged. */
export function toStorageError(error: unknown): unknown {
	const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
	const known =
		error instanceof Error &&
		!(error instanceof ShopError) &&
		storageCodes.find(
			([prefix]) => String(code).startsWith(prefix) || name === prefix,
		);
	return known
		? new ShopError(known[1], known[2], undefined, { cause: error })
		: error;
}
