import { fork } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { toIso } from "../protocol/clock.ts";
import { openRandom } from "../simulation/random.ts";
import { countOf, oneIn, testSeed } from "../testing/lane.ts";
import { olderSchema } from "../testing/older-schema.ts";
import { testDir } from "../testing/shop.ts";

const test = oneIn(3);

/** The last schema in which a sale had a row of texts, and another in the log. */
const oldSchema = 23;
const sales = 3_000;
/** Of the first of the sales. */
const sinceMs = Date.parse("2026-03-02T09:00:00.000Z");
const rounds = countOf("KILL_ROUNDS");

const saleColumns =
	"business_id, id, total, cost, paid, payment_method, notes, tax, tax_rate, receipt_number, business_day, user_id, device_id, created_at, version, deleted, rounding";
const lineColumns =
	"business_id, sale_id, id, position, name, quantity, price, cost, product_id, list_price, is_stockless";
const entryColumns =
	"business_id, id, name, args, args_version, at, received_at, user_id, device_id, status, error, version, carrier_id, substr(link, 1, 22), device_at, shape";
const movementColumns =
	"business_id, id, product_id, delta, reason, note, sale_id, item_id, user_id, created_at, version, deleted";
const facts = [
	`SELECT ${saleColumns} FROM sales ORDER BY business_id, id`,
	`SELECT ${lineColumns} FROM sale_items ORDER BY business_id, sale_id, position`,
	`SELECT ${entryColumns} FROM mutations ORDER BY business_id, id`,
	`SELECT ${movementColumns} FROM stock_ledger ORDER BY business_id, id`,
	"SELECT * FROM outbox ORDER BY position",
];

function factsOf(file: string): unknown[] {
	const db = new Database(file);
	try {
		return facts.map((sql) => db.prepare(sql).raw().all());
	} finally {
		db.close();
	}
}

function insertInto(db: Database.Database, table: string, columns: string) {
	const values = columns.split(", ").map(() => "?");
	return db.prepare(
		`INSERT INTO ${table} (${columns}) VALUES (${values.join(", ")})`,
	);
}

/** Makes a till of the old schema: most of its sales are their own entries in the log, and some are still to be sent. */
function makeOld(file: string): void {
	const db = new Database(file);
	for (const sql of olderSchema(oldSchema)) db.exec(sql);
	const sale = insertInto(db, "sales", saleColumns);
	const line = insertInto(db, "sale_items", lineColumns);
	const entry = insertInto(
		db,
		"mutations",
		entryColumns.replace("substr(link, 1, 22)", "link"),
	);
	const unsent = db.prepare(
		"INSERT INTO outbox (business_id, position, mutation_id, number, state) VALUES ('b1', ?, ?, ?, 'pending')",
	);
	const add = db.transaction((n: number) => {
		const ms = sinceMs + 977_123 * n;
		const at = toIso(ms);
		const id = `sale-${n}`;
		const isSent = n < sales - 20;
		const version = isSent ? 1_000 + n : 0;
		const paid = n % 3 === 0 ? 500 : 100;
		const made = [["cash", "MPESA"][n % 2], n % 7 === 0 ? "Note" : null, 0, 0];
		const by = ["u1", n % 5 === 0 ? null : "d1"];
		const day = at.slice(0, 10);
		sale.run(
			...["b1", id, 100, 60, paid, ...made, `A-${n}`, day, ...by, at],
			...[version, 0, n % 11 === 0 ? 1 : null],
		);
		for (const position of [0, 1]) {
			const lineId = n % 4 === 0 ? `line-${position}` : String(position + 1);
			line.run(
				...["b1", id, lineId, position, `Thing ${n % 50}`, 1_000_000, 50, 30],
				...[`p${n % 50}`, null, n % 13 === 0 ? 1 : null],
			);
		}
		// It came a little earlier or much later than it was made, by the till's clock.
		const receivedAt = toIso(ms + (n % 2 === 0 ? -3 : 86_400_001));
		const spelled = isSent ? ["", 1] : ["{}", 1];
		const link = isSent ? `${n}`.padStart(43, "x") : null;
		entry.run(
			...["b1", n % 6 === 0 ? `m-${n}` : id, "sale.create", ...spelled, at],
			...[receivedAt, ...by, "applied", null, isSent ? version : null],
			...[n % 17 === 0 ? "u2" : null, link, null, isSent ? 17 : null],
		);
		if (!isSent) unsent.run(n, n % 6 === 0 ? `m-${n}` : id, n);
	});
	for (let n = 0; n < sales; n += 1) add(n);
	db.close();
}

/** Migrates a file in another process, which is killed after some milliseconds. @returns how long it took, if it wasn't */
async function migrateInChild(
	file: string,
	killAfterMs?: number,
): Promise<number | undefined> {
	const child = fork(join(import.meta.dirname, "opens-a-file.ts"), [file]);
	const exited = once(child, "exit");
	await once(child, "message");
	const start = performance.now();
	if (killAfterMs !== undefined) {
		await Promise.race([sleep(killAfterMs), exited]);
		child.kill("SIGKILL");
	}
	const [code] = await exited;
	return code === 0 ? performance.now() - start : undefined;
}

test("a migration that is killed at any moment loses nothing, and the next start completes it", {
	timeout: 60_000 + rounds * 10_000,
}, async () => {
	const dir = testDir();
	const old = join(dir, "old.db");
	makeOld(old);
	const before = factsOf(old);
	const file = join(dir, "killed.db");
	cpSync(old, file);
	let wholeMs = await migrateInChild(file);
	expect(wholeMs).toBeDefined();
	expect(factsOf(file)).toEqual(before);

	const { next } = openRandom("killed migrations", testSeed);
	let killed = 0;
	for (let round = 0; round < rounds || killed === 0; round += 1) {
		const copy = join(dir, `killed-${round}.db`);
		cpSync(old, copy);
		let tookMs: number | undefined;
		for (let kill = 0; kill < 2 && tookMs === undefined; kill += 1) {
			tookMs = await migrateInChild(copy, next() * (wholeMs as number));
			if (tookMs === undefined) killed += 1;
		}
		// The first one may have met a busy machine: a moment beyond the end kills nothing.
		wholeMs = Math.min(wholeMs as number, tookMs ?? Number.POSITIVE_INFINITY);
		expect(await migrateInChild(copy)).toBeDefined();
		expect(factsOf(copy)).toEqual(before);
	}
});
