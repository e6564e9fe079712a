import { statSync } from "node:fs";
import { ShopError } from "../protocol/errors.ts";

/**
 * Watches that an open database is still the file at its path. Otherwise commits go to a file without a name and are
 * lost when the process ends.
 *
 * @returns a function that throws ShopError `storage_failed` if the file was removed, replaced or emptied
 */
export function watchPlace(path: string): () => void {
	const look = (file: string) =>
		statSync(file, { throwIfNoEntry: false, bigint: true });
	const own = look(path);
	return () => {
		const found = look(path);
		if (!found) throw lost("removed");
		if (found.dev !== own?.dev || found.ino !== own.ino) throw lost("replaced");
		if (found.size === 0n) throw lost("emptied");
		if (!look(`${path}-wal`)) throw lost("parted from its log");
	};
}

function lost(what: string): ShopError {
	return new ShopError(
		"storage_failed",
		`The database file has been ${what} while the server runs`,
	);
}
