import type { ChildProcess } from "node:child_process";
import { copyFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { productCreate } from "../../sync/entities/product.ts";
import { saleCreate } from "../../sync/entities/sale.ts";
import { stockAdjust } from "../../sync/entities/stock.ts";
import { newId, systemEnv } from "../../sync/protocol/ids.ts";
import type {
	MutationMessage,
	MutationResult,
} from "../../sync/protocol/protocol.ts";
import { countOf, isProof } from "../../sync/testing/lane.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { databaseFile } from "../operations/database.ts";
import { end, startProcess, whereabouts } from "../testing/process.ts";
import { inFile, openTestServer, type TestUser } from "../testing/server.ts";

/** Rounds of a start, a load of sales and a kill at a random moment. */
const rounds = countOf("KILL_ROUNDS");
/** Every nth server is killed early, while it may still be recovering. */
const earlyEvery = 6;
const pushers = 3;
const posters = 2;
const batchMax = 12;
const opening = 1_000_000;

/** Creates a shop with milk in the database of a stopped server. */
async function openMilkShop() {
	const server = await openTestServer(inFile);
	const asha = await server.addUser("Asha");
	await server.shop.mutate(asha.caller, productCreate, {
		id: "milk",
		name: "Milk",
		buyingPrice: 58,
		sellingPrice: 65,
		quantity: opening,
	});
	await server.close();
	return { asha, settings: server.settings };
}

/** @returns undefined if the server died before the whole answer arrived */
type Send = (path: string, body: object) => Promise<Answered | undefined>;
interface Answered {
	status: number;
	body: { results?: MutationResult[] };
}
/** Sends requests until the server stops answering. */
type Client = (send: Send) => Promise<void>;

/** The requests sent and the answers received. */
interface Ledger {
	/** By mutation id, the milk that it takes from stock. */
	sent: Map<string, number>;
	acknowledged: Set<string>;
	/** Mutations answered as duplicates, because a kill came between commit and reply. */
	duplicates: number;
	/** Sales over the REST API, by their unique note. */
	posted: Set<string>;
	acknowledgedPosts: Set<string>;
}

const line = { name: "Milk", price: 65, cost: 58, productId: "milk" };

function makeMutation(ledger: Ledger): MutationMessage {
	const id = newId(systemEnv);
	const at = new Date().toISOString();
	const isDelivery = Math.random() < 0.2;
	ledger.sent.set(id, isDelivery ? -3 : 2);
	const args = isDelivery
		? { id, productId: "milk", delta: 3, reason: "received" }
		: { id, items: [{ ...line, id: "1", quantity: 2 }] };
	return { id, name: (isDelivery ? stockAdjust : saleCreate).name, args, at };
}

/** A till that sends batches until the server dies, and resends the unanswered batch to the next. */
function openPusher(ledger: Ledger): Client {
	let unanswered: MutationMessage[] = [];
	return async (send) => {
		for (;;) {
			if (unanswered.length === 0)
				unanswered = Array.from(
					{ length: 1 + Math.floor(Math.random() * batchMax) },
					() => makeMutation(ledger),
				);
			const answer = await send("/api/sync", { mutations: unanswered });
			if (!answer) return;
			expect(answer.status).toBe(200);
			const results = answer.body.results ?? [];
			expect(results).toHaveLength(unanswered.length);
			for (const result of results) {
				expect(result).toMatchObject({ status: "applied" });
				ledger.acknowledged.add(result.id as string);
				if (result.duplicate) ledger.duplicates += 1;
			}
			unanswered = [];
		}
	};
}

/** A program on the REST API, which can't resend unanswered requests, since the server makes the ids. */
function openPoster(ledger: Ledger): Client {
	return async (send) => {
		for (;;) {
			const notes = newId(systemEnv);
			ledger.posted.add(notes);
			const items = [{ ...line, quantity: 1 }];
			const answer = await send("/api/sales", { items, notes });
			if (!answer) return;
			expect(answer).toMatchObject({ status: 201, body: { notes } });
			ledger.acknowledgedPosts.add(notes);
		}
	};
}

/** Checks a copy of the dead process's database, so that its successor still has to recover. */
function expectWhole(file: string, copy: string, ledger: Ledger): void {
	for (const suffix of ["", "-wal", "-shm"]) {
		rmSync(copy + suffix, { force: true });
		if (suffix !== "-shm" && existsSync(file + suffix))
			copyFileSync(file + suffix, copy + suffix);
	}
	const db = new Database(copy);
	try {
		expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
		expect(db.pragma("foreign_key_check")).toEqual([]);
		const column = (sql: string) => db.prepare(sql).pluck().all() as string[];
		const applied = column(
			"SELECT id FROM mutations WHERE status = 'applied' AND name <> 'product.create'",
		);
		const recorded = new Set(applied);
		expect([...ledger.acknowledged].filter((id) => !recorded.has(id))).toEqual(
			[],
		);
		const notes = column("SELECT notes FROM sales WHERE notes IS NOT NULL");
		expect(new Set(notes).size).toBe(notes.length);
		const noted = new Set(notes);
		expect(
			[...ledger.acknowledgedPosts].filter((note) => !noted.has(note)),
		).toEqual([]);
		expect(notes.filter((note) => !ledger.posted.has(note))).toEqual([]);
		// Each mutation took effect exactly once, and nothing else did.
		const pushed = applied.filter((id) => ledger.sent.has(id));
		expect(applied.length).toBe(pushed.length + notes.length);
		const taken = pushed.reduce(
			(sum, id) => sum + (ledger.sent.get(id) ?? 0),
			0,
		);
		const milk = db
			.prepare(
				`SELECT quantity, (SELECT sum(delta) FROM stock_ledger WHERE product_id = products.id) AS moved,
				   (SELECT count(*) FROM mutations WHERE status = 'applied') AS applied, head
         FROM products JOIN businesses USING (business_id) WHERE products.id = 'milk'`,
			)
			.get();
		const quantity = (opening - taken - notes.length) * 1_000_000;
		const all = applied.length + 1;
		// Creating the business was version 1.
		const head = all + 1;
		expect(milk).toEqual({ quantity, moved: quantity, applied: all, head });
	} finally {
		db.close();
	}
}

test(
	`each acknowledged mutation is there once, undamaged, after ${rounds} kills under load [PUSH-6] [INV-7]`,
	async () => {
		const { asha, settings } = await openMilkShop();
		const ledger: Ledger = {
			sent: new Map(),
			acknowledged: new Set(),
			duplicates: 0,
			posted: new Set(),
			acknowledgedPosts: new Set(),
		};
		const clients = [
			...Array.from({ length: pushers }, () => openPusher(ledger)),
			...Array.from({ length: posters }, () => openPoster(ledger)),
		];
		const done = () => ledger.acknowledged.size + ledger.acknowledgedPosts.size;
		const copy = join(testDir(), "copy.db");
		let child: ChildProcess | undefined;
		onTestFinished(async () => {
			if (child) await end(child, "SIGKILL");
		});

		let served = 0;
		// Guards against a run that tries nothing.
		const isTried = (times: number) =>
			ledger.acknowledged.size > times * 10 &&
			ledger.acknowledgedPosts.size > times;
		for (let round = 0; round <= rounds; round += 1) {
			child = startProcess({ DATA_DIR: settings.dataDir });
			const told = whereabouts(child);
			// The last server answers the open requests and stops cleanly.
			const isLast = round === rounds;
			if (!isLast && round % earlyEvery === earlyEvery - 1)
				await Promise.race([told, sleep(Math.random() * 600)]);
			else {
				const send = sendTo((await told) as string, asha);
				const enough = done() + 20 + Math.floor(Math.random() * 60);
				await withLoad(clients, send, async (isWell) => {
					while (isWell() && (done() < enough || !isTried(served + 1)))
						await sleep(1);
					await sleep(Math.random() * 20);
					await end(child as ChildProcess, isLast ? "SIGTERM" : "SIGKILL");
				});
				served += 1;
			}
			await end(child, "SIGKILL");
			expectWhole(databaseFile(settings), copy, ledger);
		}
		expect(child?.exitCode).toBe(0);
		expect(served).toBeGreaterThan(rounds / 2);
		expect(isTried(served)).toBe(true);
		if (isProof)
			console.log(
				`${rounds} kills, ${served} under load: ${ledger.acknowledged.size} mutations and ${ledger.acknowledgedPosts.size} posted sales acknowledged, ${ledger.duplicates} of them at the second time of asking`,
			);
	},
	60_000 + rounds * 10_000,
);

function sendTo(url: string, { bearer }: TestUser): Send {
	const headers = { authorization: bearer, "content-type": "application/json" };
	return async (path, body) => {
		const init = { method: "POST", headers, body: JSON.stringify(body) };
		try {
			const response = await fetch(url + path, init);
			return { status: response.status, body: await response.json() };
		} catch (error) {
			// fetch throws a TypeError for a cut connection.
			if (error instanceof TypeError) return undefined;
			throw error;
		}
	};
}

/** Keeps clients busy while `work` runs. @param work ends the server; it goes on while `isWell` */
async function withLoad(
	clients: Client[],
	send: Send,
	work: (isWell: () => boolean) => Promise<void>,
): Promise<void> {
	const failures: unknown[] = [];
	const load = clients.map((client) =>
		client(send).catch((error) => {
			failures.push(error);
		}),
	);
	await work(() => failures.length === 0);
	await Promise.all(load);
	for (const failure of failures) throw failure;
}
