import type { Request } from "express";
import * as z from "zod";
import { toIso } from "../../sync/clock.ts";
import { requiredText, text } from "../../sync/fields.ts";
import { newId } from "../../sync/ids.ts";
import type { Caller } from "../../sync/shop.ts";
import type { Connection, DbRow, Value } from "../../sync/store/store.ts";
import { readJson } from "../body.ts";
import { HttpError } from "../errors.ts";
import { type Deps, queryText, type Routes } from "../routes.ts";

export const notificationTypes = [
	"sales",
	"inventory",
	"customers",
	"system",
	"business",
] as const;
type Type = (typeof notificationTypes)[number];

const listMax = 100;
/** What is made through the API; a device's own notifications have other channels. */
const serverChannel = "server";

const created = z.object({
	title: requiredText(500),
	message: requiredText(5_000),
	data: z.record(z.string(), z.unknown()).nullable().default(null),
});
const preference = z.object({
	type: z.enum(notificationTypes),
	enabled: z.boolean(),
});

/** A person in a business: whom a notification belongs to. */
interface Reader {
	businessId: string;
	userId: string;
}

/** Business API, "Notifications". */
export function notificationRoutes({ shop, gate }: Deps): Routes {
	const { store, env } = shop;

	/** The caller, in the business that was asked for where they are a member of it, else in their first. */
	async function readerOf(
		request: Request,
		businessId?: unknown,
	): Promise<Reader> {
		const callers = await gate.memberships(request);
		const caller =
			callers.find((one) => one.businessId === businessId) ?? callers[0];
		const { businessId: id, userId } = caller as Caller;
		return { businessId: id, userId: userId as string };
	}

	return {
		"/api/notifications": {
			async GET(request, response) {
				const reader = await readerOf(
					request,
					queryText(request, "businessId"),
				);
				const since = toMoment(queryText(request, "since"));
				const notifications = await store.read((tx) =>
					listNotifications(tx, reader, since),
				);
				response.json({ notifications });
			},

			async POST(request, response) {
				const reader = await readerOf(request);
				const { type, ...body } = await readJson(request);
				for (const field of [type, body.title, body.message])
					if (typeof field !== "string" || field.trim() === "")
						throw new HttpError(400, "type, title and message are required");
				const parsed = created.safeParse(body);
				if (!parsed.success) {
					const [issue] = parsed.error.issues;
					throw new HttpError(
						400,
						`${issue?.path.join(".")}: ${issue?.message}`,
					);
				}
				const id = newId(env);
				const notification = await store.write(async (tx) => {
					if (!(await isEnabled(tx, reader, type as string))) return undefined;
					await tx.run(
						`INSERT INTO notifications (business_id, id, user_id, type, channel, title, message, data, created_at)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
						reader.businessId,
						id,
						reader.userId,
						toType(type as string),
						serverChannel,
						parsed.data.title,
						parsed.data.message,
						JSON.stringify(parsed.data.data),
						toIso(env.now()),
					);
					const row = await tx.get(
						"SELECT * FROM notifications WHERE business_id = ? AND id = ?",
						reader.businessId,
						id,
					);
					return row && toWire(row);
				});
				response.json(notification ? { notification } : { skipped: true });
			},

			async PATCH(request, response) {
				const reader = await readerOf(request);
				const { ids } = await readJson(request);
				if (!Array.isArray(ids) || toIds(ids).length === 0)
					throw new HttpError(400, "ids array required");
				const updated = await store.write((tx) => markRead(tx, reader, ids));
				response.json({ updated });
			},

			async DELETE(request) {
				await readerOf(request);
				throw new HttpError(400, "id required");
			},
		},

		"/api/notifications/sync": {
			async POST(request, response) {
				const body = await readJson(request);
				const reader = await readerOf(request, body.businessId);
				const since = toMoment(body.since);
				// Before the query, so that what arrives meanwhile is asked for again and not missed.
				const serverNow = toIso(env.now());
				const notifications = await store.write(async (tx) => {
					await markRead(tx, reader, body.readIds);
					await markDeleted(tx, reader, body.deletedIds, serverNow);
					return listNotifications(tx, reader, since, serverChannel);
				});
				response.json({ notifications, serverNow });
			},
		},

		"/api/notifications/preferences": {
			async GET(request, response) {
				const reader = await readerOf(
					request,
					queryText(request, "businessId"),
				);
				const preferences = await store.read((tx) =>
					listPreferences(tx, reader),
				);
				response.json({ preferences });
			},

			async PATCH(request, response) {
				const reader = await readerOf(request);
				const parsed = preference.safeParse(await readJson(request));
				if (!parsed.success)
					throw new HttpError(
						400,
						`type (one of ${notificationTypes.join(", ")}) and enabled (true or false) are required`,
					);
				const { type, enabled } = parsed.data;
				const preferences = await store.write(async (tx) => {
					await tx.run(
						`INSERT INTO notification_preferences (business_id, user_id, type, enabled) VALUES (?, ?, ?, ?)
             ON CONFLICT (business_id, user_id, type) DO UPDATE SET enabled = excluded.enabled`,
						reader.businessId,
						reader.userId,
						type,
						Number(enabled),
					);
					return listPreferences(tx, reader);
				});
				response.json({ preferences });
			},
		},

		"/api/notifications/:id": {
			async DELETE(request, response) {
				const reader = await readerOf(request);
				const { id } = request.params;
				const deleted = await store.write((tx) =>
					markDeleted(tx, reader, [id], toIso(env.now())),
				);
				response.json({ deleted });
			},
		},
	};
}

/** The newest that are not deleted. */
async function listNotifications(
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
async function markRead(
	tx: Connection,
	reader: Reader,
	ids: unknown,
): Promise<number> {
	return markEach(tx, reader, ids, "read = 1", "read = 0");
}

async function markDeleted(
	tx: Connection,
	reader: Reader,
	ids: unknown,
	now: string,
): Promise<number> {
	return markEach(tx, reader, ids, "deleted_at = ?", "1 = 1", now);
}

async function markEach(
	tx: Connection,
	{ businessId, userId }: Reader,
	ids: unknown,
	set: string,
	condition: string,
	...values: Value[]
): Promise<number> {
	let marked = 0;
	for (const id of new Set(toIds(ids)))
		marked += await tx.run(
			`UPDATE notifications SET ${set} WHERE business_id = ? AND user_id = ? AND id = ? AND deleted_at IS NULL AND ${condition}`,
			...values,
			businessId,
			userId,
			id,
		);
	return marked;
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

async function listPreferences(tx: Connection, reader: Reader) {
	const preferences: { type: Type; enabled: boolean }[] = [];
	for (const type of notificationTypes)
		preferences.push({ type, enabled: await isEnabled(tx, reader, type) });
	return preferences;
}

function toType(type: string): Type {
	return notificationTypes.find((known) => known === type) ?? "system";
}

function toIds(ids: unknown): string[] {
	const isId = (id: unknown) => text(64).safeParse(id).success;
	return Array.isArray(ids) ? ids.filter(isId) : [];
}

/** A moment in the form in which moments are stored, or undefined for what is none. */
function toMoment(value: unknown): string | undefined {
	const ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
	return Number.isNaN(ms) ? undefined : toIso(ms);
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
