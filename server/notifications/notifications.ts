import * as z from "zod";
import { text, timestamp } from "../../sync/entities/fields.ts";
import { toIso } from "../../sync/protocol/clock.ts";
import { type Env, newId } from "../../sync/protocol/ids.ts";
import type { Connection, DbRow, Value } from "../../sync/store/store.ts";

export const notificationTypes = [
	"sales",
	"inventory",
	"customers",
	"system",
	"business",
] as const;
type Type = (typeof notificationTypes)[number];

/** A notification, as it travels. */
export const notification = z
	.object({
		id: z.string(),
		userId: z.string(),
		businessId: z.string(),
		type: z.enum(notificationTypes),
		channel: z.string(),
		title: z.string(),
		message: z.string(),
		data: z.record(z.string(), z.unknown()),
		read: z.boolean(),
		createdAt: timestamp,
		deletedAt: timestamp.nullable(),
	})
	.meta({ id: "Notification" });

export const preference = z.object({
	type: z.enum(notificationTypes),
	enabled: z.boolean(),
});
type Preference = z.infer<typeof preference>;

const listMax = 100;
/** What is made through the API; a device's own notifications have other channels. */
export const serverChannel = "server";

/** A person in a business: whom a notification belongs to. */
export interface Reader {
	businessId: string;
	userId: string;
}

/** What is told; `data` is free. */
interface Told {
	/** As the maker calls it: what is none of ours is stored as `system`. */
	type: string;
	title: string;
	message: string;
	data: Record<string, unknown> | null;
}

/** Tells a person something. @returns undefined where they do not want to hear of the type */
export async function notify(
	tx: Connection,
	env: Env,
	reader: Reader,
	{ type, title, message, data }: Told,
): Promise<Record<string, unknown> | undefined> {
	if (!(await isEnabled(tx, reader, type))) return undefined;
	const { businessId, userId } = reader;
	const id = newId(env);
	await tx.run(
		`INSERT INTO notifications (business_id, id, user_id, type, channel, title, message, data, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		businessId,
		id,
		userId,
		toType(type),
		serverChannel,
		title,
		message,
		JSON.stringify(data),
		toIso(env.now()),
	);
	const row = await tx.get(
		"SELECT * FROM notifications WHERE business_id = ? AND id = ?",
		businessId,
		id,
	);
	return row && toWire(row);
}

/** The newest that are not deleted. */
export async function listNotifications(
	tx: Connection,
	{ businessId, userId }: Reader,
	since: string | undefined,
	channel?: string,
) {
	const params: Value[] = [businessId, userId];
	let where = "business_id = ? AND user_id = ? AND deleted_at IS NULL";
	if (since !== undefined) {
		where += " AND created_at > ?";
		params.push(since);
	}
	if (channel !== undefined) {
		where += " AND channel = ?";
		params.push(channel);
	}
	const rows = await tx.all(
		`SELECT * FROM notifications WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT ${listMax}`,
		...params,
	);
	return rows.map(toWire);
}

/** @returns how many were unread, theirs, and not deleted */
export async function markRead(
	tx: Connection,
	reader: Reader,
	ids: unknown,
): Promise<number> {
	return markAll(tx, reader, ids, "read = 1", "read = 0");
}

export async function markDeleted(
	tx: Connection,
	reader: Reader,
	ids: unknown,
	now: string,
): Promise<number> {
	return markAll(tx, reader, ids, "deleted_at = ?", "1 = 1", now);
}

/** One statement, however many ids a client sends. */
async function markAll(
	tx: Connection,
	{ businessId, userId }: Reader,
	ids: unknown,
	set: string,
	condition: string,
	...values: Value[]
): Promise<number> {
	const marked = toIds(ids);
	if (marked.length === 0) return 0;
	return tx.run(
		// The ids come first, each looked up by the key: SQLite would otherwise walk through all that the user ever had.
		`UPDATE notifications SET ${set} WHERE business_id = ? AND id IN (
       SELECT own.id FROM json_each(?) AS wanted CROSS JOIN notifications AS own
       WHERE own.business_id = ? AND own.id = wanted.value AND user_id = ? AND deleted_at IS NULL AND ${condition})`,
		...values,
		businessId,
		JSON.stringify(marked),
		businessId,
		userId,
	);
}

/** Without a preference of this very name, everything is enabled. */
async function isEnabled(
	tx: Connection,
	{ businessId, userId }: Reader,
	type: string,
): Promise<boolean> {
	const row = await tx.get(
		"SELECT enabled FROM notification_preferences WHERE business_id = ? AND user_id = ? AND type = ?",
		businessId,
		userId,
		type,
	);
	return row?.enabled !== 0;
}

export async function listPreferences(tx: Connection, reader: Reader) {
	const preferences: Preference[] = [];
	for (const type of notificationTypes)
		preferences.push({ type, enabled: await isEnabled(tx, reader, type) });
	return preferences;
}

export async function setPreference(
	tx: Connection,
	{ businessId, userId }: Reader,
	{ type, enabled }: Preference,
): Promise<void> {
	await tx.run(
		`INSERT INTO notification_preferences (business_id, user_id, type, enabled) VALUES (?, ?, ?, ?)
     ON CONFLICT (business_id, user_id, type) DO UPDATE SET enabled = excluded.enabled`,
		businessId,
		userId,
		type,
		Number(enabled),
	);
}

function toType(type: string): Type {
	return notificationTypes.find((known) => known === type) ?? "system";
}

const listedId = text(64);

function toIds(ids: unknown): string[] {
	if (!Array.isArray(ids)) return [];
	return [...new Set(ids)].filter((one) => listedId.safeParse(one).success);
}

function toWire(row: DbRow) {
	return {
		id: row.id,
		userId: row.user_id,
		businessId: row.business_id,
		type: row.type,
		channel: row.channel,
		title: row.title,
		message: row.message,
		data: JSON.parse((row.data as string | null) ?? "null") ?? {},
		read: row.read === 1,
		createdAt: row.created_at,
		deletedAt: row.deleted_at,
	};
}
