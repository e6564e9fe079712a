import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { createBusiness } from "../entities/business.ts";
import { categoryCreate } from "../entities/category.ts";
import type { Role } from "../entities/entity.ts";
import { mutations } from "../entities/index.ts";
import { productCreate } from "../entities/product.ts";
import { saleCreate } from "../entities/sale.ts";
import { decompress } from "../feed/compressed-rows.ts";
import { readDigest } from "../feed/feed.ts";
import type { Caller } from "../log/log.ts";
import { noKeyring, type ProofKeyOf } from "../log/proof.ts";
import { pageRange } from "../protocol/adaptive-limit.ts";
import { ShopError } from "../protocol/errors.ts";
import { type Env, newId, systemEnv } from "../protocol/ids.ts";
import type { PushRequest } from "../protocol/protocol.ts";
import { queriesByName } from "../queries/index.ts";
import type { DifferenceReport } from "../replica/compare.ts";
import { noPace } from "../replica/pace.ts";
import { batchBytesMax } from "../replica/push-outbox.ts";
import {
	openReplica,
	type Replica,
	rowsPerWriteMax,
} from "../replica/replica.ts";
import type { HttpTransport, Transport } from "../replica/transport.ts";
import { openShop, type SyncServer } from "../shop.ts";
import type { Connection, DbRow, Store, Value } from "../store/store.ts";
import { testBusiness } from "./business.ts";
import { copyTestStore, openTestFile, openTestStore } from "./store.ts";
import { storeKind } from "./store-kind.ts";

/** Creates an empty directory that is removed after the test. */
export function testDir(): string {
	const dir = mkdtempSync(join(tmpdir(), "counterfoil-"));
	onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
	return dir;
}

/**
 * Reverses the order of rows that a query does not sort, as another query plan might. It affects one of the reading
 * connections, and so none of the concurrent reads on the others.
 */
export async function reverseUnordered(store: Store): Promise<void> {
	const pragma = "PRAGMA reverse_unordered_selects = ON";
	await store.write((tx) => tx.run(pragma));
	await store.read((tx) => tx.run(pragma));
}

/** A clock that a test controls, and deterministic randomness. */
export function testEnv(start = "2026-11-20T09:00:00.000Z") {
	let now = Date.parse(start);
	return {
		...systemEnv,
		now: () => now,
		pass(ms: number) {
			now += ms;
		},
	};
}
export type TestEnv = ReturnType<typeof testEnv>;

export interface TestShop {
	shop: SyncServer;
	store: Store;
	file: string;
	env: TestEnv;
	caller: Caller;
	faults: unknown[];
	/** Reads rows from the database directly. */
	rows(sql: string, ...params: Value[]): Promise<DbRow[]>;
}

export async function openTestShop({
	file = join(testDir(), "server.db"),
	businessId = "shop-1",
	env = testEnv(),
	/** Ignored for a till, which is always in a file. */
	kind = storeKind,
	proofKeyOf = undefined as ProofKeyOf | undefined,
} = {}): Promise<TestShop> {
	const store = await openTestStore(file, kind);
	onTestFinished(() => store.close());
	await store.write(async (tx) => {
		const known = await tx.get(
			"SELECT 1 AS known FROM businesses WHERE business_id = ?",
			businessId,
		);
		if (!known) await addBusiness(tx, businessId);
	});
	const faults: unknown[] = [];
	const shop = openShop({
		store,
		env,
		proofKeyOf,
		onFault: (error) => faults.push(error),
	});
	const caller: Caller = {
		businessId,
		userId: "user-1",
		role: "OWNER",
		deviceId: null,
	};
	return {
		shop,
		store,
		file,
		env,
		caller,
		faults,
		rows: (sql, ...params) => store.read((tx) => tx.all(sql, ...params)),
	};
}

export async function addBusiness(
	tx: Parameters<typeof createBusiness>[0],
	id: string,
): Promise<void> {
	await createBusiness(tx, testBusiness(id, `Duka ${id}`));
}

/** Adds a member with an account and a role. */
export async function addMember(
	tx: Connection,
	businessId: string,
	id: string,
	role: Role,
): Promise<void> {
	await tx.run(
		"INSERT INTO users (id, email, name, password_hash, created_at) VALUES (?, ?, ?, 'none', '2026-01-01T00:00:00.000Z')",
		...[id, `${id}@example.com`, id],
	);
	await tx.run(
		"INSERT INTO memberships (business_id, user_id, role, created_at) VALUES (?, ?, ?, '2026-01-01T00:00:00.000Z')",
		...[businessId, id, role],
	);
}

/** The connection between a till and a server in one process, with every fault of a network. */
export interface TestLine extends HttpTransport {
	/** Assign it to connect to another server, for example after a restore. */
	shop: SyncServer;
	online: boolean;
	/** Decides for each trip whether the request or the reply is lost. */
	lose: (trip: number) => "request" | "reply" | undefined;
	unauthorized: boolean;
	/** The member whose token it carries. */
	caller: Caller;
	pushes: PushRequest[];
}

/** @param hasSnapshots whether a till on it joins by a snapshot */
export function testLine(
	shop: SyncServer,
	caller: Caller,
	hasSnapshots = false,
): TestLine {
	let trip = 0;
	/** Converts both ways to JSON bytes, as on a network. */
	async function travel<T>(serve: () => Promise<T>): Promise<T> {
		trip += 1;
		const lost = line.online ? line.lose(trip) : "request";
		if (lost === "request") throw new ShopError("unreachable", "Request lost");
		if (line.unauthorized) throw new ShopError("unauthorized", "Unauthorized");
		const answer = JSON.parse(JSON.stringify(await serve()));
		if (lost === "reply") throw new ShopError("unreachable", "Reply lost");
		return answer;
	}
	const snapshots: Pick<
		Transport,
		"snapshot" | "olderFacts" | "olderSales" | "answer"
	> = {
		answer: (name, args) =>
			travel(async () => {
				const query = queriesByName.get(name);
				return query && line.shop.ask(line.caller, query, args as never);
			}),
		snapshot: (cursor, part) =>
			travel(async () =>
				decompress(
					await line.shop.compressed.snapshot(line.caller, { cursor, part }),
				),
			),
		olderFacts: (cursor, upTo, window) =>
			travel(async () => {
				const asked = { cursor, upTo, window };
				return decompress(
					await line.shop.compressed.olderFacts(line.caller, asked),
				);
			}),
		olderSales: (asked) =>
			travel(() => line.shop.compressed.olderSales(line.caller, asked)),
	};
	const line: TestLine = {
		shop,
		online: true,
		lose: () => undefined,
		unauthorized: false,
		caller,
		pushes: [],
		...(hasSnapshots ? snapshots : {}),
		push: (request) =>
			travel(() => {
				const sent: PushRequest = JSON.parse(request);
				line.pushes.push(sent);
				return line.shop.push(line.caller, sent);
			}),
		pull: (cursor, limit) =>
			travel(() =>
				line.shop.pull(line.caller, {
					businessId: caller.businessId,
					cursor,
					limit,
				}),
			),
		digest: (window) => travel(() => line.shop.digest(line.caller, window)),
		blocks: (window) => travel(() => line.shop.blocks(line.caller, window)),
		blockRows: (block) => travel(() => line.shop.blockRows(line.caller, block)),
		async watch(onMove, signal) {
			if (!line.online) throw new ShopError("unreachable", "Offline");
			const end = line.shop.onHead(caller.businessId, (head) =>
				onMove(String(head)),
			);
			// Like a server's stream: at once, and at each move of the head.
			onMove(await line.shop.head(caller.businessId));
			await new Promise<void>((resolve) =>
				signal.addEventListener("abort", () => resolve(), { once: true }),
			);
			end();
		},
		isReachable: async () => line.online,
	};
	return line;
}

export interface TestTill {
	till: Replica;
	line: TestLine;
	store: Store;
	file: string;
	caller: Caller;
	/**
	 * Sells by product id and quantity, at a price of 100 and a cost of 60.
	 *
	 * @returns the sale's id
	 */
	sell(quantities: Record<string, number>): Promise<string>;
	quantityOf(productId: string): Promise<number | undefined>;
	rows(sql: string, ...params: Value[]): Promise<DbRow[]>;
	/** Closes the till properly, with a complete file. */
	close(): Promise<void>;
}

export async function openTestTill(
	server: TestShop,
	{
		file = join(testDir(), "till.db"),
		env = server.env as Env,
		line = testLine(server.shop, server.caller),
		pages = pageRange,
		rowsPerWrite = rowsPerWriteMax,
		pace = noPace,
		batchBytes = batchBytesMax,
		keyring = noKeyring,
		windowDays = undefined as number | undefined,
		onFault = (error: unknown): void => {
			throw error;
		},
		onDifference = (_: DifferenceReport): void => {},
		watch = (store: Store): Store => store,
	} = {},
): Promise<TestTill> {
	const store = await openTestFile(file);
	onTestFinished(() => store.close());
	const { caller } = server;
	const till = await openReplica({
		store: watch(store),
		businessId: caller.businessId,
		transport: line,
		env,
		pages,
		rowsPerWrite,
		pace,
		batchBytes,
		keyring,
		windowDays,
		onFault,
		onDifference,
	});
	const rows: TestTill["rows"] = (sql, ...params) =>
		store.read((tx) => tx.all(sql, ...params));
	return {
		till,
		line,
		store,
		file,
		caller,
		rows,
		close: () => store.close(),

		async sell(quantities) {
			const id = newId(env);
			await till.mutate(caller, saleCreate, {
				id,
				items: Object.entries(quantities).map(([productId, quantity], i) => ({
					id: String(i + 1),
					name: productId,
					quantity,
					price: 100,
					cost: 60,
					productId,
				})),
			});
			return id;
		},

		async quantityOf(productId) {
			const [row] = await rows(
				"SELECT quantity FROM products WHERE id = ?",
				productId,
			);
			return row && Number(row.quantity) / 1e6;
		},
	};
}

/** Opens a server with ten milk and ten bread, and two tills in sync with it. */
export async function twoTills() {
	const server = await openTestShop();
	for (const id of ["milk", "bread"])
		await server.shop.mutate(server.caller, productCreate, {
			id,
			name: id,
			buyingPrice: 60,
			sellingPrice: 100,
			quantity: 10,
		});
	const a = await openTestTill(server);
	const b = await openTestTill(server);
	await a.till.sync();
	await b.till.sync();
	return { server, a, b };
}

/** Copies a database completely, like a backup. */
export async function copyDatabase(
	store: Store,
	from: string,
): Promise<string> {
	const to = join(testDir(), "copy.db");
	if (await copyTestStore(store, from, to)) return to;
	// A write without changes waits for earlier ones. The WAL file is copied too.
	await store.write(async () => {});
	for (const suffix of ["", "-wal"]) copyFileSync(from + suffix, to + suffix);
	return to;
}

/** Expects equal digests of all stores, correct quantities and exact totals. */
export async function expectInStep(
	server: TestShop,
	...tills: TestTill[]
): Promise<void> {
	const { digest } = await server.shop.digest(server.caller);
	const whole = (store: Store) =>
		store.read((tx) => readDigest(tx, server.caller.businessId));
	const wholeDigest = await whole(server.store);
	for (const { till, store } of tills) {
		expect(await till.digest()).toBe(digest);
		expect(await whole(store)).toBe(wholeDigest);
	}
	for (const { rows } of [server, ...tills]) {
		const off = await rows(
			`SELECT id FROM products WHERE quantity <> coalesce((SELECT sum(delta) FROM stock_ledger
       WHERE stock_ledger.business_id = products.business_id AND product_id = products.id), 0)`,
		);
		expect(off).toEqual([]);
	}
}

/** The moment of test mutations: an hour before the server's now. */
export const madeAt = "2026-11-20T08:00:00.000Z";

/** The arguments of a sale of milk, with one line or more. */
export function saleArgs(id: string, items: object[] = [{}]) {
	return {
		id,
		items: items.map((item, i) => ({
			id: String(i + 1),
			name: "Milk",
			quantity: 1,
			price: 50,
			cost: 40,
			...item,
		})),
	};
}

/** One item of a push. */
export function message<Id, Name, Args>(
	id: Id,
	name: Name,
	args: Args,
	more: object = {},
) {
	return { id, name, args, at: madeAt, ...more };
}

/** The examples of all mutations as a till pushes them, in an order in which all can be applied. */
export function exampleMessages() {
	return mutations.flatMap(({ name, examples }) =>
		examples.map((args, i) =>
			message(`${name}-${i}`, name, args as Record<string, unknown>),
		),
	);
}

export async function pushOne(server: TestShop, item: unknown) {
	const { results } = await server.shop.push(server.caller, {
		mutations: [item],
	});
	return results[0];
}

export async function addCategories(
	{ shop, caller }: TestShop,
	count: number,
): Promise<void> {
	const made = Array.from({ length: count }, (_, i) => ({
		mutation: categoryCreate,
		args: { id: `c-${i}`, name: `Category ${i}` },
	}));
	await shop.mutateAll(caller, made);
}

export async function addMilk({ shop, caller }: TestShop) {
	await shop.mutate(caller, productCreate, {
		id: "milk",
		name: "Milk",
		buyingPrice: 40,
		sellingPrice: 50,
		quantity: 10,
	});
}

/** The ids of the sales in a store. */
export async function salesOf({ rows }: Pick<TestTill, "rows">) {
	const found = await rows("SELECT id FROM sales WHERE deleted = 0");
	return found.map(({ id }) => id).sort();
}

/**
 * Syncs until it succeeds, as a till does.
 *
 * @returns the number of attempts
 */
export async function syncStubbornly({ till }: TestTill): Promise<number> {
	for (let tries = 1; ; tries += 1) {
		try {
			await till.sync();
			return tries;
		} catch (error) {
			if (!(error instanceof ShopError) || tries > 100) throw error;
		}
	}
}
