import { ShopError } from "../protocol/errors.ts";

const storageCodes = [
	["SQLITE_FULL", "storage_full", "The disk is full"],
	["SQLITE_BUSY", "storage_busy", "Another process is using the database"],
	["SQLITE_LOCKED", "storage_busy", "Another process is using the database"],
	["SQLITE_NOTADB", "not_a_database", "The file is not a database"],
	// It could not make room for the index of its log.
	["SQLITE_IOERR_SHMSIZE", "storage_full", "The disk is full"],
	["SQLITE_IOERR", "storage_failed", "The disk failed"],
	["SQLITE_CORRUPT", "storage_failed", "The database file is damaged"],
	["SQLITE_READONLY", "storage_failed", "The database can't be written"],
	["SQLITE_CANTOPEN", "storage_failed", "The database can't be opened"],
	// The system's own, of files beside the database.
	["ENOSPC", "storage_full", "The disk is full"],
	["EDQUOT", "storage_full", "The disk is full"],
	["EROFS", "storage_failed", "The disk can't be written"],
	["EIO", "storage_failed", "The disk failed"],
	// A browser's, of its own files.
	["QuotaExceededError", "storage_full", "The disk is full"],
	[
		"NoModificationAllowedError",
		"storage_busy",
		"Another process is using the database",
	],
] as const;

/** Failures of the storage by our own names; anything else as it is. */
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
