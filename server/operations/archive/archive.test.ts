import { createWriteStream, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import {
	business,
	businessUpdate,
	createBusiness,
} from "../../../sync/entities/business.ts";
import {
	categoryCreate,
	categoryDelete,
} from "../../../sync/entities/category.ts";
import {
	countClose,
	countEnter,
	countLookAt,
	countOpen,
} from "../../../sync/entities/count.ts";
import { customerMerge } from "../../../sync/entities/customer.ts";
import { entities } from "../../../sync/entities/index.ts";
import { paymentAdjust } from "../../../sync/entities/payment.ts";
import {
	productCreate,
	productUpdate,
} from "../../../sync/entities/product.ts";
import { saleRefund } from "../../../sync/entities/refund.ts";
import { reviewCreate } from "../../../sync/entities/review.ts";
import { saleCreate } from "../../../sync/entities/sale.ts";
import { shiftClose, shiftOpen } from "../../../sync/entities/shift.ts";
import { statementImport } from "../../../sync/entities/statement.ts";
import { readDigest } from "../../../sync/feed/feed.ts";
import { businessGet } from "../../../sync/queries/business.ts";
import { type Caller, openShop } from "../../../sync/shop.ts";
import { openSqlite } from "../../../sync/store/sqlite.ts";
import { plainRecords } from "../../../sync/testing/examples.ts";
import {
	expectInStep,
	message,
	saleArgs,
	syncStubbornly,
	testDir,
	twoTills,
} from "../../../sync/testing/shop.ts";
import {
	writeMembership,
	writeName,
} from "../../../sync/till/local-members.ts";
import { members } from "../../accounts/members.ts";
import { setPassword } from "../../accounts/users.ts";
import {
	cheapHash,
	cheapPassword,
	openTestServer,
	type TestServer,
	twoShops,
} from "../../testing/server.ts";
import { readArchive } from "./read.ts";
import { writeArchive } from "./write.ts";

const quiet = {
	withPasswords: true,
	signal: new AbortController().signal,
	onProgress() {},
};

/** @returns the session cookie */
async function signIn(server: TestServer, email: string): Promise<string> {
	const body = { email, password: cheapPassword };
	const { headers } = await server.ask("POST", "/login", { body });
	return headers.get("set-cookie")?.split(";")[0] ?? "";
}

async function archiveOf(
	{ shop }: Pick<TestServer, "shop">,
	businessId: string,
	options = quiet,
) {
	const file = join(testDir(), "shop.zip");
	const stream = createWriteStream(file);
	return {
		file,
		manifest: await writeArchive(shop, businessId, stream, options),
	};
}

/** Asha's shop with records of every kind, on a server with Baraka's shop. */
async function openShops() {
	const { server, asha, baraka } = await twoShops();
	const { shop } = server;
	const make = (mutation: Parameters<typeof shop.mutate>[1], args: unknown) =>
		shop.mutate(asha.caller, mutation, args);
	await make(categoryCreate, { id: "dairy", name: "Dairy\u2028line" });
	await make(categoryCreate, { id: "gone", name: "Gone" });
	await make(categoryDelete, { id: "gone" });
	await make(productUpdate, {
		id: "milk",
		set: { name: "Fresh milk", categoryId: "dairy", quantity: 12.5 },
	});
	for (let n = 0; n < 150; n += 1)
		await make(productCreate, {
			id: `p${n}`,
			name: `Žluť 牛奶 ${n}`,
			buyingPrice: null,
			sellingPrice: n / 8,
		});
	await make(saleCreate, {
		id: "s1",
		items: [
			{
				id: "b",
				name: "Milk",
				quantity: 20,
				price: 50,
				cost: 40,
				productId: "milk",
			},
			{ id: "a", name: "Bag", quantity: 1, price: 5.25, cost: 1 },
		],
	});
	await make(saleRefund, {
		id: "r1",
		saleId: "s1",
		reason: "Sour",
		items: [{ id: "1", itemId: "b", quantity: 1 }],
	});
	await make(paymentAdjust, {
		...{ id: "d1", customerId: "c1", amount: 5, reason: "Old book" },
	});
	await make(reviewCreate, { id: "rev", rating: 5, text: "Good" });
	await make(statementImport, statementImport.examples[0]);
	for (const { mutation, args } of plainRecords) await make(mutation, args);
	await make(customerMerge, { fromId: "double", intoId: "customer" });
	await make(shiftOpen, { id: "shift", openingFloat: 5 });
	await make(shiftClose, {
		...{ id: "count", shiftId: "shift" },
		counted: [{ method: "CASH", amount: 5 }],
	});
	await make(countOpen, { id: "shelf", name: "Fridge" });
	await make(countLookAt, {
		...{ id: "look", countId: "shelf", productId: "milk" },
	});
	await make(countEnter, { id: "look", counted: 2 });
	await make(countClose, { id: "shelf" });
	await make(businessUpdate, { set: { receiptHeader: "Karibu" } });
	await server.addUser("Chege", {
		businessId: asha.businessId,
		role: "CASHIER",
	});
	const left = await server.addUser("Left", {
		businessId: asha.businessId,
		role: "CASHIER",
	});
	await shop.store.write((tx) =>
		members(tx).remove(asha.businessId, left.id, shop.env.now()),
	);
	await shop.push(asha.caller, {
		mutations: [
			message("carried", saleCreate.name, saleArgs("s2"), { by: left.id }),
		],
	});
	return { server, asha, baraka };
}

const kept = [
	...entities
		.filter((entity) => entity !== business)
		.flatMap(({ table, lines }) => (lines ? [table, lines.table] : [table])),
	...["mutations", "devices", "memberships", "former_members"],
];

async function rowsOf({ rows }: TestServer, table: string, businessId: string) {
	const found = await rows(
		`SELECT * FROM ${table} WHERE business_id = ?`,
		businessId,
	);
	return found.map((row) => JSON.stringify(row)).sort();
}

describe("an archive", () => {
	test("an archive imported into an empty database gives the same shop, with log, edits, tombstones, tills and members", async () => {
		const { server, asha } = await openShops();
		const { file, manifest } = await archiveOf(server, asha.businessId);
		const digestOf = ({ shop }: TestServer) =>
			shop.store.read((tx) => readDigest(tx, asha.businessId));
		expect(manifest.digest).toBe(await digestOf(server));
		expect(manifest.files).toContainEqual({
			name: "products",
			records: 151,
			sha256: expect.any(String),
		});

		const other = await openTestServer();
		const before = await other.rows(
			"SELECT value FROM meta WHERE key = 'epoch'",
		);
		await readArchive(other.shop, file, () => {});
		expect(await digestOf(other)).toBe(manifest.digest);
		expect((await other.shop.digest(asha.caller)).digest).toBe(
			(await server.shop.digest(asha.caller)).digest,
		);
		for (const table of kept) {
			const expected = await rowsOf(server, table, asha.businessId);
			expect(expected.length, table).toBeGreaterThan(0);
			expect(await rowsOf(other, table, asha.businessId)).toEqual(expected);
		}
		const shop =
			"SELECT head, edits, version FROM businesses WHERE business_id = ?";
		expect(await other.rows(shop, asha.businessId)).toEqual(
			await server.rows(shop, asha.businessId),
		);
		expect(await other.rows("SELECT name FROM users ORDER BY name")).toEqual([
			{ name: "Asha" },
			{ name: "Chege" },
		]);
		// The other shop of that server is not in the archive.
		expect(await other.rows("SELECT id FROM businesses")).toEqual([
			{ id: asha.businessId },
		]);
		// A new epoch tells tills that this is another history, as after a restore.
		expect(
			await other.rows("SELECT value FROM meta WHERE key = 'epoch'"),
		).not.toEqual(before);

		// The shop continues with the same members, the next version and an unused receipt number.
		const sold = await other.ask("POST", "/api/sales", {
			headers: { cookie: await signIn(other, "asha@example.com") },
			body: { items: [{ name: "Milk", quantity: 1, price: 50, cost: 40 }] },
		});
		expect(sold.status).toBe(201);
		const numbers = await other.rows("SELECT receipt_number FROM sales");
		expect(new Set(numbers.map((row) => row.receipt_number)).size).toBe(3);

		await expect(readArchive(other.shop, file, () => {})).rejects.toThrow(
			"This database already has its shop: Asha's shop",
		);
	});

	test("no token from before an archive works after its import, even under the same secret or after signing out", async () => {
		const { server, asha } = await openShops();
		const old = [asha.cookie];
		await server.shop.store.write((tx) => setPassword(tx, asha.id, cheapHash));
		for (let n = 0; n < 2; n += 1)
			old.push(await signIn(server, "asha@example.com"));
		const [, signedOut] = old;
		await server.ask("POST", "/logout", {
			headers: { cookie: `${signedOut}` },
		});
		const { file } = await archiveOf(server, asha.businessId);

		const other = await openTestServer();
		await readArchive(other.shop, file, () => {});
		const look = async (cookie: string) =>
			(await other.ask("GET", "/api/session", { headers: { cookie } })).status;
		for (const cookie of old) expect(await look(cookie)).toBe(401);
		expect(await look(await signIn(other, "asha@example.com"))).toBe(200);
	});

	test("a till that sold after the archive was made loses no sale and counts none twice", async () => {
		const { server: from, a, b } = await twoTills();
		const ids = [await a.sell({ milk: 1 })];
		await a.till.sync();
		const { file } = await archiveOf(from, from.caller.businessId);
		ids.push(await a.sell({ milk: 2 }));
		await a.till.sync();
		ids.push(await a.sell({ milk: 3 }), await b.sell({ milk: 1 }));

		const store = await openSqlite(join(testDir(), "moved.db"));
		onTestFinished(() => store.close());
		const shop = openShop({ store, env: from.env });
		await readArchive(shop, file, () => {});
		for (const till of [a, b, a]) {
			till.line.shop = shop;
			await syncStubbornly(till);
		}
		const rows = (sql: string) => store.read((tx) => tx.all(sql));
		const sales = await rows("SELECT id FROM sales");
		expect(sales.map(({ id }) => id).sort()).toEqual(ids.sort());
		await expectInStep({ ...from, store, shop, rows }, a, b);
		expect(await a.quantityOf("milk")).toBe(3);
	});

	test("an archive can leave out password hashes, and its import never changes an existing account", async () => {
		const { server, asha } = await openShops();
		await server.shop.store.write((tx) =>
			tx.run("UPDATE users SET password_hash = 'secret-hash'"),
		);
		const without = await archiveOf(server, asha.businessId, {
			...quiet,
			withPasswords: false,
		});
		const other = await openTestServer();
		const known = await other.addUser("Asha");
		await readArchive(other.shop, without.file, () => {});
		expect(
			await other.rows(
				"SELECT id, name, password_hash FROM users ORDER BY name",
			),
		).toEqual([
			{ id: known.id, name: "Asha", password_hash: cheapHash },
			{ id: expect.any(String), name: "Chege", password_hash: "none" },
		]);
		expect(
			await other.rows(
				"SELECT role FROM memberships WHERE business_id = ? AND user_id = ?",
				asha.businessId,
				known.id,
			),
		).toEqual([{ role: "OWNER" }]);
		// Her programs go on with the shop that they know.
		expect(
			await other.ask("GET", "/api/session", {
				headers: { cookie: known.cookie },
			}),
		).toMatchObject({ body: { user: { businessId: known.businessId } } });

		const whole = await archiveOf(server, asha.businessId);
		const third = await openTestServer();
		await readArchive(third.shop, whole.file, () => {});
		expect(
			await third.rows("SELECT DISTINCT password_hash FROM users"),
		).toEqual([{ password_hash: "secret-hash" }]);
	});

	test("an archive of a shop whose server was built from a till can be imported, with the members who have no email", async () => {
		const { server, asha } = await twoShops();
		const { businessId } = asha;
		const at = "2026-01-01T00:00:00.000Z";
		await server.shop.store.write(async (tx) => {
			await writeName(tx, { id: "chege", name: "Chege" }, at);
			const member = { id: "chege", role: "CASHIER" } as const;
			await writeMembership(tx, businessId, member, at);
		});
		const { file } = await archiveOf(server, businessId);
		const other = await openTestServer();
		await readArchive(other.shop, file, () => {});
		const list = ({ shop }: TestServer) =>
			shop.store.read((tx) => members(tx).list(businessId));
		expect(await list(other)).toEqual(await list(server));
		expect(await list(other)).toContainEqual(
			expect.objectContaining({ userId: "chege", role: "CASHIER" }),
		);
	});

	test("an archive whose shop has a path for its id, and so for its folder of pictures, is refused", async () => {
		const { server, asha } = await twoShops();
		const own = await server.shop.ask(asha.caller, businessGet, {});
		const { taxClass, limits, ...row } = own;
		const id = `../pictures/${asha.businessId}`;
		const made = { ...row, id, cashUnit: null };
		await server.shop.store.write((tx) => createBusiness(tx, made));
		const { file } = await archiveOf(server, id);
		const other = await openTestServer();
		await expect(readArchive(other.shop, file, () => {})).rejects.toThrow(
			"It is damaged: its manifest can't be read",
		);
	});

	test("an archive of a shop with the longest possible default name can be imported", async () => {
		const server = await openTestServer();
		const name = "n".repeat(200);
		const made = await server.ask("POST", "/api/auth/register", {
			body: { name, email: "n@example.com", password: "correct horse" },
		});
		const { businessId, id: userId } = made.body as Record<string, string>;
		const caller: Caller = {
			businessId: businessId as string,
			userId: userId as string,
			role: "OWNER",
			deviceId: null,
		};
		const { file, manifest } = await archiveOf(server, caller.businessId);
		const other = await openTestServer();
		await readArchive(other.shop, file, () => {});
		const digest = await other.shop.store.read((tx) =>
			readDigest(tx, caller.businessId),
		);
		expect(digest).toBe(manifest.digest);

		// Saving the settings unchanged must be accepted, too.
		const set = { name: `${name}'s Business` };
		await other.shop.mutate(caller, businessUpdate, { set });
		expect(await other.rows("SELECT name FROM businesses")).toEqual([set]);
	});

	test.each([
		["it is stopped", (stop: AbortController) => stop.abort(), "AbortError"],
		[
			"its file can't be written",
			(_stop: AbortController, file: Writable) =>
				file.destroy(new RangeError("no space")),
			"RangeError",
		],
	])("an export stops reading when %s", async (_what, fail, name) => {
		const { server, asha } = await openShops();
		const stop = new AbortController();
		const file = new Writable({ write: (_chunk, _encoding, done) => done() });
		let pages = 0;
		const options = {
			...quiet,
			signal: stop.signal,
			onProgress(records: number) {
				pages += 1;
				if (records > 100) fail(stop, file);
			},
		};
		await expect(
			writeArchive(server.shop, asha.businessId, file, options),
		).rejects.toMatchObject({ name });
		const pagesThen = pages;
		await server.close();
		await sleep(50);
		expect(pages).toBe(pagesThen);
	});

	test("a damaged, truncated or foreign file is refused without importing anything", async () => {
		const { server, asha } = await openShops();
		const { file } = await archiveOf(server, asha.businessId);
		const bytes = readFileSync(file);
		const other = await openTestServer();
		const refused = async (damaged: Uint8Array) => {
			const path = join(testDir(), "damaged.zip");
			writeFileSync(path, damaged);
			await expect(readArchive(other.shop, path, () => {})).rejects.toThrow(
				/^It is (damaged|not an archive)/,
			);
			for (const table of ["businesses", "users", "mutations", "sales"])
				expect(await other.rows(`SELECT * FROM ${table}`)).toEqual([]);
		};
		await refused(Buffer.from("no zip at all"));
		await refused(bytes.subarray(0, bytes.length - 40));
		// Change one byte of content, in the last file before the manifest.
		const at = bytes.lastIndexOf(
			"members.jsonl",
			bytes.indexOf("manifest.json"),
		);
		const flipped = Buffer.from(bytes);
		flipped[at + 60] = (flipped[at + 60] as number) ^ 0xff;
		await refused(flipped);
	});
});
