import { mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import * as z from "zod";
import { replaceFile } from "../../server/operations/atomic-file.ts";
import { CommandError } from "./command-error.ts";

/** Tokens by server origin, so that no token is ever sent to another server. */
const logins = z.record(z.string(), z.string());

/** Parses a server's address to its origin. @throws CommandError */
export function serverAddress(text: string): string {
	const url = URL.parse(text);
	if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
		throw new CommandError(
			`--server must be an address like https://shop.example, not ${text}`,
		);
	return url.origin;
}

/**
 * The token for a server: `COUNTERFOIL_TOKEN`, or the one that `counterfoil login` stored.
 *
 * @throws CommandError if there is none
 */
export function tokenFor(server: string): string {
	const given = process.env.COUNTERFOIL_TOKEN?.trim();
	if (given) return given;
	const token = readLogins()[server];
	if (token === undefined)
		throw new CommandError(
			`You are not signed in to ${server}; run "counterfoil login --server ${server} --email EMAIL", or set COUNTERFOIL_TOKEN`,
		);
	return token;
}

/** Stores a token. @returns the path of the file that holds it */
export function writeLogin(server: string, token: string): string {
	const file = loginFile();
	mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
	const text = JSON.stringify({ ...readLogins(), [server]: token }, null, "\t");
	replaceFile(file, text);
	return file;
}

function readLogins(): z.infer<typeof logins> {
	const file = loginFile();
	let text: string;
	try {
		text = readFileSync(file, "utf8");
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
		throw new CommandError(`Can't read ${file}: ${(error as Error).message}`);
	}
	try {
		return logins.parse(JSON.parse(text));
	} catch (cause) {
		throw new CommandError(
			`${file} is damaged; delete it and sign in again with "counterfoil login"`,
			{ cause },
		);
	}
}

function loginFile(): string {
	const config = process.env.XDG_CONFIG_HOME || join(homedir(), ".config");
	return join(config, "counterfoil", "logins.json");
}
