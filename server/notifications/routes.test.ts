import { setTimeout } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
	expectScenario,
	type Scenario,
	type TestServer,
	type TestUser,
	twoShops,
} from "../testing/server.ts";

const path = "/api/notifications";
const hello = { type: "sales", title: "Hello", message: "World" };
const required = { error: "type, title and message are required" };

const scenarios: Scenario[] = [
	{
		what: "requires credentials",
		as: "nobody",
		method: "GET",
		path,
		status: 401,
		exactly: { error: "Unauthorized" },
	},
	{
		what: "marks nothing for invalid ids",
		method: "PATCH",
		path,
		body: { ids: ["x".repeat(65), "\0"] },
		status: 200,
		exactly: { updated: 0 },
	},
	{
		what: "lists no notifications at first",
		method: "GET",
		path,
		status: 200,
		exactly: { notifications: [] },
	},
	{
		what: "creates a notification",
		method: "POST",
		path,
		body: { ...hello, data: { saleId: "s" } },
		status: 200,
		answer: {
			notification: {
				...hello,
				channel: "server",
				data: { saleId: "s" },
				read: false,
				deletedAt: null,
			},
		},
	},
	{
		what: "stores omitted data as an empty object",
		method: "POST",
		path,
		body: hello,
		status: 200,
		answer: { notification: { data: {} } },
	},
	{
		what: "stores an unknown type as system",
		method: "POST",
		path,
		body: { ...hello, type: "weather" },
		status: 200,
		answer: { notification: { type: "system" } },
	},
	{
		what: "ignores channel, reader and state in the body",
		method: "POST",
		path,
		body: { ...hello, channel: "push", userId: "x", read: true, id: "mine" },
		status: 200,
		answer: { notification: { channel: "server", read: false } },
		never: ['"mine"', '"push"'],
	},
	{
		what: "requires a type",
		method: "POST",
		path,
		body: { ...hello, type: undefined },
		status: 400,
		exactly: required,
	},
	{
		what: "requires the title to be a string",
		method: "POST",
		path,
		body: { ...hello, title: 5 },
		status: 400,
		exactly: required,
	},
	{
		what: "requires a message",
		method: "POST",
		path,
		body: { ...hello, message: "" },
		status: 400,
		exactly: required,
	},
	{
		what: "refuses data that is not an object",
		method: "POST",
		path,
		body: { ...hello, data: [1] },
		status: 400,
		answer: { error: expect.stringContaining("data") },
	},
	{
		what: "requires ids",
		method: "PATCH",
		path,
		body: {},
		status: 400,
		exactly: { error: "ids array required" },
	},
	{
		what: "requires ids to be an array",
		method: "PATCH",
		path,
		body: { ids: "all" },
		status: 400,
		exactly: { error: "ids array required" },
	},
	{
		what: "requires at least one id",
		method: "PATCH",
		path,
		body: { ids: [] },
		status: 400,
		exactly: { error: "ids array required" },
	},
	{
		what: "marks nothing for an unknown id",
		method: "PATCH",
		path,
		body: { ids: ["none"] },
		status: 200,
		exactly: { updated: 0 },
	},
	{
		what: "requires an id in the path",
		method: "DELETE",
		path,
		status: 400,
		exactly: { error: "id required" },
	},
	{
		what: "deletes nothing for an unknown id",
		method: "DELETE",
		path: `${path}/none`,
		status: 200,
		exactly: { deleted: 0 },
	},
	{
		what: "accepts an empty body",
		method: "POST",
		path: `${path}/sync`,
		body: {},
		status: 200,
		answer: {
			notifications: [],
			serverNow: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
		},
	},
	{
		what: "ignores invalid fields",
		method: "POST",
		path: `${path}/sync`,
		body: {
			readIds: "x",
			deletedIds: [5, null],
			since: "yesterday",
			businessId: 7,
		},
		status: 200,
		answer: { notifications: [] },
	},
	{
		what: "lists every type as enabled at first",
		method: "GET",
		path: `${path}/preferences`,
		status: 200,
		exactly: {
			preferences: [
				"sales",
				"inventory",
				"customers",
				"system",
				"business",
			].map((type) => ({ type, enabled: true })),
		},
	},
	{
		what: "names the required fields",
		method: "PATCH",
		path: `${path}/preferences`,
		body: { type: "weather", enabled: true },
		status: 400,
		answer: { error: expect.stringContaining("type") },
	},
	{
		what: "is not allowed",
		method: "PUT",
		path,
		body: {},
		status: 405,
		exactly: { error: "Method not allowed" },
	},
];

async function make(
	server: TestServer,
	as: TestUser,
	more: object = {},
): Promise<string> {
	const { body } = await server.ask("POST", path, {
		as,
		body: { ...hello, ...more },
	});
	return (body as { notification: { id: string } }).notification.id;
}

async function list(
	server: TestServer,
	as: TestUser,
	query = "",
): Promise<string[]> {
	const { body } = await server.ask("GET", `${path}${query}`, { as });
	return (body as { notifications: { id: string }[] }).notifications.map(
		({ id }) => id,
	);
}

describe("/api/notifications", () => {
	test.each(scenarios)("$method $path $what", expectScenario);

	test("a colleague can't see, mark or delete a user's notifications", async () => {
		const { server, asha, baraka } = await twoShops();
		const { businessId } = asha;
		const colleague = await server.addUser("Chege", {
			businessId,
			role: "MANAGER",
		});
		const id = await make(server, asha);
		for (const other of [colleague, baraka]) {
			expect(await list(server, other)).toEqual([]);
			expect(
				(await server.ask("PATCH", path, { as: other, body: { ids: [id] } }))
					.body,
			).toEqual({ updated: 0 });
			expect(
				(await server.ask("DELETE", `${path}/${id}`, { as: other })).body,
			).toEqual({ deleted: 0 });
			const body = { readIds: [id], deletedIds: [id] };
			expect(
				(await server.ask("POST", `${path}/sync`, { as: other, body })).body,
			).toMatchObject({ notifications: [] });
		}
		expect(
			await server.rows("SELECT read, deleted_at FROM notifications"),
		).toEqual([{ read: 0, deleted_at: null }]);
	});

	test("marking or deleting a notification again counts zero", async () => {
		const { server, asha } = await twoShops();
		const [a, b] = [await make(server, asha), await make(server, asha)];
		const read = () =>
			server.ask("PATCH", path, { as: asha, body: { ids: [a, a, b, "none"] } });
		expect((await read()).body).toEqual({ updated: 2 });
		expect((await read()).body).toEqual({ updated: 0 });
		const remove = () => server.ask("DELETE", `${path}/${a}`, { as: asha });
		expect((await remove()).body).toEqual({ deleted: 1 });
		expect((await remove()).body).toEqual({ deleted: 0 });
		expect(await list(server, asha)).toEqual([b]);
	});

	test("the list has at most 100 notifications since a given time, newest first", async () => {
		const { server, asha } = await twoShops();
		const at = (i: number) =>
			new Date(Date.UTC(2026, 0, 1, 0, 0, i)).toISOString();
		await server.shop.store.write(async (tx) => {
			for (let i = 0; i < 130; i += 1)
				await tx.run(
					"INSERT INTO notifications (business_id, id, user_id, type, channel, title, message, created_at) VALUES (?, ?, ?, 'sales', ?, 't', 'm', ?)",
					asha.businessId,
					`n-${i}`,
					asha.id,
					i % 2 ? "server" : "device",
					at(i),
				);
		});
		const all = Array.from({ length: 130 }, (_, i) => `n-${129 - i}`);
		expect(await list(server, asha)).toEqual(all.slice(0, 100));
		expect(await list(server, asha, `?since=${at(127)}`)).toEqual([
			"n-129",
			"n-128",
		]);
		// The same time in another zone.
		expect(
			await list(server, asha, "?since=2026-01-01T03:02:07%2B03:00"),
		).toEqual(["n-129", "n-128"]);
		expect(await list(server, asha, "?since=yesterday&limit=3")).toHaveLength(
			100,
		);
		const { body } = await server.ask("POST", `${path}/sync`, {
			as: asha,
			body: { since: at(120) },
		});
		// Notifications that a device created itself are not synced.
		expect(body).toMatchObject({
			notifications: ["n-129", "n-127", "n-125", "n-123", "n-121"].map(
				(id) => ({ id, channel: "server" }),
			),
		});
	});

	test("a notification that one sync both reads and deletes ends deleted", async () => {
		const { server, asha } = await twoShops();
		const [a, b, c] = [
			await make(server, asha),
			await make(server, asha),
			await make(server, asha),
		];
		// A notification from the same millisecond as the sync would be listed again by the next one.
		await setTimeout(2);
		const { body } = await server.ask("POST", `${path}/sync`, {
			as: asha,
			body: { readIds: [a, b], deletedIds: [a] },
		});
		expect((body as { notifications: object[] }).notifications).toEqual([
			expect.objectContaining({ id: c, read: false }),
			expect.objectContaining({ id: b, read: true }),
		]);
		const { serverNow } = body as { serverNow: string };
		const later = await server.ask("POST", `${path}/sync`, {
			as: asha,
			body: { since: serverNow },
		});
		expect(later.body).toMatchObject({ notifications: [] });
	});

	test("a notification made in the same millisecond as a sync comes with the next one", async () => {
		const { server, asha } = await twoShops();
		const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now());
		onTestFinished(() => clock.mockRestore());
		const sync = async (since?: string) => {
			const { body } = await server.ask("POST", `${path}/sync`, {
				as: asha,
				body: { since },
			});
			return body as { notifications: { id: string }[]; serverNow: string };
		};
		const { serverNow } = await sync();
		const id = await make(server, asha);
		expect((await sync(serverNow)).notifications).toMatchObject([{ id }]);
	});

	test("notifications of the same millisecond are listed in the reverse order of their requests", async () => {
		const { server, asha } = await twoShops();
		const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now());
		onTestFinished(() => clock.mockRestore());
		const made: string[] = [];
		for (let i = 0; i < 8; i += 1) made.unshift(await make(server, asha));
		const { body } = await server.ask("GET", path, { as: asha });
		const { notifications } = body as { notifications: { id: string }[] };
		expect(notifications.map(({ id }) => id)).toEqual(made);
	});

	test("a preference for the type as sent suppresses a notification", async () => {
		const { server, asha } = await twoShops();
		const set = (type: string, enabled: boolean) =>
			server.ask("PATCH", `${path}/preferences`, {
				as: asha,
				body: { type, enabled },
			});
		const off = await set("sales", false);
		expect((off.body as { preferences: object[] }).preferences).toContainEqual({
			type: "sales",
			enabled: false,
		});
		await set("system", false);
		const skipped = await server.ask("POST", path, { as: asha, body: hello });
		expect([skipped.status, skipped.body]).toEqual([200, { skipped: true }]);
		// Stored as system, but sent as another type.
		expect(await make(server, asha, { type: "weather" })).toEqual(
			expect.any(String),
		);
		await set("sales", true);
		expect(await make(server, asha)).toEqual(expect.any(String));
		expect(await list(server, asha)).toHaveLength(2);
	});

	test("since without a zone is UTC, wherever the server is", async () => {
		const { TZ } = process.env;
		onTestFinished(() => {
			if (TZ === undefined) delete process.env.TZ;
			else process.env.TZ = TZ;
		});
		process.env.TZ = "Africa/Nairobi";
		expect(new Date(0).getHours()).toBe(3);
		const { server, asha } = await twoShops();
		await make(server, asha);
		const hourMs = 3_600_000;
		for (const [awayMs, count] of [
			[-hourMs, 1],
			[hourMs, 0],
		] as const) {
			const since = new Date(Date.now() + awayMs).toISOString().slice(0, -1);
			for (const text of [since, `${since}Z`])
				expect(await list(server, asha, `?since=${text}`)).toHaveLength(count);
		}
	});

	test.each([
		["+010000-01-01T00:00:00.000Z", 0],
		["-000001-01-01T00:00:00.000Z", 1],
		["9999-12-31T23:59:59-10:00", 0],
	])("since accepts a year without four digits: %s", async (since, count) => {
		const { server, asha } = await twoShops();
		await make(server, asha);
		expect(
			await list(server, asha, `?since=${encodeURIComponent(since)}`),
		).toHaveLength(count);
	});
});

test("marking and deleting two thousand ids takes as many statements as one id", async () => {
	const { server, asha } = await twoShops();
	const { store } = server.shop;
	const write = store.write.bind(store);
	let statements = 0;
	vi.spyOn(store, "write").mockImplementation((fn, options) =>
		write((tx) => {
			const run = tx.run.bind(tx);
			const counting = vi.spyOn(tx, "run");
			counting.mockImplementation((sql, ...params) => {
				statements += 1;
				return run(sql, ...params);
			});
			return fn(tx).finally(() => counting.mockRestore());
		}, options),
	);
	const count = async (length: number) => {
		statements = 0;
		const ids = Array.from({ length }, (_, n) => `notification-${n}`);
		const body = { ids, readIds: ids, deletedIds: ids };
		const marked = await server.ask("PATCH", path, {
			as: asha,
			body: { ids },
		});
		expect(marked.body).toEqual({ updated: 0 });
		const synced = await server.ask("POST", `${path}/sync`, {
			as: asha,
			body: { ...body, ids: undefined },
		});
		expect(synced.status).toBe(200);
		return statements;
	};
	expect(await count(2_000)).toBe(await count(1));
});

test("a list of ids over 100 kB is refused", async () => {
	const { server, asha } = await twoShops();
	const ids = Array.from({ length: 80_000 }, (_, n) => `x${n}`);
	const patch = await server.ask("PATCH", path, { as: asha, body: { ids } });
	const sync = await server.ask("POST", `${path}/sync`, {
		as: asha,
		body: { readIds: ids },
	});
	for (const { status, body } of [patch, sync])
		expect([status, body]).toEqual([
			413,
			{ error: "The body must be at most 100000 bytes" },
		]);
});

test.each([
	["of 10,000 characters is kept", 10_000 - '{"note":""}'.length, 200],
	["of one character more is refused", 10_001 - '{"note":""}'.length, 400],
])("a notification's data %s", async (_what, length, status) => {
	const { server, asha } = await twoShops();
	const data = { note: "x".repeat(length) };
	const made = await server.ask("POST", path, {
		as: asha,
		body: { ...hello, data },
	});
	expect(made.status).toBe(status);
	if (status === 400)
		expect(made.body).toEqual({
			error: "data must be at most 10000 characters of JSON",
		});
});
