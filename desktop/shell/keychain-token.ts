import type { SafeStorage } from "electron";
import type { Logger } from "pino";
import * as z from "zod";
import type { TokenStore } from "../shop/token-store.ts";
import { openSavedValue } from "./saved-value.ts";

const keptToken = z.object({
	/** Encrypted by the OS keychain, or not at all. */
	isSealed: z.boolean(),
	/** Base64 if it is sealed. */
	token: z.string(),
});

/** Whether the OS holds a key for this app that a copy of the disk doesn't contain. */
export function canSeal(
	safeStorage: SafeStorage,
	platform = process.platform,
): boolean {
	if (!safeStorage.isEncryptionAvailable()) return false;
	// Electron's last resort on Linux is a key that its source code contains.
	return (
		platform !== "linux" ||
		safeStorage.getSelectedStorageBackend() !== "basic_text"
	);
}

/**
 * Keeps the token for the shop's server, sealed by the OS keychain. Without a keychain the token is in a file that only
 * this user can read, like the database beside it: a password at each start would be worse, and a reader of this file can
 * read the whole shop anyway.
 */
export function openKeychainToken(
	file: string,
	safeStorage: SafeStorage,
	log: Logger,
	platform = process.platform,
): TokenStore {
	const kept = openSavedValue(file, keptToken, log);
	return {
		read() {
			const found = kept.read();
			if (!found?.isSealed) return found?.token;
			try {
				return safeStorage.decryptString(Buffer.from(found.token, "base64"));
			} catch (err) {
				// Another user's file, or a cleared keychain: the till asks for a new sign-in.
				log.warn({ err }, "Can't decrypt the token");
				return undefined;
			}
		},
		write(token) {
			const isSealed = canSeal(safeStorage, platform);
			if (!isSealed) log.warn("No OS keychain: the token is kept in a file");
			kept.remember({
				isSealed,
				token: isSealed
					? safeStorage.encryptString(token).toString("base64")
					: token,
			});
		},
	};
}
