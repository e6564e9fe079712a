import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../../server/operations/atomic-file.ts";

/** Stores the token for the shop's server. The shell replaces it with the OS keychain. */
export interface TokenStore {
	read(): string | undefined;
	write(token: string): void;
}

/** A file that only this user can read. */
export function openTokenFile(dataDir: string): TokenStore {
	const file = join(dataDir, "server-token");
	return {
		read: () => (existsSync(file) ? readFileSync(file, "utf8") : undefined),
		write: (token) => replaceFile(file, token),
	};
}
