import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished } from "vitest";
import { saleCreate } from "../../sync/entities/sale.ts";
import { stockAdjust } from "../../sync/entities/stock.ts";
import { ShopError } from "../../sync/protocol/errors.ts";
import { newId, systemEnv } from "../../sync/protocol/ids.ts";
import { httpTransport } from "../../sync/replica/http.ts";
import { openReplica, type Replica } from "../../sync/replica/replica.ts";
import type { HttpTransport } from "../../sync/replica/transport.ts";
import { openSqlite } from "../../sync/store/sqlite.ts";
import { countOf, isProof, oneIn } from "../../sync/testing/lane.ts";
import { hasPostgres, wherePostgres } from "../../sync/testing/postgres.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { end, startProcess, whereabouts } from "../testing/process.ts";
import {
	type TestServer,
	type TestUser,
	testDatabase,
} from "../testing/server.ts";
import { openMilkShop } from "../testing/tills.ts";

/** Kills of a random process while it handles a batch. */
const kills = countOf("PROCESS_KILLS");
const tillCount = countOf("PROCESS_TILLS");
const processCount = 3;
/** The number of pushes between two kills. */
const pushesBetween = 12;
const opening = 1_000_000;
/** Shorter than a stream's heartbeat, which would find the move by itself. */
const momentMs = 10_000;

/** A server process that can be killed, and started again. */
interface Place {
	line: HttpTransport;
	/** The number of pushes waiting for its answer. */
	waiting: number;
	kill(): Promise<void>;
	start(): Promise<void>;
	/** Stops it cleanly. @returns its exit code */
	stop(): Promise<number | null>;
}

async function openPlace(
	databaseUrl: string,
	{ bearer, businessId }: TestUser,
): Promise<Place> {
	const env = { DATABASE_URL: databaseUrl, DATA_DIR: testDir() };
	let child: ChildProcess | undefined;
	onTestFinished(async () => {
		if (child) await end(child, "SIGKILL");
	});
	const place: Place = {
		line: httpTransport({
			baseUrl: "http://127.0.0.1:1",
			businessId,
			token: () => undefined,
		}),
		waiting: 0,
		async kill() {
			await end(child as ChildProcess, "SIGKILL");
		},
		async start() {
			child = startProcess(env);
			const baseUrl = (await whereabouts(child)) as string;
			place.line = httpTransport({
				baseUrl,
				businessId,
				token: () => bearer.replace("Bearer ", ""),
			});
		},
		async stop() {
			await end(child as ChildProcess, "SIGTERM");
			return (child as ChildProcess).exitCode;
		},
	};
	await place.start();
	return place;
}

/** Opens a shop that sells milk, in a database that several processes serve. */
async function openPlaces() {
	const database = await testDatabase(testDir(), "postgres");
	const { server, asha } = await openMilkShop(database, opening);
	const places = await Promise.all(
		Array.from({ length: processCount }, () =>
			openPlace(database.DATABASE_URL as string, asha),
		),
	);
	return { server, asha, places };
}

function anyOf<T>(all: readonly T[]): T {
	return all[Math.floor(Math.random() * all.length)] as T;
}

/** What the tills did and the answers that they got. */
interface Ledger {
	/** Sales shown to a cashier as done. */
	sales: Set<string>;
	/** The total change of milk's stock. */
	delta: number;
	/** Mutations acknowledged by some process. */
	acknowledged: Set<string>;
	pushes: number;
	/** Pushes that ended without an answer. */
	cut: number;
	/** Mutations answered as duplicates, because a kill came between commit and reply. */
	duplicates: number;
}

function openLedger(): Ledger {
	return {
		sales: new Set(),
		delta: 0,
		acknowledged: new Set(),
		pushes: 0,
		cut: 0,
		duplicates: 0,
	};
}

function delivery() {
	const id = newId(systemEnv);
	return { id, productId: "milk", delta: 3, reason: "received" as const };
}

/** Opens a till that sends each request to a different process, which may be dead. */
async function openTill(
	asha: TestUser,
	places: Place[],
	ledger: Ledger,
): Promise<Replica> {
	const store = await openSqlite(join(testDir(), "till.db"));
	onTestFinished(() => store.close());
	const till = await openReplica({
		store,
		businessId: asha.businessId,
		transport: {
			...(places[0] as Place).line,
			pull: (cursor, limit) => anyOf(places).line.pull(cursor, limit),
			async push(request) {
				const place = anyOf(places);
				place.waiting += 1;
				try {
					const answer = await place.line.push(request);
					for (const { id, status, duplicate } of answer.results) {
						expect(status).toBe("applied");
						ledger.acknowledged.add(id as string);
						if (duplicate) ledger.duplicates += 1;
					}
					ledger.pushes += 1;
					return answer;
				} catch (error) {
					if (JSON.parse(request).mutations.length > 0) ledger.cut += 1;
					throw error;
				} finally {
					place.waiting -= 1;
				}
			},
		},
	});
	await till.sync();
	return till;
}

/** Sells, takes deliveries and syncs until stopped. */
async function trade(
	till: Replica,
	{ caller }: TestUser,
	ledger: Ledger,
	stop: AbortSignal,
): Promise<void> {
	while (!stop.aborted) {
		for (let left = Math.random() * 6; left > 0; left -= 1) {
			if (Math.random() < 0.2) {
				await till.mutate(caller, stockAdjust, delivery());
				ledger.delta += 3;
				continue;
			}
			const id = newId(systemEnv);
			const line = {
				id: "1",
				name: "Milk",
				price: 100,
				cost: 60,
				productId: "milk",
			};
			await till.mutate(caller, saleCreate, {
				id,
				items: [{ ...line, quantity: 2 }],
			});
			ledger.sales.add(id);
			ledger.delta -= 2;
		}
		await tryToSync(till);
	}
}

/** Syncs and ignores a failure, since the next sale tries again. */
async function tryToSync(till: Replica): Promise<void> {
	try {
		await till.sync();
	} catch (error) {
		const isPassing =
			error instanceof ShopError &&
			["unreachable", "storage_busy"].includes(error.code);
		if (!isPassing) throw error;
	}
}

/** Kills processes one after another, each during a batch, and restarts them. */
async function killSome(
	places: Place[],
	ledger: Ledger,
	isWell: () => boolean,
): Promise<number> {
	let killed = 0;
	// Guards against a run that tries nothing.
	while (isWell() && (killed < kills || ledger.cut === 0)) {
		const enough = ledger.pushes + pushesBetween;
		while (isWell() && ledger.pushes < enough) await sleep(1);
		const place = anyOf(places);
		while (isWell() && place.waiting === 0) await sleep(0);
		await sleep(Math.random() * 8);
		await place.kill();
		killed += 1;
		// Lets the others run alone for a while.
		await sleep(Math.random() * 100);
		await place.start();
	}
	return killed;
}

/** Checks that nothing acknowledged is lost, nothing is there twice, and versions have no gaps. */
async function expectWhole(
	{ rows }: TestServer,
	ledger: Ledger,
): Promise<void> {
	const acknowledged = [...ledger.acknowledged];
	const applied = await rows(
		"SELECT id, version FROM mutations WHERE status = 'applied' ORDER BY version",
	);
	const known = new Set(applied.map(({ id }) => id));
	expect(acknowledged.filter((id) => !known.has(id))).toEqual([]);
	// Creating the business was version 1.
	expect(applied.map(({ version }) => version)).toEqual(
		applied.map((_, i) => i + 2),
	);
	expect(await rows("SELECT head FROM businesses")).toEqual([
		{ head: applied.length + 1 },
	]);
	const [milk] = await rows(
		"SELECT quantity, (SELECT sum(delta) FROM stock_ledger WHERE product_id = 'milk') AS moved FROM products",
	);
	expect(milk?.quantity).toBe(milk?.moved);
}

/** Checks that a push to one process reaches the streams of all before their heartbeats. */
async function expectHeadEvents(
	till: Replica,
	{ caller }: TestUser,
	places: Place[],
): Promise<void> {
	const heard = places.map((): string[] => []);
	const ending = new AbortController();
	const streams = places.map(({ line }, i) =>
		line.watch((cursor) => heard[i]?.push(cursor), ending.signal),
	);
	for (const stream of streams) stream.catch(() => {});
	// Each stream starts with the current head.
	await expect.poll(() => heard.map(({ length }) => length)).toEqual([1, 1, 1]);
	for (let i = 0; i < 3; i += 1) {
		await till.mutate(caller, stockAdjust, delivery());
		await till.sync();
		const { cursor } = await anyOf(places).line.digest();
		await expect
			.poll(() => heard.map((cursors) => cursors.at(-1)), {
				timeout: momentMs,
			})
			.toEqual(places.map(() => cursor));
	}
	ending.abort();
}

describe.skipIf(!hasPostgres)(
	`${processCount} processes over one PostgreSQL ${wherePostgres}`,
	() => {
		oneIn(8)(
			`several processes keep each acknowledged sale once through ${kills} kills with ${tillCount} tills, and notify all tills at once`,
			async () => {
				const { server, asha, places } = await openPlaces();
				const ledger = openLedger();
				const tills = await Promise.all(
					Array.from({ length: tillCount }, () =>
						openTill(asha, places, ledger),
					),
				);
				const stopping = new AbortController();
				const failures: unknown[] = [];
				const isWell = () => failures.length === 0;
				const trading = tills.map((till) =>
					trade(till, asha, ledger, stopping.signal).catch((error) =>
						failures.push(error),
					),
				);
				const killed = await killSome(places, ledger, isWell);
				stopping.abort();
				await Promise.all(trading);
				for (const failure of failures) throw failure;
				await expectWhole(server, ledger);

				await expectHeadEvents(tills[0] as Replica, asha, places);
				ledger.delta += 9;
				for (const till of [...tills, ...tills]) await till.sync();
				await expectWhole(server, ledger);
				await expectSame(server, asha, tills, places, ledger);
				for (const { stop } of places) expect(await stop()).toBe(0);
				if (isProof)
					console.log(
						`${killed} kills, ${tillCount} tills: ${ledger.sales.size} sales, ${ledger.pushes} pushes, ${ledger.cut} cut, ${ledger.duplicates} mutations at the second time of asking`,
					);
			},
			60_000 + kills * 10_000,
		);
	},
);

/** Checks that every till and process has the same rows, and exactly the sales made. */
async function expectSame(
	{ rows, shop }: TestServer,
	{ caller }: TestUser,
	tills: Replica[],
	places: Place[],
	ledger: Ledger,
): Promise<void> {
	const sales = await rows("SELECT id, receipt_number FROM sales");
	expect(new Set(sales.map(({ id }) => id))).toEqual(ledger.sales);
	const receipts = sales.map(({ receipt_number }) => receipt_number);
	expect(new Set(receipts).size).toBe(sales.length);
	expect(receipts).not.toContain(null);
	expect(await rows("SELECT quantity FROM products")).toEqual([
		{ quantity: (opening + ledger.delta) * 1_000_000 },
	]);
	const { digest } = await shop.digest(caller);
	for (const { line } of places)
		expect(await line.digest()).toMatchObject({ digest });
	for (const till of tills) {
		expect(await till.digest()).toBe(digest);
		expect(await till.status()).toMatchObject({ pending: 0, rejected: 0 });
	}
}
