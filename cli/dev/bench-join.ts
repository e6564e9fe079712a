import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { nodeOptions } from "../../sync/till/node-options.ts";
import type { Figure } from "./bench-kept.ts";
import type { JoinReport } from "./join-till.ts";
import { openSeed, type Seed, type SeedSize } from "./seed.ts";
import { startServerProcess } from "./server-process.ts";
import { openSlowLine } from "./slow-line.ts";

export const usualJoin: SeedSize = { sales: 50_000, products: 5_000 };
const seedsDir = join(import.meta.dirname, "../../bench-results/seeds");
const slowBits = 128_000;
/** The days of sales that a browser's till keeps. */
const browserDays = 90;
/** The shop sells at its server so often while tills join. */
const saleEveryMs = 50;

const goals = {
	firstSaleMs: 2_000,
	wholeMs: 15_000,
	peakMb: 300,
	slowestSaleMs: 250,
	slowFirstSaleMs: 60_000,
};

/**
 * Measures how a new till joins a shop that sells: until its first sale, until it has the whole history, and over a
 * slow line.
 */
export async function benchJoin(size: SeedSize): Promise<Figure[]> {
	const dir = mkdtempSync(join(tmpdir(), "counterfoil-join-"));
	const seed = await openSeed(seedsDir, size);
	const server = await startServerProcess(seed.dataDir);
	try {
		const account = await signIn(server.url, seed);
		const alone = await sellFor(server.url, account.token, sleep(2_000));
		const first = startTill(dir, server.url, account);
		const line = await openSlowLine(server.url);
		const tills = (async () => {
			const cold = await (await first).sold;
			await (await first).whole;
			const till = await startTill(dir, line.url, account);
			const sold = await till.sold;
			const soldBytes = line.bytes();
			const whole = await till.whole;
			return { cold, till, sold, soldBytes, whole, bytes: line.bytes() };
		})();
		const meanwhile = await sellFor(server.url, account.token, tills);
		const { cold, till, sold, soldBytes, whole, bytes } = await tills;
		await (await first).end();
		const slow = await openSlowLine(server.url, slowBits);
		const far = await startTill(dir, slow.url, account);
		const { ms: slowMs } = await far.sold;
		far.kill();
		await slow.close();
		const { digest, ms: digestMs } = await till.end();
		await line.close();
		const theirs = await ask(server.url, account.token, "/api/sync?digest=1");
		if (digest !== theirs.digest) throw new Error("The digests differ");
		return [
			...[
				figure("first sale, the first till", cold.ms, "ms", goals.firstSaleMs),
				figure("first sale, the next till", sold.ms, "ms", goals.firstSaleMs),
				figure("whole history", whole.ms, "ms", goals.wholeMs),
			],
			figure("digest of the till", digestMs, "ms"),
			figure("memory of the till", whole.peakBytes / 1e6, "MB", goals.peakMb),
			figure("sent before the first sale", soldBytes / 1e6, "MB"),
			figure("sent in all", bytes / 1e6, "MB"),
			figure("database of the till", whole.databaseBytes / 1e6, "MB"),
			...(await joinWithWindow(dir, server.url, account)),
			figure("slowest sale of the server, alone", alone, "ms"),
			figure(
				"slowest sale of the server meanwhile",
				...([meanwhile, "ms", goals.slowestSaleMs] as const),
			),
			figure(
				"first sale at 128 kbit/s",
				...([slowMs / 1_000, "s", goals.slowFirstSaleMs / 1_000] as const),
			),
		];
	} finally {
		await server.stop();
		rmSync(dir, { recursive: true, force: true });
	}
}

/** Measures a till that keeps the sales of its last days, on the same terms as the one that keeps all. */
async function joinWithWindow(
	dir: string,
	url: string,
	account: Account,
): Promise<Figure[]> {
	const line = await openSlowLine(url);
	const till = await startTill(dir, line.url, account, browserDays);
	await till.sold;
	const { ms, databaseBytes } = await till.whole;
	const bytes = line.bytes();
	till.kill();
	await line.close();
	const of = (what: string) => `${what}, ${browserDays} days`;
	return [
		figure(of("whole history"), ms, "ms"),
		figure(of("sent in all"), bytes / 1e6, "MB"),
		figure(of("database of the till"), databaseBytes / 1e6, "MB"),
	];
}

function figure(
	what: string,
	value: number,
	unit: string,
	limit?: number,
): Figure {
	return { what, value, unit, ...(limit === undefined ? {} : { limit }) };
}

interface Account {
	token: string;
	businessId: string;
}

async function signIn(url: string, seed: Seed): Promise<Account> {
	const { email, password } = seed;
	const found = await ask(url, undefined, "/api/auth/mobile-login", {
		email,
		password,
	});
	const { token, user } = found as {
		token: string;
		user: { businessId: string };
	};
	return { token, businessId: user.businessId };
}

async function ask(
	url: string,
	token: string | undefined,
	path: string,
	body?: object,
): Promise<Record<string, unknown>> {
	const response = await fetch(new URL(path, url), {
		method: body ? "POST" : "GET",
		headers: {
			"content-type": "application/json",
			...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
		},
		...(body ? { body: JSON.stringify(body) } : {}),
	});
	if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
	return (await response.json()) as Record<string, unknown>;
}

/** Posts sales to the server until some work ends. @returns the milliseconds of the slowest */
async function sellFor(
	url: string,
	token: string,
	work: Promise<unknown>,
): Promise<number> {
	let isOver = false;
	const over = work.finally(() => {
		isOver = true;
	});
	let slowest = 0;
	while (!isOver) {
		const started = performance.now();
		await ask(url, token, "/api/sales", {
			items: [{ name: "Sold", quantity: 1, price: 50, cost: 40 }],
		});
		slowest = Math.max(slowest, performance.now() - started);
		await Promise.race([sleep(saleEveryMs), over]);
	}
	await over;
	return slowest;
}

let tills = 0;

type Told<What extends JoinReport["what"]> = Extract<
	JoinReport,
	{ what: What }
>;

/** @param windowDays undefined for everything */
async function startTill(
	dir: string,
	url: string,
	account: Account,
	windowDays?: number,
) {
	tills += 1;
	const child = fork(
		join(import.meta.dirname, "join-till.ts"),
		[
			...[url, account.token, account.businessId],
			join(dir, `till-${tills}.db`),
			...(windowDays === undefined ? [] : [String(windowDays)]),
		],
		{ execArgv: nodeOptions },
	);
	const sold = reported(child, "sold");
	const whole = reported(child, "whole");
	whole.catch(() => {});
	return {
		sold,
		whole,
		kill: () => child.kill("SIGKILL"),
		async end(): Promise<Told<"digest">> {
			const digest = reported(child, "digest");
			child.send("end");
			return digest;
		},
	};
}

function reported<What extends JoinReport["what"]>(
	child: ChildProcess,
	what: What,
): Promise<Told<What>> {
	return new Promise((resolve, reject) => {
		child.on("message", (report: JoinReport) => {
			if (report.what === what) resolve(report as Told<What>);
		});
		child.once("exit", () => reject(new Error(`A till ended before ${what}`)));
	});
}
