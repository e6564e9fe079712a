import * as z from "zod";
import { requiredText } from "../../sync/entities/fields.ts";
import { lockHead } from "../../sync/log/log.ts";
import { toIso } from "../../sync/protocol/clock.ts";
import type { Caller, Shop } from "../../sync/shop.ts";
import type { Deps } from "../deps.ts";
import { HttpError } from "../http/http-error.ts";
import { queryText, requiredField, requirement } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import {
	listNotifications,
	listPreferences,
	markDeleted,
	markRead,
	notification,
	notificationTypes,
	notify,
	preference,
	type Recipient,
	serverChannel,
	setPreference,
} from "./notifications.ts";

const allRequired = "type, title and message are required";
const idsRequired = requirement("ids array required");
const preferenceRequired = requirement(
	`type (one of ${notificationTypes.join(", ")}) and enabled (true or false) are required`,
);

/** Bytes; room for about 2,500 ids, while clients get lists of 100. */
const idsMaxBytes = 100_000;
/** Characters of JSON; an answer has up to a hundred of them. */
const dataMaxLength = 10_000;
const dataTooLong = requirement(
	`data must be at most ${dataMaxLength} characters of JSON`,
);
const businessField = z.unknown().optional().meta({ type: "string" });

const createBody = z.object({
	type: requiredField(allRequired),
	title: requiredField(allRequired).pipe(requiredText(500)),
	message: requiredField(allRequired).pipe(requiredText(5_000)),
	data: z
		.record(z.string(), z.unknown())
		.refine((data) => JSON.stringify(data).length <= dataMaxLength, dataTooLong)
		.nullable()
		.default(null),
	businessId: businessField,
});

const textList = z
	.unknown()
	.optional()
	.meta({ type: "array", items: { type: "string" } });
const moment = z
	.unknown()
	.optional()
	.meta({ type: "string", format: "date-time" });

const readBody = z.object({
	ids: z
		.array(z.unknown().meta({ type: "string" }), idsRequired)
		.min(1, idsRequired)
		.refine((ids) => ids.some((id) => typeof id === "string"), idsRequired),
	businessId: businessField,
});
const syncBody = z.object({
	readIds: textList,
	deletedIds: textList,
	since: moment,
	businessId: businessField,
});
const preferenceBody = z.object(
	{
		type: z.enum(notificationTypes, preferenceRequired),
		enabled: z.boolean(preferenceRequired),
		businessId: businessField,
	},
	preferenceRequired,
);

const many = z.array(notification);
const preferences = z.object({ preferences: z.array(preference) });
const businessQuery = z.object({ businessId: queryText });

/** Routes of the caller's notifications and preferences. */
export function notificationRoutes({ shop }: Deps): Routes {
	return {
		...listRoutes(shop),
		...syncRoutes(shop),
		...preferenceRoutes(shop),
		...oneRoutes(shop),
	};
}

function listRoutes({ store, env }: Shop): Routes {
	return {
		"/api/notifications": {
			GET: operation({
				summary: "List the newest notifications, at most 100",
				access: "member",
				query: businessQuery.extend({ since: queryText }),
				answers: { 200: z.object({ notifications: many }) },
				async handle({ callers, query, response }) {
					const recipient = recipientOf(callers, query);
					const notifications = await store.read((tx) =>
						listNotifications(tx, recipient, toMoment(query.since)),
					);
					response.json({ notifications });
				},
			}),

			POST: operation({
				summary:
					"Create a notification for oneself, unless its type is switched off",
				access: "member",
				query: businessQuery,
				body: createBody,
				answers: {
					200: z.union([
						z.object({ notification }),
						z.object({ skipped: z.literal(true) }),
					]),
				},
				async handle({ callers, query, body, response }) {
					const recipient = recipientOf(callers, query, body);
					const made = await store.write(async (tx) => {
						await lockHead(tx, recipient.businessId);
						return notify(tx, env, recipient, body);
					});
					response.json(made ? { notification: made } : { skipped: true });
				},
			}),

			PATCH: operation({
				summary: "Mark notifications as read",
				access: "member",
				query: businessQuery,
				body: readBody,
				bodyMaxBytes: idsMaxBytes,
				answers: { 200: z.object({ updated: z.int() }) },
				async handle({ callers, query, body, response }) {
					const recipient = recipientOf(callers, query, body);
					const updated = await store.write(async (tx) => {
						// Another server that marks the same ones would count them too.
						await lockHead(tx, recipient.businessId);
						return markRead(tx, recipient, body.ids);
					});
					response.json({ updated });
				},
			}),

			DELETE: operation({
				summary: "Always refused; delete one notification by its id",
				access: "member",
				answers: {},
				async handle() {
					throw new HttpError(400, "id required");
				},
			}),
		},
	};
}

function syncRoutes({ store, env }: Shop): Routes {
	return {
		"/api/notifications/sync": {
			POST: operation({
				summary: "Mark as read and delete, then list new notifications",
				access: "member",
				query: businessQuery,
				body: syncBody,
				bodyMaxBytes: idsMaxBytes,
				answers: {
					200: z.object({ notifications: many, serverNow: z.iso.datetime() }),
				},
				async handle({ callers, query, body, response }) {
					const recipient = recipientOf(callers, query, body);
					const now = env.now();
					// serverNow is early enough that a notification made in this millisecond after the query is listed next time.
					const serverNow = toIso(now - 1);
					const notifications = await store.write(async (tx) => {
						// Concurrent notifications take their time under the same lock, so each is either listed now or later than serverNow.
						await lockHead(tx, recipient.businessId);
						await markRead(tx, recipient, body.readIds);
						await markDeleted(tx, recipient, body.deletedIds, toIso(now));
						const since = toMoment(body.since);
						return listNotifications(tx, recipient, since, serverChannel);
					});
					response.json({ notifications, serverNow });
				},
			}),
		},
	};
}

function preferenceRoutes({ store }: Shop): Routes {
	return {
		"/api/notifications/preferences": {
			GET: operation({
				summary: "List the types of notifications with their preferences",
				access: "member",
				query: businessQuery,
				answers: { 200: preferences },
				async handle({ callers, query, response }) {
					const recipient = recipientOf(callers, query);
					response.json({
						preferences: await store.read((tx) =>
							listPreferences(tx, recipient),
						),
					});
				},
			}),

			PATCH: operation({
				summary: "Switch a type of notification on or off",
				access: "member",
				query: businessQuery,
				body: preferenceBody,
				answers: { 200: preferences },
				async handle({ callers, query, body, response }) {
					const recipient = recipientOf(callers, query, body);
					const all = await store.write(async (tx) => {
						await setPreference(tx, recipient, body);
						return listPreferences(tx, recipient);
					});
					response.json({ preferences: all });
				},
			}),
		},
	};
}

function oneRoutes({ store, env }: Shop): Routes {
	return {
		"/api/notifications/:id": {
			DELETE: operation({
				summary:
					"Delete a notification; one that is not the caller's counts as 0",
				access: "member",
				query: businessQuery,
				answers: { 200: z.object({ deleted: z.int() }) },
				async handle({ callers, query, id, response }) {
					const recipient = recipientOf(callers, query);
					const deleted = await store.write(async (tx) => {
						await lockHead(tx, recipient.businessId);
						return markDeleted(tx, recipient, [id], toIso(env.now()));
					});
					response.json({ deleted });
				},
			}),
		},
	};
}

/** The caller in the business that the request names, if they are a member of it; otherwise in their first business. */
function recipientOf(
	callers: Caller[],
	...inputs: { businessId?: unknown }[]
): Recipient {
	const named = inputs.find(({ businessId }) => businessId !== undefined);
	const caller =
		callers.find((one) => one.businessId === named?.businessId) ?? callers[0];
	const { businessId, userId } = caller as Caller;
	return { businessId, userId: userId as string };
}

/** The last time with a four-digit year, because times are compared as text. */
const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A date and time that names no zone. */
const zoneless = /^\d{4}-\d\d-\d\dT[\d:.]+$/;

/**
 * Normalizes a time to the stored form. One without a zone is UTC, as a date alone is, and not this machine's time.
 *
 * @returns undefined for an invalid time
 */
function toMoment(value: unknown): string | undefined {
	const text = typeof value === "string" ? value : "";
	const ms = Date.parse(zoneless.test(text) ? `${text}Z` : text);
	return Number.isNaN(ms) ? undefined : toIso(Math.min(ms, lastMoment));
}
