import type { SafeStorage } from "electron";
import type { Logger } from "pino";
import * as z from "zod";
import type { Vault } from "../shop/vault.ts";
import { openKept } from "./kept-file.ts";

const keptToken = z.object({
	/** By the system's keeper of secrets, or not at all. */
	isSealed: z.boolean(),
	/** Base 64 where it is sealed. */
	token: z.string(),
});

/** True where the system keeps a key for us that a copied disk does not hold. */
export function canSeal(
	safeStorage: SafeStorage,
	platform = process.platform,
): boolean {
	if (!safeStorage.isEncryptionAvailable()) return false;
	// Electron's last resort on Linux is a key that is written in its sources.
	return (
		platform !== "linux" ||
		safeStorage.getSelectedStorageBackend() !== "basic_text"
	);
}

/**
 * Keeps the token for the shop's server, sealed by the system. Where the system has no keeper of secrets it is kept in a
 * file that only this user can read, like the database beside it: a till that asks for a password at each start is worse
 * off, and who can read this file can read the whole shop.
 */
export function openTokenKeeper(
	file: string,
	safeStorage: SafeStorage,
	log: Logger,
	platform = process.platform,
): Vault {
	const kept = openKept(file, keptToken, log);
	return {
		read() {
			const found = kept.read();
			if (!found?.isSealed) return found?.token;
			try {
				return safeStorage.decryptString(Buffer.from(found.token, "base64"));
			} catch (err) {
				// Another user's file, or a keeper that was emptied: the till says that it wants a new sign-in.
				log.warn({ err }, "The token can't be unsealed");
				return undefined;
			}
		},
		write(token) {
			const isSealed = canSeal(safeStorage, platform);
			if (!isSealed)
				log.warn(
					"This system has no keeper of secrets: a file keeps the token",
				);
			kept.remember({
				isSealed,
				token: isSealed
					? safeStorage.encryptString(token).toString("base64")
					: token,
			});
		},
	};
}
