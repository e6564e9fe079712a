import fc from "fast-check";
import { expect } from "vitest";
import type { Answer } from "../../testing/server.ts";
import {
	createdIn,
	expectAnswer,
	expectRefusal,
	kind,
	type Scene,
} from "./call.ts";
import { maybe, names, nats } from "./inputs.ts";
import type { Notification, Person, Shop } from "./world.ts";

const types = ["sales", "inventory", "customers", "system", "business"];
const sentTypes = fc.constantFrom(...types, "weather", undefined, "");

/** The requested business if the person is a member of it; otherwise their first. */
function shopOf({ memberships, shop }: Scene, id: unknown): Shop {
	return memberships.find((one) => one.shop.id === id)?.shop ?? shop;
}

function pickShop({ world }: Scene, n: number | undefined): string | undefined {
	return n === undefined ? undefined : world.shops[n % world.shops.length]?.id;
}

function liveOf({ notifications }: Person, shop: Shop): Notification[] {
	return notifications.filter((one) => one.shop === shop && !one.isDeleted);
}

function wire(
	{ shop, since: _, isDeleted, ...one }: Notification,
	person: Person,
) {
	return {
		...one,
		userId: person.id,
		businessId: shop.id,
		channel: "server",
		deletedAt: isDeleted ? expect.any(String) : null,
	};
}

type Listed = { id: string; title: string; message: string; createdAt: string };

/** Compares a list, and learns the ids of the server's own notifications from it. */
function expectListed(
	{ person }: Scene,
	shop: Shop,
	answer: Answer,
	since: string | undefined,
): void {
	const { notifications: listed } = answer.body as { notifications: Listed[] };
	expect(answer.status).toBe(200);
	const all = liveOf(person, shop);
	const known = new Set(all.map(({ id }) => id));
	for (const one of listed)
		if (!known.has(one.id)) {
			const fresh = all.find(
				(it) =>
					it.id === undefined &&
					it.title === one.title &&
					it.message === one.message &&
					one.createdAt >= it.since,
			);
			if (!fresh)
				throw new Error(`Unexpected notification ${JSON.stringify(one)}`);
			fresh.id = one.id;
			fresh.createdAt = one.createdAt;
			known.add(one.id);
		}
	const key = ({ createdAt = "", id = "" }: Notification) =>
		`${createdAt} ${id}`;
	const wanted = all
		.filter(({ createdAt = "" }) => since === undefined || createdAt > since)
		.toSorted((a, b) => (key(a) < key(b) ? 1 : -1))
		.slice(0, 100);
	expect(listed).toEqual(wanted.map((one) => wire(one, person)));
}

const tell = kind({
	operation: "POST /api/notifications",
	weight: 4,
	input: fc.record({
		type: sentTypes,
		title: names,
		message: fc.constantFrom("Look", undefined),
		data: maybe(fc.constantFrom({ a: [1, null] }, null)),
	}),
	ask: (_, body) => ({ body: { ...body, channel: "mine", read: true } }),
	answered(scene, { type, title, message, data }, answer) {
		const { shop, person } = scene;
		if (!type || message === undefined)
			return expectRefusal(answer, 400, "type, title and message are required");
		if (person.unwanted.has(`${shop.id} ${type}`))
			return expectAnswer(answer, 200, { skipped: true });
		const { notification } = answer.body as { notification: Listed };
		const told: Notification = {
			id: notification.id,
			shop,
			type: types.includes(type) ? type : "system",
			...{ title, message },
			data: data ?? {},
			read: false,
			since: scene.began,
			createdAt: createdIn(scene, { ...answer, body: notification }),
			isDeleted: false,
		};
		person.notifications.push(told);
		expectAnswer(answer, 200, { notification: wire(told, person) });
	},
});

const list = kind({
	operation: "GET /api/notifications",
	weight: 4,
	input: fc.record({ n: maybe(nats), after: maybe(nats) }),
	ask(scene, { n, after }) {
		const businessId = pickShop(scene, n);
		const since = sinceOf(scene.person, after);
		return {
			query: { ...(businessId && { businessId }), ...(since && { since }) },
		};
	},
	async answered(scene, _, answer, { query = {} }) {
		const shop = shopOf(scene, query.businessId);
		// Listed first, so that every notification has a known moment to compare.
		const all = await scene.read(`/api/notifications?businessId=${shop.id}`);
		expectListed(scene, shop, all, undefined);
		expectListed(scene, shop, answer, query.since);
	},
});

function sinceOf(person: Person | undefined, n: number | undefined) {
	const moments = (person?.notifications ?? []).flatMap(
		({ createdAt }) => createdAt ?? [],
	);
	return n === undefined ? undefined : moments[n % (moments.length || 1)];
}

/** Picks ids of the caller's notifications, of others' and of none. */
function pickIds({ world, person }: Scene, ns: number[]): string[] {
	const own = (person?.notifications ?? []).flatMap(({ id }) => id ?? []);
	const all = world.people.flatMap(({ notifications }) =>
		notifications.flatMap(({ id }) => id ?? []),
	);
	const ids = [...own, ...own, ...all, "none"];
	return ns.map((n) => ids[n % ids.length] as string);
}

/** Marks the person's undeleted notifications in the business. @returns how many matched */
function mark(
	person: Person,
	shop: Shop,
	ids: string[],
	change: (one: Notification) => boolean,
): number {
	return liveOf(person, shop).filter(
		(one) => one.id !== undefined && ids.includes(one.id) && change(one),
	).length;
}

function toRead(one: Notification): boolean {
	const isChanged = !one.read;
	one.read = true;
	return isChanged;
}

function toDeleted(one: Notification): boolean {
	one.isDeleted = true;
	return true;
}

const someNats = fc.array(nats, { maxLength: 3 });

const read = kind({
	operation: "PATCH /api/notifications",
	weight: 3,
	input: someNats,
	ask: (scene, ns) => ({ body: { ids: pickIds(scene, ns) } }),
	answered({ person, shop }, ns, answer, { body }) {
		if (ns.length === 0)
			return expectRefusal(answer, 400, "ids array required");
		const { ids } = body as { ids: string[] };
		expectAnswer(answer, 200, { updated: mark(person, shop, ids, toRead) });
	},
});

const drop = kind({
	operation: "DELETE /api/notifications/:id",
	weight: 2,
	input: nats,
	ask: (scene, n) => ({ id: pickIds(scene, [n])[0] ?? "none" }),
	answered({ person, shop }, _, answer, { id = "" }) {
		expectAnswer(answer, 200, { deleted: mark(person, shop, [id], toDeleted) });
	},
});

const dropNone = kind({
	operation: "DELETE /api/notifications",
	weight: 0.2,
	input: fc.constant(null),
	ask: () => ({}),
	answered(_, __, answer) {
		expectRefusal(answer, 400, "id required");
	},
});

const reconcile = kind({
	operation: "POST /api/notifications/sync",
	weight: 3,
	input: fc.record({
		read: someNats,
		deleted: someNats,
		n: maybe(nats),
		after: maybe(nats),
	}),
	ask: (scene, { read, deleted, n, after }) => ({
		body: {
			readIds: pickIds(scene, read),
			deletedIds: pickIds(scene, deleted),
			businessId: pickShop(scene, n),
			since: sinceOf(scene.person, after),
		},
	}),
	async answered(scene, _, answer, { body }) {
		const { person } = scene;
		const sent = body as {
			readIds: string[];
			deletedIds: string[];
			businessId?: string;
			since?: string;
		};
		const shop = shopOf(scene, sent.businessId);
		mark(person, shop, sent.readIds, toRead);
		mark(person, shop, sent.deletedIds, toDeleted);
		const all = await scene.read(`/api/notifications?businessId=${shop.id}`);
		expectListed(scene, shop, all, undefined);
		expectListed(scene, shop, answer, sent.since);
		const { serverNow } = answer.body as { serverNow: string };
		// Notifications of the same millisecond are listed again.
		expect(Date.parse(serverNow) + 1).toBeGreaterThanOrEqual(
			Date.parse(scene.began),
		);
	},
});

function preferences(person: Person, shop: Shop) {
	return {
		preferences: types.map((type) => ({
			type,
			enabled: !person.unwanted.has(`${shop.id} ${type}`),
		})),
	};
}

const listPreferences = kind({
	operation: "GET /api/notifications/preferences",
	weight: 1,
	input: maybe(nats),
	ask(scene, n) {
		const businessId = pickShop(scene, n);
		return { query: { ...(businessId && { businessId }) } };
	},
	answered(scene, _, answer, { query }) {
		const shop = shopOf(scene, query?.businessId);
		expectAnswer(answer, 200, preferences(scene.person, shop));
	},
});

const prefer = kind({
	operation: "PATCH /api/notifications/preferences",
	weight: 2,
	input: fc.record({
		type: fc.constantFrom(...types, "weather"),
		enabled: fc.boolean(),
	}),
	ask: (_, body) => ({ body }),
	answered({ person, shop }, { type, enabled }, answer) {
		if (type === "weather") return expectRefusal(answer, 400);
		if (enabled) person.unwanted.delete(`${shop.id} ${type}`);
		else person.unwanted.add(`${shop.id} ${type}`);
		expectAnswer(answer, 200, preferences(person, shop));
	},
});

export const notificationKinds = [
	tell,
	list,
	read,
	drop,
	dropNone,
	reconcile,
	listPreferences,
	prefer,
];
