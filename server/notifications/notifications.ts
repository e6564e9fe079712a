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

/** A notification as JSON. */
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
/** The channel of notifications created through the API; devices create theirs with other channels. */
export const serverChannel = "server";

/** A user in a business, who owns notifications. */
export interface Recipient {
	businessId: string;
	userId: string;
}

/** A new notification; `data` is any object. */
interface NewNotification {
	/** The type as sent; an unknown one is stored as `system`. */
	type: string;
	title: string;
	message: string;
	data: Record<string, unknown> | null;
}

/** Creates a notification. @returns undefined if the reader has switched its type off */
export async function notify(
	tx: Connection,
	env: Env,
	recipient: Recipient,
	{ type, title, message, data }: NewNotification,
): Promise<Record<string, unknown> | undefined> {
	if (!(await isEnabled(tx, recipient, type))) return undefined;
	const { businessId, userId } = recipient;
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

/** Lists the newest notifications that are not deleted. */
export async function listNotifications(
	tx: Connection,
	{ businessId, userId }: Recipient,
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

/** @returns how many of the reader's notifications were unread and not deleted */
export async function markRead(
	tx: Connection,
	recipient: Recipient,
	ids: unknown,
): Promise<number> {
	return markAll(tx, recipient, ids, "read = 1", "read = 0");
}

export async function markDeleted(
	tx: Connection,
	recipient: Recipient,
	ids: unknown,
	now: string,
): Promise<number> {
	return markAll(tx, recipient, ids, "deleted_at = ?", "1 = 1", now);
}

/** Uses a single statement for any number of ids. */
async function markAll(
	tx: Connection,
	{ businessId, userId }: Recipient,
	ids: unknown,
	set: string,
	condition: string,
	...values: Value[]
): Promise<number> {
	const marked = toIds(ids);
	if (marked.length === 0) return 0;
	return tx.run(
		// Start from the ids and look each up by key; SQLite would otherwise scan all of the user's notifications.
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

/** A type is enabled unless a preference with exactly this name says otherwise. */
async function isEnabled(
	tx: Connection,
	{ businessId, userId }: Recipient,
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

export async function listPreferences(tx: Connection, recipient: Recipient) {
	const preferences: Preference[] = [];
	for (const type of notificationTypes)
		preferences.push({ type, enabled: await isEnabled(tx, recipient, type) });
	return preferences;
}

export async function setPreference(
	tx: Connection,
	{ businessId, userId }: Recipient,
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
