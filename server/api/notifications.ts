import type { Request } from "express";
import * as z from "zod";
import { toIso } from "../../sync/clock.ts";
import { requiredText } from "../../sync/fields.ts";
import type { Caller } from "../../sync/shop.ts";
import { readJson } from "../body.ts";
import { HttpError } from "../errors.ts";
import {
	listNotifications,
	listPreferences,
	markDeleted,
	markRead,
	notificationTypes,
	notify,
	type Reader,
	serverChannel,
	toIds,
} from "../notifications/notifications.ts";
import { type Deps, queryText, type Routes } from "../routes.ts";

const created = z.object({
	title: requiredText(500),
	message: requiredText(5_000),
	data: z.record(z.string(), z.unknown()).nullable().default(null),
});
const preference = z.object({
	type: z.enum(notificationTypes),
	enabled: z.boolean(),
});

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
				const { title, message, data } = parsed.data;
				const made = { type: type as string, title, message, data };
				const notification = await store.write((tx) =>
					notify(tx, env, reader, made),
				);
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

/** A moment in the form in which moments are stored, or undefined for what is none. */
function toMoment(value: unknown): string | undefined {
	const ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
	return Number.isNaN(ms) ? undefined : toIso(ms);
}
