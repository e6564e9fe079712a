import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import counterfoil from "../../package.json" with { type: "json" };
import { databaseFile } from "../../server/operations/database.ts";
import { openTestServer } from "../../server/testing/server.ts";
import { productCreate } from "../../sync/entities/product.ts";
import { saleCreate } from "../../sync/entities/sale.ts";
import { demoOwner } from "../../sync/protocol/demo.ts";
import { newId, systemEnv } from "../../sync/protocol/ids.ts";
import { openSqlite } from "../../sync/store/sqlite.ts";
import { oneIn } from "../../sync/testing/lane.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { secretHeader } from "./guard.ts";
import {
	asha,
	expectInStep,
	joined,
	joinTill,
	openServer,
	openTill,
	secret,
	settled,
} from "./testing/till.ts";

test("a desktop shop answers only its own window on this computer", async () => {
	const till = await openTill();
	for (const path of ["/", "/healthz", "/api/till", "/api/setup", "/v1/models"])
		for (const headers of [
			{},
			{ [secretHeader]: "guessed" },
			{ [secretHeader]: `${secret}.` },
		] as Record<string, string>[])
			expect((await fetch(till.url + path, { headers })).status).toBe(403);
	expect((await till.ask("GET", "/healthz")).status).toBe(200);
	expect(till.log()).not.toContain(secret);
});

test("a desktop shop works without a server, also after a restart", async () => {
	const till = await openTill();
	expect(await till.state()).toMatchObject({ mode: "new" });
	expect((await till.ask("POST", "/api/setup", asha)).status).toBe(201);
	expect(await till.state()).toMatchObject({ mode: "alone", server: null });
	await till.make(productCreate.name, {
		id: "milk",
		name: "Milk",
		buyingPrice: 58,
		sellingPrice: 65,
		quantity: 6,
	});
	const sale = await till.sell();
	// It sends low-stock notifications like any server.
	const told = await till.ask("GET", "/api/notifications");
	expect(told.text).toContain("Milk");
	await till.close();
	const again = await openTill(till.dataDir);
	expect((await again.signIn()).status).toBe(200);
	const { body } = await again.ask("GET", `/api/receipts/${sale}`);
	expect(body).toBeDefined();
	const join = await again.ask("POST", "/api/till/join", {
		server: "http://127.0.0.1:9",
		...asha,
	});
	expect(join.status).toBe(409);
});

test("a desktop shop that is a demo is removed for an own one, which no one can remove", async () => {
	const till = await openTill();
	const demo = { ...asha, email: demoOwner.email };
	expect((await till.ask("POST", "/api/setup", demo)).status).toBe(201);
	const backups = join(till.dataDir, "backups");
	mkdirSync(backups);
	const pictures = join(till.dataDir, "pictures");
	mkdirSync(join(pictures, "the-demo"), { recursive: true });
	const leave = () => till.ask("DELETE", "/api/till/demo");
	expect((await leave()).status).toBe(202);
	await expect.poll(() => till.state()).toMatchObject({ mode: "new" });
	expect([backups, pictures].filter(existsSync)).toEqual([]);
	expect((await till.ask("POST", "/api/setup", asha)).status).toBe(201);
	expect((await leave()).status).toBe(403);
	await till.close();
	const again = await openTill(till.dataDir);
	expect((await again.signIn()).status).toBe(200);
	expect((await again.ask("GET", "/api/session")).body).toMatchObject({
		user: { email: asha.email },
	});
});

oneIn(3)(
	"a desktop shop is never a sync server, even after it has joined one, and makes its backups only before",
	async () => {
		const till = await openTill();
		const askToSync = async () => [
			(await till.ask("GET", "/api/sync")).status,
			(await till.ask("POST", "/api/sync", { mutations: [] })).status,
		];
		await till.ask("POST", "/api/setup", asha);
		expect(await askToSync()).toEqual([404, 404]);
		await till.backups().look();
		expect(till.backups().standing()).toMatchObject([
			{ problem: null, files: [{ isProven: true }] },
		]);
		const server = await openServer();
		const there = { server: server.url, ...asha };
		expect((await till.ask("POST", "/api/till/connect", there)).status).toBe(
			202,
		);
		await joined(till);
		expect((await till.signIn()).status).toBe(200);
		expect(await askToSync()).toEqual([404, 404]);
		expect(till.backups().isOn).toBe(false);
	},
);

test("a desktop shop without a server tells its owner that no backup could be made", async () => {
	const till = await openTill();
	expect((await till.ask("POST", "/api/setup", asha)).status).toBe(201);
	writeFileSync(join(till.dataDir, "backups"), "no folder");
	await till.backups().look();
	await expect
		.poll(async () => (await till.ask("GET", "/api/notifications")).text)
		.toContain("No backup in ");
});

test("a window queries its shop and hears of changes, with or without a server", async () => {
	const till = await openTill();
	expect((await till.ask("POST", "/api/setup", asha)).status).toBe(201);
	const milk = { id: "milk", name: "Milk", buyingPrice: 58, sellingPrice: 65 };
	const changes = await till.listen();
	await till.make(productCreate.name, { ...milk, quantity: 6 });
	expect(await changes.next()).toBe("rows");
	expect(await till.calls.ask("product.get", { id: "milk" })).toMatchObject({
		...milk,
		quantity: 6,
	});
	expect(await till.calls.standing()).toMatchObject({ pending: 0 });
	const server = await openServer();
	const connected = await till.ask("POST", "/api/till/connect", {
		server: server.url,
		...asha,
	});
	expect(connected.status).toBe(202);
	await joined(till);
	expect((await till.signIn()).status).toBe(200);
	const id = await till.sell(2);
	await expect.poll(server.sales).toContain(id);
	await expect
		.poll(() => till.calls.standing())
		.toMatchObject({ pending: 0, isOnline: true, isFilled: true });
	await server.stop();
	await till.sell(1);
	await till.calls.tryNow();
	expect(await till.calls.standing()).toMatchObject({
		...{ pending: 1, isOnline: false },
	});
	await expect(
		till.calls.ask("product.get", { id: "none" }),
	).rejects.toMatchObject({ code: "not_found" });
});

test("a window may send more in one request than one mutation may hold", async () => {
	const till = await openTill();
	expect((await till.ask("POST", "/api/setup", asha)).status).toBe(201);
	const items = Array.from({ length: 200 }, (_, i) => ({
		...{ id: String(i), name: "€".repeat(400), productId: null },
		...{ quantity: 1, price: 65, cost: 58 },
	}));
	const at = new Date().toISOString();
	const made = Array.from({ length: 10 }, (_, i) => ({
		...{ id: `made-${i}`, name: saleCreate.name, at },
		args: { id: `sold-${i}`, items },
	}));
	expect(Buffer.byteLength(JSON.stringify(made))).toBeGreaterThan(1_000_000);
	expect(await till.calls.bring(made)).toHaveLength(10);
	expect(await till.calls.ask("sale.get", { id: "sold-9" })).toMatchObject({
		total: 13_000,
	});
});

test("a till joins a shop, sells for it, and receives other tills' changes", async () => {
	const server = await openServer();
	const till = await openTill();
	await joinTill(server, till);
	const id = await till.sell(3);
	await expect.poll(server.sales).toEqual([id]);
	await server.now().shop.mutate(server.caller, productCreate, {
		id: "bread",
		name: "Bread",
		buyingPrice: 40,
		sellingPrice: 60,
		quantity: 5,
	});
	await expect
		.poll(async () => (await till.ask("GET", "/api/products/bread")).status)
		.toBe(200);
	await expectInStep(server, till);
	expect(await till.state()).toEqual({
		...{ mode: "joined", server: server.url, isOnline: true, rows: 0 },
	});
	expect(await till.calls.standing()).toMatchObject({ rejected: [] });
	for (const [method, path] of [
		["GET", "/api/members"],
		["GET", "/api/usage"],
		["GET", "/api/ai/limits"],
		["PATCH", "/api/ai/limits"],
	] as const) {
		const elsewhere = await till.ask(method, path);
		expect([path, elsewhere.status]).toEqual([path, 409]);
		expect(elsewhere.body.error).toContain(server.url);
	}
});

test("a till that could not note its server, as on a full disk, joins it at the next try", async () => {
	const server = await openServer();
	const till = await openTill();
	// The file that is written first can't be, where a folder has its name.
	const unwritable = join(till.dataDir, `till.json.${process.pid}`);
	mkdirSync(unwritable);
	const tryToJoin = () =>
		till.ask("POST", "/api/till/join", { server: server.url, ...asha });
	expect((await tryToJoin()).status).toBe(500);
	expect(await till.state()).toMatchObject({ mode: "new" });
	rmdirSync(unwritable);
	expect((await tryToJoin()).status).toBe(202);
	await joined(till);
	expect((await till.signIn()).status).toBe(200);
});

test("a computer that was interrupted when it joined a shop begins one itself instead, under the same email", async () => {
	const server = await openServer();
	const there = { server: server.url, ...asha };
	const till = await openTill();
	mkdirSync(join(till.dataDir, `till.json.${process.pid}`));
	expect((await till.ask("POST", "/api/till/join", there)).status).toBe(500);
	const setup = await till.ask("GET", "/api/setup");
	expect(setup.body).toMatchObject({ isEmpty: true });
	expect((await till.ask("POST", "/api/setup", asha)).status).toBe(201);

	const dataDir = join(testDir(), "till");
	await (await openTill(dataDir)).close();
	// What a power cut leaves before the till has noted its server.
	const store = await openSqlite(databaseFile({ dataDir }));
	await store.write((tx) =>
		tx.run(
			"INSERT INTO users (id, email, name, password_hash, created_at) VALUES ('asha', ?, 'Asha', 'none', '2026-11-20')",
			asha.email,
		),
	);
	await store.close();
	const again = await openTill(dataDir);
	expect((await again.ask("POST", "/api/setup", asha)).status).toBe(201);
});

test("a till shows product pictures, also offline after they were first shown", async () => {
	const server = await openServer();
	const till = await openTill();
	const png = Buffer.from(
		"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
		"base64",
	);
	const login = await server
		.now()
		.ask("POST", "/api/auth/mobile-login", { body: asha });
	const { token } = login.body as { token: string };
	const given = await server.now().ask("POST", "/api/products/milk/picture", {
		headers: { authorization: `Bearer ${token}`, "content-type": "image/png" },
		body: png,
	});
	const { imageUrl } = given.body as { imageUrl: string };
	await joinTill(server, till);
	expect((await till.ask("GET", imageUrl)).status).toBe(200);
	await server.stop();
	expect((await till.ask("GET", imageUrl)).status).toBe(200);
	const name = `${"0".repeat(32)}.png`;
	expect((await till.ask("GET", `/api/pictures/${name}`)).status).toBe(503);
	const upload = await till.ask("POST", "/api/products/milk/picture", {});
	expect(upload.status).toBe(409);
});

test("a till does everything offline, and syncs it when the server is back", async () => {
	const server = await openServer();
	const till = await openTill();
	await joinTill(server, till);
	await till.close();
	await server.stop();

	const offline = await openTill(till.dataDir);
	expect((await offline.signIn({ ...asha, password: "wrong" })).status).toBe(
		401,
	);
	expect((await offline.signIn()).status).toBe(200);
	const sales = [await offline.sell(2), await offline.sell(1)];
	await offline.make("sale.void", {
		id: newId(systemEnv),
		saleId: sales[0],
		reason: "mistake",
	});
	await offline.make("stock.adjust", {
		id: newId(systemEnv),
		productId: "milk",
		delta: 10,
		reason: "received",
	});
	const edit = await offline.ask("PATCH", "/api/products/milk", {
		sellingPrice: 70,
	});
	expect(edit.body).toMatchObject({ sellingPrice: 70, quantity: 109 });
	const made = await offline.ask("POST", "/api/products", {
		name: "Sugar",
		buyingPrice: 100,
		sellingPrice: 120,
	});
	expect(made.status).toBe(201);
	const overview = await offline.ask("GET", "/api/dashboard");
	expect(overview.body.today).toMatchObject({ salesCount: 1, revenue: 65 });
	const receipt = await offline.ask("GET", `/api/receipts/${sales[1]}`);
	expect(receipt.status).toBe(200);
	await offline.make("sale.refund", {
		id: newId(systemEnv),
		saleId: sales[1],
		reason: "broken",
		items: [{ id: "1", itemId: "1", quantity: 1 }],
	});
	expect(await offline.calls.standing()).toMatchObject({ pending: 7 });

	await server.start();
	await offline.calls.tryNow();
	await settled(offline);
	expect(await server.sales()).toEqual([...sales].sort());
	await expectInStep(server, offline);
});

test.each([
	["is new, with its settings", [], "Duka"],
	["sells already, which keeps its settings", ["tea"], "Asha's shop"],
])(
	"a shop without a server moves to one that %s, with every sale, and continues as its till",
	async (_, sold, name) => {
		const till = await openTill();
		const njeri = { ...asha, name: "Njeri" };
		await till.ask("POST", "/api/setup", { ...njeri, businessName: "Duka" });
		await till.make(productCreate.name, {
			id: "milk",
			name: "Milk",
			buyingPrice: 58,
			sellingPrice: 65,
			quantity: 50,
		});
		const before = [await till.sell(2), await till.sell(1)];
		const server = await openTestServer();
		const { caller } = await server.addUser("Asha");
		for (const id of sold)
			await server.shop.mutate(caller, productCreate, {
				id,
				name: id,
				buyingPrice: 1,
				sellingPrice: 2,
			});
		const there = { server: server.url, ...asha };
		const wrong = await till.ask("POST", "/api/till/connect", {
			...there,
			password: "wrong",
		});
		expect(wrong.status).toBe(401);
		expect(await till.state()).toMatchObject({ mode: "alone" });

		expect((await till.ask("POST", "/api/till/connect", there)).status).toBe(
			202,
		);
		await joined(till);
		expect((await till.signIn()).status).toBe(200);
		const after = await till.sell(1);
		await settled(till);
		const sales = await server.rows("SELECT id FROM sales ORDER BY id");
		expect(sales.map(({ id }) => id)).toEqual([...before, after].sort());
		expect(await server.rows("SELECT program FROM devices")).toContainEqual({
			program: counterfoil.version,
		});
		const rows = await server.rows("SELECT name FROM businesses");
		expect(rows).toEqual([{ name }]);
		const here = await till.ask("GET", "/api/business");
		expect(here.body.name).toBe(name);
		const { body } = await till.ask("GET", "/api/products/milk");
		expect(body.quantity).toBe(46);
		expect(await till.state()).toMatchObject({ mode: "joined" });
		expect(await till.calls.standing()).toMatchObject({ rejected: [] });
	},
);

test("an interrupted join resumes, of two at once one is refused, as is an account that may not join", async () => {
	const server = await openServer();
	const till = await openTill();
	const join = (more: object) =>
		till.ask("POST", "/api/till/join", {
			server: server.url,
			...asha,
			...more,
		});
	expect((await join({ password: "wrong" })).status).toBe(401);
	expect((await join({ server: "http://127.0.0.1:9" })).status).toBe(503);
	expect((await join({ server: "http://a:b@c" })).status).toBe(400);
	expect(await till.state()).toMatchObject({ mode: "new" });

	// The server answers the sign-in and goes down before the download is complete.
	const joining = await Promise.all([join({}), join({})]);
	const statuses = joining.map(({ status }) => status);
	expect(statuses.toSorted()).toEqual([202, 409]);
	await till.close();
	await server.stop();
	const again = await openTill(till.dataDir);
	expect(["joining", "joined"]).toContain((await again.state()).mode);
	await server.start();
	await joined(again);
	expect((await again.signIn()).status).toBe(200);
	await expectInStep(server, again);
});
