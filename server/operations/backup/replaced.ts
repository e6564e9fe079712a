import { existsSync } from "node:fs";
import { ShopError } from "../../../sync/protocol/errors.ts";
import { lookInto } from "../../../sync/store/sqlite.ts";
import type { Connection } from "../../../sync/store/store.ts";
import {
	type EndedSession,
	keepEnded,
	readEnded,
} from "../../accounts/ended-sessions.ts";
import {
	type KeptPassword,
	keepPasswords,
	readPasswords,
} from "./password-hashes.ts";

/** What stays of a database that a backup replaces: who signs in how, and who was signed out. */
export interface Replaced {
	passwords: KeptPassword[];
	endedSessions: EndedSession[];
}

/** Reads it as far as it can still be read. */
export async function readReplaced(file: string): Promise<Replaced> {
	const nothing = { passwords: [], endedSessions: [] };
	if (!existsSync(file)) return nothing;
	try {
		return await lookInto(file, async (tx, schemaVersion) => {
			// What a disk without room or power has left.
			if (schemaVersion === undefined) return nothing;
			return {
				passwords: await readPasswords(tx),
				endedSessions: await readEnded(tx),
			};
		});
	} catch (error) {
		// A damaged database is a reason for the restore, and not one against it.
		if (error instanceof ShopError) return nothing;
		throw error;
	}
}

/** @returns the emails of people who still have no password */
export async function keepReplaced(
	tx: Connection,
	{ passwords, endedSessions }: Replaced,
): Promise<string[]> {
	await keepEnded(tx, endedSessions);
	return keepPasswords(tx, passwords);
}
