import {
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
} from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { Agent } from "undici";
import { backoffMs } from "../../sync/protocol/backoff.ts";
import { systemEnv } from "../../sync/protocol/ids.ts";
import { httpTransport } from "../../sync/replica/http.ts";
import { openReplica } from "../../sync/replica/replica.ts";
import { openSqlite } from "../../sync/store/sqlite.ts";
import { type Account, openAccount } from "./account.ts";
import type { Figure } from "./bench-kept.ts";
import { addProducts } from "./bench-products.ts";
import {
	type LightTill,
	type Line,
	openLightTill,
	productCount,
} from "./light-till.ts";
import { openPageReader } from "./page-reader.ts";
import { type ServerProcess, startProcess } from "./server-process.ts";

interface LoadSize {
	tills: number;
	/** Seconds for which each till sells, one sale every two seconds. */
	seconds: number;
	/** Sales that each till makes offline before all return at once. */
	offlineSales: number;
}

export const fullLoad: LoadSize = {
	tills: 200,
	seconds: 300,
	offlineSales: 1_800,
};
export const shortLoad: LoadSize = {
	tills: 200,
	seconds: 30,
	offlineSales: 50,
};

const saleEveryMs = 2_000;
const acknowledgedMaxMs = 100;
const growthMaxMb = 50;
const walMaxMb = 64;
const returnMaxSeconds = 60;
/** How long returned tills pull each other's sales before the remaining time is extrapolated. */
const catchUpMaxMs = 120_000;
const triesMax = 10;
/** How long a till waits for an answer before it gives up the request. */
const patienceMs = 300_000;

/**
 * Loads a server with many tills of one shop: each sells every two seconds, listens to its event stream and pulls the
 * others' sales; then all go offline, sell for an hour, and return at once. The server runs in a child process, the tills
 * in this one.
 */
export async function benchLoad(size: LoadSize): Promise<Figure[]> {
	// Not in the system's temporary directory, which may be in memory.
	const results = join(import.meta.dirname, "../../bench-results");
	mkdirSync(results, { recursive: true });
	const dir = mkdtempSync(join(results, "load-"));
	const gauge = openGauge(join(dir, "gauge"));
	const here = import.meta.dirname;
	const server = await startProcess(
		[
			...(process.env.BENCH_NODE_OPTIONS?.split(" ") ?? []),
			"--import",
			join(here, "loop-gauge.ts"),
			join(here, "../../server/main.js"),
		],
		{
			PORT: "0",
			DATA_DIR: join(dir, "data"),
			LOG_LEVEL: "error",
			LOOP_GAUGE_FILE: gauge.file,
		},
	);
	const agent = new Agent({
		connections: size.tills * 2,
		bodyTimeout: patienceMs,
		headersTimeout: patienceMs,
	});
	try {
		const account = await openAccount(server.url, "Bench");
		await addProducts(server, account.token, productCount);
		const load = openLoad(server, account, agent, size);
		const sold = await load.trade();
		const figures = [...sold, ...gauge.figures(size, dir)];
		return [
			...figures,
			...(await load.comeBack()),
			...(await checkServer(server, account, dir, load.salesMade())),
		];
	} finally {
		await agent.destroy();
		await server.stop();
		rmSync(dir, { recursive: true, force: true });
	}
}

function openLoad(
	server: ServerProcess,
	{ token }: Account,
	agent: Agent,
	{ tills: tillCount, seconds, offlineSales }: LoadSize,
) {
	const waits: number[] = [];
	const errors: unknown[] = [];
	let refused = 0;
	let made = 0;
	let lastAcknowledgedAt = 0;
	let giveUpAt = Number.POSITIVE_INFINITY;
	const line: Line = {
		agent,
		origin: server.url,
		token,
		pages: openPageReader(),
		onAcknowledged(ms) {
			waits.push(ms);
			lastAcknowledgedAt = performance.now();
		},
		onError: (error) => errors.push(error),
		goesOn: () => performance.now() < giveUpAt,
		onRefused: () => {
			refused += 1;
		},
	};
	const perTill = Math.ceil((seconds * 1_000) / saleEveryMs) + offlineSales;
	const tills = Array.from({ length: tillCount }, () =>
		openLightTill(line, tillCount * (perTill + 1)),
	);

	function sell(till: LightTill, dueAt: number, at: number): void {
		till.sell(made, dueAt, at);
		made += 1;
	}

	/** Sells at a fixed rate from a random start, even if the server can't keep up. */
	async function sellUntil(till: LightTill, end: number): Promise<void> {
		let dueAt = performance.now() + Math.random() * saleEveryMs;
		for (; dueAt < end; dueAt += saleEveryMs) {
			await sleep(Math.max(0, dueAt - performance.now()));
			sell(till, dueAt, Date.now());
		}
	}

	async function allInStep(): Promise<void> {
		// A till that failed here sends the rest below.
		while (errors.length === 0 && tills.some(({ unsent }) => unsent > 0))
			await sleep(20);
		for (const till of tills) await till.leave();
		await Promise.all(tills.map((till) => till.sync()));
	}

	function missing(of: LightTill[]): number {
		return of.reduce((sum, { seen }) => sum + made - seen.count, 0);
	}

	/** Retries a sync after a lost request, as `startSyncLoop` does. */
	async function syncWithRetries(till: LightTill): Promise<void> {
		for (let tries = 1; tries <= triesMax; tries += 1)
			try {
				await till.sync();
				return;
			} catch (error) {
				errors.push(error);
				await sleep(backoffMs(tries, systemEnv));
			}
	}

	return {
		salesMade: () => made,

		async trade(): Promise<Figure[]> {
			for (const till of tills) await till.sync();
			for (const till of tills) await till.join();
			const own = monitorEventLoopDelay({ resolution: 10 });
			own.enable();
			const begun = performance.now();
			const end = begun + seconds * 1_000;
			await Promise.all(tills.map((till) => sellUntil(till, end)));
			const perSecond = waits.length / seconds;
			own.disable();
			await allInStep();
			const pulled = bytesOf(tills);
			return [
				{ what: "sales", value: perSecond, unit: "sales/s" },
				{ what: "errors", value: errors.length, unit: "", limit: 0 },
				...firstOf(errors),
				{ what: "refused, then retried", value: refused, unit: "", limit: 0 },
				percentile("acknowledged, median", waits, 0.5),
				{
					...percentile("acknowledged, 99th percentile", waits, 0.99),
					limit: acknowledgedMaxMs,
				},
				percentile("acknowledged, slowest", waits, 1),
				{
					what: "pulled by all tills",
					value: pulled / seconds / 1e6,
					unit: "MB/s",
				},
				{
					what: "sales missing on tills in step",
					value: missing(tills),
					unit: "",
					limit: 0,
				},
				{
					what: "tills' event loop, 99th percentile",
					value: own.percentile(99) / 1e6,
					unit: "ms",
				},
			];
		},

		async comeBack(): Promise<Figure[]> {
			errors.length = 0;
			refused = 0;
			const hourAgo = Date.now() - offlineSales * saleEveryMs;
			for (let i = 0; i < offlineSales; i += 1)
				for (const till of tills) sell(till, 0, hourAgo + i * saleEveryMs);
			const count = offlineSales * tillCount;
			const before = bytesOf(tills);
			const begun = performance.now();
			giveUpAt = begun + catchUpMaxMs;
			await Promise.all(tills.map(syncWithRetries));
			const acknowledged = (lastAcknowledgedAt - begun) / 1_000;
			// The first tills have not yet pulled the last tills' sales.
			if (line.goesOn()) await Promise.all(tills.map(syncWithRetries));
			const seconds = (performance.now() - begun) / 1_000;
			const toGet = tillCount * count;
			const got = toGet - missing(tills);
			const share = Math.max(got, 1) / toGet;
			const pulled = bytesOf(tills) - before;
			giveUpAt = Number.POSITIVE_INFINITY;
			const [first] = tills;
			if (first && got < toGet) await syncWithRetries(first);
			return [
				{
					what: `${count} offline sales acknowledged`,
					value: acknowledged,
					unit: "s",
					limit: returnMaxSeconds,
				},
				{
					what: "pushed on return",
					value: count / acknowledged,
					unit: "sales/s",
				},
				{
					what:
						got === toGet
							? "all tills at the head"
							: `all tills at the head, at the pace of the first ${seconds.toFixed(0)} s`,
					value: seconds / share,
					unit: "s",
					limit: returnMaxSeconds,
				},
				{
					what: "to pull for that",
					value: pulled / share / 1e6,
					unit: "MB",
				},
				{ what: "fetched", value: pulled / seconds / 1e6, unit: "MB/s" },
				{ what: "errors on return", value: errors.length, unit: "", limit: 0 },
				...firstOf(errors),
				{ what: "refused on return, then retried", value: refused, unit: "" },
				{
					what: "sales missing on tills that reached the head",
					value: missing(got < toGet ? tills.slice(0, 1) : tills),
					unit: "",
					limit: 0,
				},
			];
		},
	};
}

function bytesOf(tills: readonly LightTill[]): number {
	return tills.reduce((sum, till) => sum + till.bytesPulled, 0);
}

/** The first error's message as a figure, if there was an error. */
function firstOf(errors: unknown[]): Figure[] {
	return errors.length === 0
		? []
		: [{ what: `  ${String(errors[0]).slice(0, 200)}`, value: 1, unit: "" }];
}

function percentile(what: string, values: number[], share: number): Figure {
	const sorted = values.toSorted((a, b) => a - b);
	const at = Math.min(sorted.length - 1, Math.floor(sorted.length * share));
	return { what, value: sorted[at] ?? 0, unit: "ms" };
}

/** Checks that the server's database has each sale once, and that a new replica pulls them all with the same digest. */
async function checkServer(
	{ url }: ServerProcess,
	{ businessId, token }: Account,
	dir: string,
	made: number,
): Promise<Figure[]> {
	const db = new Database(join(dir, "data/counterfoil.db"), { readonly: true });
	const { sales, ids } = db
		.prepare("SELECT count(*) AS sales, count(DISTINCT id) AS ids FROM sales")
		.get() as { sales: number; ids: number };
	db.close();
	const store = await openSqlite(join(dir, "till.db"));
	const transport = httpTransport({
		baseUrl: url,
		businessId,
		token: () => token,
	});
	const till = await openReplica({ store, businessId, transport });
	const begun = performance.now();
	await till.sync();
	const seconds = (performance.now() - begun) / 1_000;
	const { digest } = await transport.digest();
	const isSame = digest === (await till.digest());
	await store.close();
	return [
		{
			what: "sales lost or doubled on the server",
			value: Math.abs(made - ids) + Math.abs(sales - ids),
			unit: "",
			limit: 0,
		},
		{ what: "a new replica pulls them", value: seconds, unit: "s" },
		{
			what: "its digest differs from the server's",
			value: isSame ? 0 : 1,
			unit: "",
			limit: 0,
		},
	];
}

interface Reading {
	at: number;
	p99: number;
	max: number;
	rss: number;
	heapUsed: number;
}

/** Reads the event-loop delays and memory that the server logs each second. */
function openGauge(file: string) {
	const begun = Date.now();
	return {
		file,
		figures({ seconds }: LoadSize, dir: string): Figure[] {
			const all = readFileSync(file, "utf8")
				.trimEnd()
				.split("\n")
				.map((text) => JSON.parse(text) as Reading);
			const warmMs = Math.min(60_000, (seconds * 1_000) / 2);
			const warm = all.filter(({ at }) => at - begun > warmMs);
			const mb = (of: Reading[]) =>
				of.reduce((sum, { rss }) => sum + rss, 0) / of.length / 1e6;
			const tenth = Math.max(1, Math.floor(warm.length / 10));
			const wal = statSync(join(dir, "data/counterfoil.db-wal")).size / 1e6;
			return [
				{
					what: "server's event loop, 99th percentile of the worst second",
					value: Math.max(...warm.map(({ p99 }) => p99)),
					unit: "ms",
				},
				{
					what: "server's memory, warm",
					value: mb(warm.slice(0, tenth)),
					unit: "MB",
				},
				{
					what: "memory growth until the end",
					value: mb(warm.slice(-tenth)) - mb(warm.slice(0, tenth)),
					unit: "MB",
					limit: growthMaxMb,
				},
				{ what: "WAL", value: wal, unit: "MB", limit: walMaxMb },
			];
		},
	};
}
