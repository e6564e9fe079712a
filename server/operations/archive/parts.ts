import * as z from "zod";
import {
	type Entity,
	type RowOf,
	roles,
} from "../../../sync/entities/entity.ts";
import { recordId, timestamp } from "../../../sync/entities/fields.ts";
import { entities } from "../../../sync/entities/index.ts";
import { sale, saleCreate } from "../../../sync/entities/sale.ts";
import { readHead } from "../../../sync/feed/feed.ts";
import { writeEntry } from "../../../sync/log/log-entry.ts";
import { spellLogged } from "../../../sync/log/logged-args.ts";
import { toIso } from "../../../sync/protocol/clock.ts";
import { rowPages } from "../../../sync/rows/row-pages.ts";
import { selectRows, toWire, writeRow } from "../../../sync/rows/rows.ts";
import type { Connection, DbRow, Value } from "../../../sync/store/store.ts";
import { newTokenVersion, noPassword } from "../../accounts/users.ts";

/** Records in memory at once. */
const pageRows = 100;

/** One kind of record, stored as a file of JSON lines in an archive. */
export interface Part {
	name: string;
	/** Yields all records of a business, page by page. */
	read(tx: Connection, businessId: string): AsyncGenerator<unknown[]>;
	/** Inserts a record. @throws ZodError for an invalid record */
	write(tx: Connection, businessId: string, record: unknown): Promise<void>;
}

/**
 * Everything that a shop needs to continue on another server: records with versions and tombstones, the times of field
 * edits, the mutation log (so that a sale that a till pushes again is recognized as a duplicate), the tills' receipt
 * numbers, and members. Notifications, caches, tallies and AI gateway keys are left out.
 */
export function archiveParts(withPasswords: boolean): Part[] {
	return [
		...entities.map(entityPart),
		...entities.filter(({ editable }) => editable).map(editsPart),
		mutationsPart(),
		tablePart("devices", deviceRow),
		tablePart("former_members", formerMemberRow, "user_id"),
		membersPart(withPasswords),
	];
}

const storedRow = z.strictObject({
	version: z.int(),
	deleted: z.boolean(),
	row: z.record(z.string(), z.unknown()),
});

function entityPart(entity: Entity): Part {
	return {
		name: entity.table,
		async *read(tx, businessId) {
			for await (const rows of rowPages(tx, entity, businessId, pageRows))
				yield rows.map(({ row, version, deleted }) => ({
					version,
					deleted,
					row: toWire(entity, row),
				}));
		},
		async write(tx, businessId, record) {
			const { version, deleted, row } = storedRow.parse(record);
			const parsed = entity.row.parse(row) as RowOf<Entity>;
			await writeRow(tx, entity, businessId, { row: parsed, version, deleted });
		},
	};
}

const editsRow = z.strictObject({ id: recordId, edits: z.string() });

/** The times of field edits: without them, a late till's older edit would overwrite a newer one. */
function editsPart({ name, table }: Entity): Part {
	return {
		name: `${name}_edits`,
		read: (tx, businessId) =>
			pagesOf(tx, `SELECT id, edits FROM ${table}`, businessId),
		async write(tx, businessId, record) {
			const { id, edits } = editsRow.parse(record);
			JSON.parse(edits);
			await tx.run(
				`UPDATE ${table} SET edits = ? WHERE business_id = ? AND id = ?`,
				edits,
				businessId,
				id,
			);
		},
	};
}

const mutationRow = z.strictObject({
	id: recordId,
	name: z.string(),
	args: z.string(),
	args_version: z.int(),
	at: timestamp,
	received_at: timestamp,
	user_id: z.string().nullable(),
	device_id: z.string().nullable(),
	status: z.enum(["applied", "rejected"]),
	error: z.string().nullable(),
	version: z.int().nullable(),
	carrier_id: z.string().nullable().default(null),
	link: z.string().nullable().default(null),
	device_at: z.string().nullable().default(null),
});

/** The log, with each mutation's arguments as the client sent them. */
function mutationsPart(): Part {
	const part = tablePart("mutations", mutationRow);
	const columns = [...Object.keys(mutationRow.shape), "shape"];
	return {
		...part,
		async *read(tx, businessId) {
			for await (const rows of logPages(tx, columns, businessId))
				yield (await spellLogged(tx, businessId, rows)).map(
					({ shape: _, ...row }) => row,
				);
		},
		async write(tx, businessId, record) {
			const entry = mutationRow.parse(record);
			const [sold] =
				entry.version === null || entry.name !== saleCreate.name
					? []
					: await selectRows(
							...[tx, sale, businessId, "AND version = ?", entry.version],
						);
			await writeEntry(tx, businessId, entry, sold?.row);
		},
	};
}

/** Yields the whole log: what was applied by version, then what was rejected. */
async function* logPages(
	tx: Connection,
	columns: readonly string[],
	businessId: string,
): AsyncGenerator<DbRow[]> {
	const select = `SELECT ${columns.join(", ")} FROM`;
	const head = await readHead(tx, businessId);
	for (let from = 0; from < head; from += pageRows)
		yield tx.all(
			`${select} mutations WHERE business_id = ? AND version > ? AND version <= ?`,
			businessId,
			from,
			from + pageRows,
		);
	const rejected =
		"(SELECT * FROM stored_mutations WHERE version IS NULL) AS rejected";
	yield* pagesOf(tx, `${select} ${rejected}`, businessId);
}

const formerMemberRow = z.strictObject({
	user_id: recordId,
	left_at: timestamp,
});

const deviceRow = z.strictObject({
	id: recordId,
	prefix: z.string(),
	last_number: z.int(),
	last_mutation_id: z.string().nullable(),
	last_receipt: z.int(),
	created_at: timestamp,
	last_seen_at: timestamp,
	counted: z.int().default(0),
	counted_at: timestamp.nullable().default(null),
	program: z.string().nullable().default(null),
	reached: z.int().nullable().default(null),
});

/** Copies a business's table verbatim. @param key the primary key's column besides `business_id` */
function tablePart(table: string, row: z.ZodObject, key = "id"): Part {
	const columns = Object.keys(row.shape);
	const insert = `INSERT INTO ${table} (business_id, ${columns.join(", ")}) VALUES (?, ${columns.map(() => "?").join(", ")})`;
	return {
		name: table,
		read: (tx, businessId) =>
			pagesOf(
				tx,
				`SELECT ${columns.join(", ")} FROM ${table}`,
				businessId,
				key,
			),
		async write(tx, businessId, record) {
			const values = row.parse(record);
			await tx.run(
				insert,
				businessId,
				...columns.map((column) => values[column] as Value),
			);
		},
	};
}

async function* pagesOf(
	tx: Connection,
	select: string,
	businessId: string,
	key = "id",
): AsyncGenerator<DbRow[]> {
	for (let last = ""; ; ) {
		const rows = await tx.all(
			`${select} WHERE business_id = ? AND ${key} > ? ORDER BY ${key} LIMIT ?`,
			businessId,
			last,
			pageRows,
		);
		yield rows;
		if (rows.length < pageRows) return;
		last = rows.at(-1)?.[key] as string;
	}
}

const memberRow = z.strictObject({
	id: recordId,
	/** The id, for a member of a server that was built from a till, which knows no emails. */
	email: z.union([z.email(), recordId]),
	name: z.string(),
	/** Null in an archive without passwords. */
	password_hash: z.string().nullable(),
	disabled_at: timestamp.nullable(),
	created_at: timestamp,
	role: z.enum(roles),
	member_since: timestamp,
});

/**
 * The shop's members with their accounts; all must sign in again. If an account exists on the target server, it keeps its
 * password and sessions, and its first shop.
 */
function membersPart(withPasswords: boolean): Part {
	return {
		name: "members",
		async *read(tx, businessId) {
			const rows = await tx.all(
				`SELECT users.id, email, name, password_hash, disabled_at, users.created_at, role, memberships.created_at AS member_since
         FROM memberships JOIN users ON users.id = user_id WHERE business_id = ? ORDER BY users.id`,
				businessId,
			);
			yield rows.map((row) => ({
				...row,
				password_hash: withPasswords ? row.password_hash : null,
			}));
		},
		async write(tx, businessId, record) {
			const member = memberRow.parse(record);
			await tx.run(
				`INSERT INTO users (id, email, name, password_hash, disabled_at, created_at, token_version) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT DO NOTHING`,
				member.id,
				member.email,
				member.name,
				member.password_hash ?? noPassword,
				member.disabled_at,
				member.created_at,
				newTokenVersion(),
			);
			const user = await tx.get(
				"SELECT id FROM users WHERE id = ? OR email = ? ORDER BY id = ? DESC LIMIT 1",
				...[member.id, member.email, member.id],
			);
			const userId = (user?.id ?? null) as string | null;
			await tx.run(
				"INSERT INTO memberships (business_id, user_id, role, created_at) VALUES (?, ?, ?, ?)",
				...[businessId, userId, member.role],
				await memberSince(tx, userId, member.member_since),
			);
		},
	};
}

/** Returns when a membership began; after those that an account has here, so that its first shop stays the first. */
async function memberSince(
	tx: Connection,
	userId: string | null,
	said: string,
): Promise<string> {
	const row = await tx.get(
		"SELECT max(created_at) AS last FROM memberships WHERE user_id = ?",
		userId,
	);
	const last = row?.last as string | null | undefined;
	if (!last || last < said) return said;
	return toIso(Date.parse(last) + 1);
}
