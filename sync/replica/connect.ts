import { argsVersionOf } from "../entities/args-version.ts";
import {
	business,
	businessBackdate,
	businessUpdate,
} from "../entities/business.ts";
import type { Mutation } from "../entities/entity.ts";
import { entities } from "../entities/index.ts";
import { forgetBlocks } from "../feed/digest-blocks.ts";
import { feedForm } from "../feed/feed-form.ts";
import { writeOutArgs } from "../log/logged-args.ts";
import { toIso } from "../protocol/clock.ts";
import { type Env, newId } from "../protocol/ids.ts";
import { canonicalJson } from "../protocol/json.ts";
import { forgetTallies } from "../queries/tallies.ts";
import { readRow, storageOf, toWire } from "../rows/rows.ts";
import type { Connection } from "../store/store.ts";
import * as outbox from "./outbox.ts";

/** Tables of a business that belong to no entity, without sums, which are computed again. */
export const otherTables = [
	"memberships",
	"former_members",
	"staff_keys",
	"former_staff_keys",
	"stored_mutations",
	"shops",
	"notifications",
	"notification_preferences",
	"api_keys",
	"ai_access",
	"ai_limits",
	"ai_months",
	"ai_calls",
	"ai_answers",
	"ai_responses",
	"ai_queue",
	"carts",
	"pin_attempts",
];

/**
 * Turns a shop that began without a server into a replica of a server's business: it offers every mutation that made
 * it, in order and under its original id. Only the business's id changes.
 *
 * @param from the shop's own business id; `to` is the server's
 * @param bringsSettings whether the server's business takes over the shop's name and settings
 * @param by the member who connects the shop, and whose role allows the changes
 * @returns false if there is no such shop, because it is a replica already
 */
export async function becomeReplica(
	tx: Connection,
	env: Env,
	from: string,
	to: string,
	bringsSettings: boolean,
	by: string | null = null,
): Promise<boolean> {
	const found = await readRow(tx, business, from, from);
	if (!found) return false;
	// Rows and their references change their business one after the other.
	await tx.run("PRAGMA defer_foreign_keys = ON");
	await forgetTallies(tx, from);
	await forgetBlocks(tx, from);
	await writeOutArgs(tx, from);
	// These prefixes and counts were this shop's own; now the server assigns them.
	await tx.run("DELETE FROM devices WHERE business_id = ?", from);
	await tx.run(
		"UPDATE businesses SET business_id = ?, id = ?, version = 0 WHERE business_id = ?",
		to,
		to,
		from,
	);
	for (const table of otherTables) await rename(tx, table, from, to);
	tx.known?.clear();
	await renameRows(tx, from, to);
	const deviceId = newId(env);
	await tx.run(
		"INSERT INTO replica (business_id, device_id, feed_form) VALUES (?, ?, ?)",
		to,
		deviceId,
		feedForm(),
	);
	// Comes first, because the server would not accept dates from before its business began.
	await append(businessBackdate, { createdAt: found.row.createdAt });
	await tx.run(
		`INSERT INTO outbox (business_id, position, mutation_id, number, state)
     SELECT business_id, 1 + row_number() OVER (ORDER BY version), id, 1 + row_number() OVER (ORDER BY version), 'pending'
     FROM mutations WHERE business_id = ? AND status = 'applied' AND name NOT IN (?, ?)`,
		to,
		businessBackdate.name,
		bringsSettings ? "" : businessUpdate.name,
	);
	await tx.run(
		"UPDATE replica SET last_number = (SELECT count(*) FROM outbox WHERE outbox.business_id = replica.business_id) WHERE business_id = ?",
		to,
	);
	if (bringsSettings)
		await append(businessUpdate, { set: settingsOf(found.row) });
	return true;

	async function append(mutation: Mutation, args: unknown): Promise<void> {
		await outbox.append(tx, to, {
			id: newId(env),
			name: mutation.name,
			args: canonicalJson(args),
			argsVersion: argsVersionOf(mutation, args),
			at: toIso(env.now()),
			userId: by,
			deviceId,
		});
	}
}

/** Gives all rows to another business, as rows that no server has yet. */
async function renameRows(
	tx: Connection,
	from: string,
	to: string,
): Promise<void> {
	for (const entity of entities) {
		const { name, table, lines, storage } = entity;
		// The shop's own row stays until the server's arrives, because nothing can be sold without one.
		if (table === business.table) continue;
		const stored = storageOf(entity);
		if (!storage) {
			if (lines) await rename(tx, lines.table, from, to);
			await rename(tx, table, from, to);
		}
		await tx.run(
			`UPDATE ${stored.table} SET version = 0 WHERE ${stored.scope}`,
			to,
		);
		// The server has none of these rows yet.
		await tx.run(
			`INSERT INTO base_rows (business_id, entity, id, data) SELECT business_id, ?, id, NULL FROM ${table} WHERE business_id = ?`,
			name,
			to,
		);
	}
}

/** The shop's name and settings. */
function settingsOf(row: Parameters<typeof toWire>[1]): object {
	const {
		id: _,
		createdAt: __,
		updatedAt: ___,
		...set
	} = toWire(business, row);
	return set;
}

async function rename(
	tx: Connection,
	table: string,
	from: string,
	to: string,
): Promise<void> {
	await tx.run(
		`UPDATE ${table} SET business_id = ? WHERE business_id = ?`,
		to,
		from,
	);
}
