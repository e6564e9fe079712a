import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openLog } from "../server/log.ts";
import { readSettings } from "../server/settings.ts";
import { cheapPassword, openTestServer } from "../server/test-server.ts";
import { productCreate } from "../sync/entities/product.ts";
import { saleCreate } from "../sync/entities/sale.ts";
import { newId, systemEnv } from "../sync/ids.ts";
import { testDir } from "../sync/test-shop.ts";
import { secretHeader } from "./guard.ts";
import { openDesktopShop } from "./shop.ts";
import { openFileVault } from "./vault.ts";

const secret = "the secret of one start of a window";
const asha = {
	name: "Asha",
	email: "asha@example.com",
	password: cheapPassword,
};

// biome-ignore lint/suspicious/noExplicitAny: what is answered is what a test is about
function parse(text: string): any {
	return /^[{[]/.test(text) ? JSON.parse(text) : undefined;
}

/** A till as its window has it: requests with the secret and a session's cookie. */
async function openTill(dataDir = join(testDir(), "till")) {
	const lines: string[] = [];
	const log = openLog("trace", { write: (line) => lines.push(line) });
	const settings = readSettings({ PORT: "0", DATA_DIR: dataDir });
	const till = await openDesktopShop({ settings, secret, log });
	let isOpen = true;
	const close = async () => {
		if (isOpen) await till.close();
		isOpen = false;
	};
	onTestFinished(close);
	let cookie = "";
	const deviceId = newId(systemEnv);
	let cursor = "";
	let receipts = 0;

	async function ask(method: string, path: string, body?: unknown) {
		const response = await fetch(till.url + path, {
			method,
			redirect: "manual",
			headers: {
				[secretHeader]: secret,
				cookie,
				...(body === undefined ? {} : { "content-type": "application/json" }),
			},
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const set = response.headers.get("set-cookie");
		if (set) cookie = set.split(";")[0] ?? "";
		const text = await response.text();
		return {
			status: response.status,
			text,
			body: parse(text),
		};
	}

	async function push(name: string, args: object) {
		const message = {
			id: newId(systemEnv),
			name,
			args,
			at: new Date().toISOString(),
		};
		const answer = await ask("POST", "/api/sync", {
			mutations: [message],
			deviceId,
			cursor,
		});
		expect(answer.body.results).toMatchObject([{ status: "applied" }]);
		cursor = answer.body.cursor;
		return answer.body;
	}

	return {
		url: till.url,
		dataDir,
		log: () => lines.join(""),
		close,
		ask,
		push,
		state: async () => (await ask("GET", "/api/till")).body,
		signIn: ({ email, password } = asha) =>
			ask("POST", "/login", { email, password }),
		async sell(quantity = 1) {
			const id = newId(systemEnv);
			receipts += 1;
			await push(saleCreate.name, {
				id,
				items: [
					{
						id: "1",
						name: "Milk",
						quantity,
						price: 65,
						cost: 58,
						productId: "milk",
					},
				],
				receiptNumber: `X-${receipts}`,
			});
			return id;
		},
	};
}
type Till = Awaited<ReturnType<typeof openTill>>;

/** A shop's server that can be away and come back where it was. */
async function openServer() {
	const dataDir = join(testDir(), "server");
	let server = await openTestServer({ DATA_DIR: dataDir });
	const { port, url } = server;
	const { caller } = await server.addUser("Asha");
	await server.shop.mutate(caller, productCreate, {
		id: "milk",
		name: "Milk",
		buyingPrice: 58,
		sellingPrice: 65,
		quantity: 100,
	});
	return {
		url,
		caller,
		now: () => server,
		stop: () => server.close(),
		async start() {
			server = await openTestServer({ DATA_DIR: dataDir, PORT: String(port) });
		},
		sales: async () =>
			(await server.rows("SELECT id FROM sales ORDER BY id")).map(
				({ id }) => id,
			),
		digest: async () => (await server.shop.digest(caller)).digest,
	};
}

async function joinTill(server: { url: string }, till: Till) {
	const { status } = await till.ask("POST", "/api/till/join", {
		server: server.url,
		...asha,
	});
	expect(status).toBe(202);
	await settled(till);
	expect((await till.signIn()).status).toBe(200);
}

/** Until it has joined and has nothing more to send. */
async function settled(till: Till) {
	await vi.waitFor(
		async () =>
			expect(await till.state()).toMatchObject({ mode: "joined", pending: 0 }),
		{ timeout: 20_000, interval: 100 },
	);
}

async function expectInStep(
	server: Awaited<ReturnType<typeof openServer>>,
	till: Till,
) {
	await vi.waitFor(
		async () => {
			const { body } = await till.ask("GET", "/api/sync?digest=1");
			expect(body.digest).toBe(await server.digest());
		},
		{ timeout: 20_000, interval: 100 },
	);
}

test("answers its own window and nobody else on this computer", async () => {
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

test("is a shop by itself where nothing else is wanted, also after a restart", async () => {
	const till = await openTill();
	expect(await till.state()).toMatchObject({ mode: "new" });
	expect((await till.ask("POST", "/api/setup", asha)).status).toBe(201);
	expect(await till.state()).toMatchObject({ mode: "alone", server: null });
	await till.push(productCreate.name, {
		id: "milk",
		name: "Milk",
		buyingPrice: 58,
		sellingPrice: 65,
		quantity: 6,
	});
	const sale = await till.sell();
	// It tells of low stock as any server does.
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

test("joins a shop, sells for it, and hears of what others do", async () => {
	const server = await openServer();
	const till = await openTill();
	await joinTill(server, till);
	const id = await till.sell(3);
	await vi.waitFor(async () => expect(await server.sales()).toEqual([id]));
	await server.now().shop.mutate(server.caller, productCreate, {
		id: "bread",
		name: "Bread",
		buyingPrice: 40,
		sellingPrice: 60,
		quantity: 5,
	});
	await vi.waitFor(
		async () =>
			expect((await till.ask("GET", "/api/products/bread")).status).toBe(200),
		{ timeout: 10_000 },
	);
	await expectInStep(server, till);
	expect(await till.state()).toMatchObject({
		mode: "joined",
		server: server.url,
		rejected: [],
	});
	const elsewhere = await till.ask("GET", "/api/members");
	expect(elsewhere.status).toBe(409);
	expect(elsewhere.body.error).toContain(server.url);
});

test("shows the pictures of the shop's products, also without its server once they were seen", async () => {
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

test("does everything without its server, and brings it all when the server is back", async () => {
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
	await offline.push("sale.void", {
		id: newId(systemEnv),
		saleId: sales[0],
		reason: "mistake",
	});
	await offline.push("stock.adjust", {
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
	await offline.push("sale.refund", {
		id: newId(systemEnv),
		saleId: sales[1],
		reason: "broken",
		items: [{ id: "1", itemId: "1", quantity: 1 }],
	});
	expect(await offline.state()).toMatchObject({ pending: 7 });

	await server.start();
	await offline.ask("POST", "/api/till/sync", {});
	await settled(offline);
	expect(await server.sales()).toEqual([...sales].sort());
	await expectInStep(server, offline);
});

test("goes on selling with a token that has expired, says so, and syncs after a new sign-in", async () => {
	const server = await openServer();
	const till = await openTill();
	await joinTill(server, till);
	openFileVault(till.dataDir).write("expired");
	const id = await till.sell();
	await vi.waitFor(
		async () =>
			expect(await till.state()).toMatchObject({ paused: "unauthorized" }),
		{ timeout: 10_000 },
	);
	const other = await till.sell();
	expect(await server.sales()).toEqual([]);
	expect((await till.signIn()).status).toBe(200);
	await settled(till);
	expect(await server.sales()).toEqual([id, other].sort());
	expect(await till.state()).toMatchObject({ paused: null });
});

test.each([
	["is new, with its settings", [], "Duka"],
	["sells already, which keeps its settings", ["tea"], "Asha's shop"],
])(
	"brings a shop that began alone to one that %s, with every sale, and goes on as its till",
	async (_, sold, name) => {
		const till = await openTill();
		const njeri = { ...asha, name: "Njeri" };
		await till.ask("POST", "/api/setup", { ...njeri, businessName: "Duka" });
		await till.push(productCreate.name, {
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
		await settled(till);
		expect((await till.signIn()).status).toBe(200);
		const after = await till.sell(1);
		await settled(till);
		const sales = await server.rows("SELECT id FROM sales ORDER BY id");
		expect(sales.map(({ id }) => id)).toEqual([...before, after].sort());
		const rows = await server.rows("SELECT name FROM businesses");
		expect(rows).toEqual([{ name }]);
		const here = await till.ask("GET", "/api/business");
		expect(here.body.name).toBe(name);
		const { body } = await till.ask("GET", "/api/products/milk");
		expect(body.quantity).toBe(46);
		expect(await till.state()).toMatchObject({ mode: "joined", rejected: [] });
	},
);

test("resumes a joining that was interrupted, and refuses who may not join", async () => {
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

	// It answers the sign-in and is gone before the shop has come.
	const joining = await join({});
	expect(joining.status).toBe(202);
	await till.close();
	await server.stop();
	const again = await openTill(till.dataDir);
	expect(["joining", "joined"]).toContain((await again.state()).mode);
	await server.start();
	await settled(again);
	expect((await again.signIn()).status).toBe(200);
	await expectInStep(server, again);
});

test("locks out who is let in no longer as soon as the server says so, and not before", async () => {
	const server = await openServer();
	const till = await openTill();
	await joinTill(server, till);
	// One that wants to hear of no more guesses has not said that this is a wrong one.
	const ask = globalThis.fetch;
	const refusing = vi
		.spyOn(globalThis, "fetch")
		.mockImplementation(async (input, init) =>
			String(input).endsWith("/mobile-login")
				? new Response("{}", { status: 429 })
				: ask(input, init),
		);
	expect((await till.signIn()).status).toBe(200);
	refusing.mockRestore();
	await server
		.now()
		.shop.store.write((tx) =>
			tx.run(
				"UPDATE users SET password_hash = ?",
				randomBytes(8).toString("hex"),
			),
		);
	expect((await till.signIn()).status).toBe(401);
	await server.stop();
	expect((await till.signIn()).status).toBe(401);
});

test("what the owner changed is sent in a cashier's session, and what nobody proved waits for the owner", async () => {
	const server = await openServer();
	const juma = {
		name: "Juma",
		email: "juma@example.com",
		password: cheapPassword,
	};
	const { businessId } = server.caller;
	await server.now().addUser("Juma", { businessId, role: "CASHIER" });
	const till = await openTill();
	await joinTill(server, till);
	expect((await till.signIn(juma)).status).toBe(200);
	await settled(till);
	expect((await till.signIn()).status).toBe(200);
	await till.ask("POST", "/api/till/sync", {});
	const vault = openFileVault(till.dataDir);
	await vi.waitFor(() => expect(vault.read()).toContain("proofKey"), {
		timeout: 20_000,
		interval: 50,
	});
	const change = (sellingPrice: number) =>
		till.ask("PATCH", "/api/products/milk", { sellingPrice });
	await server.stop();
	expect((await change(70)).status).toBe(200);
	const { body } = await till.ask("POST", "/logout", {});
	expect(body).toEqual({ ok: true });
	expect(vault.read()).not.toContain("proofKey");
	// Without the server, and so without a key.
	expect((await till.signIn()).status).toBe(200);
	expect((await change(75)).status).toBe(200);
	await till.ask("POST", "/logout", {});
	// Or the till would send it in the owner's session, as soon as the server is back.
	vault.write(JSON.stringify({ token: "run out", isOver: true }));

	await server.start();
	expect((await till.signIn(juma)).status).toBe(200);
	await vi.waitFor(
		async () =>
			expect(await till.state()).toMatchObject({
				pending: 1,
				rejected: [],
				waiting: [{ userId: server.caller.userId, name: "product.update" }],
			}),
		{ timeout: 20_000, interval: 100 },
	);
	const price = () => server.now().rows("SELECT selling_price FROM products");
	expect(await price()).toEqual([{ selling_price: 70_000_000 }]);
	expect((await till.signIn()).status).toBe(200);
	await settled(till);
	expect(await till.state()).toMatchObject({ waiting: [] });
	expect(await price()).toEqual([{ selling_price: 75_000_000 }]);
});
