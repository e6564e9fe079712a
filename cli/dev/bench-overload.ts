import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "undici";
import { openAccount } from "./account.ts";
import type { Figure } from "./bench-kept.ts";
import { saleText } from "./light-till.ts";
import {
	residentMb,
	type ServerProcess,
	startServerProcess,
} from "./server-process.ts";

const clients = 64;
/** Twice the server's limit of concurrent requests, and within the system's connection backlog. */
const connections = 500;
const calmSeconds = 8;
const stormSeconds = 20;
const times = 4;
const tickMs = 5;
const throughputMin = 0.7;
const acceptedMaxMs = 1_000;
const growthMaxMb = 100;

/** Measures the server at its capacity, then at four times that, then at low load again. */
export async function benchOverload(): Promise<Figure[]> {
	const results = join(import.meta.dirname, "../../bench-results");
	mkdirSync(results, { recursive: true });
	const dataDir = mkdtempSync(join(results, "overload-"));
	const server = await startServerProcess(dataDir);
	const agent = new Agent({ connections });
	try {
		const { token } = await openAccount(server.url, "Bench");
		const ask = openAsking(agent, server.url, token);
		await closedLoop(ask, clients, 3);
		const best = await closedLoop(ask, clients, calmSeconds);
		const before = residentMb(server.pid);
		const storm = await openLoop(ask, server, agent, best.accepted);
		const peak = residentMb(server.pid);
		const after = await closedLoop(ask, clients, calmSeconds);
		const alone = await closedLoop(ask, 1, 3);
		return [
			{ what: "at capacity", value: best.accepted, unit: "sales/s" },
			{ what: "99th percentile at capacity", value: best.p99, unit: "ms" },
			{
				what: `at ${times} times capacity: sent`,
				value: storm.sent,
				unit: "sales/s",
			},
			{ what: "accepted", value: storm.accepted, unit: "sales/s" },
			{
				what: "accepted / capacity",
				value: storm.accepted / best.accepted,
				unit: "ratio",
				reach: throughputMin,
			},
			{ what: "refused with 503", value: storm.refused, unit: "sales/s" },
			{ what: "failed otherwise", value: storm.failed, unit: "", limit: 0 },
			{
				what: "99th percentile of accepted requests",
				value: storm.p99,
				unit: "ms",
				limit: acceptedMaxMs,
			},
			{ what: "failed health checks", value: storm.unwell, unit: "", limit: 0 },
			{ what: "memory before", value: before, unit: "MB" },
			{
				what: "memory growth under load",
				value: peak - before,
				unit: "MB",
				limit: growthMaxMb,
			},
			{ what: "capacity afterwards", value: after.accepted, unit: "sales/s" },
			{
				what: "one client afterwards, 99th percentile",
				value: alone.p99,
				unit: "ms",
			},
		];
	} finally {
		await agent.destroy();
		await server.stop();
		rmSync(dataDir, { recursive: true, force: true });
	}
}

type Ask = () => Promise<number>;

/** @returns a function that pushes a new sale and returns the answer's status */
function openAsking(agent: Agent, origin: string, token: string): Ask {
	let n = 0;
	return async () => {
		n += 1;
		const { statusCode, body } = await agent.request({
			origin,
			path: "/api/sync",
			method: "POST",
			headers: {
				authorization: `Bearer ${token}`,
				"content-type": "application/json",
			},
			body: `{"mutations":[{${saleText(n, Date.now())}}]}`,
		});
		const text = await body.text();
		if (statusCode === 200 && !text.includes('"status":"applied"'))
			throw new Error(text);
		return statusCode;
	};
}

/** Runs `count` clients that each send their next request when the last is answered. */
async function closedLoop(ask: Ask, count: number, seconds: number) {
	const waits: number[] = [];
	const end = performance.now() + seconds * 1_000;
	const run = async () => {
		for (let begun = performance.now(); begun < end; ) {
			const status = await ask();
			if (status !== 200) throw new Error(`Refused in calm: ${status}`);
			waits.push(performance.now() - begun);
			begun = performance.now();
		}
	};
	await Promise.all(Array.from({ length: count }, run));
	return { accepted: waits.length / seconds, p99: p99Of(waits) };
}

/** Sends requests at a fixed rate, even if earlier ones wait for their answers. */
async function openLoop(
	ask: Ask,
	{ url }: ServerProcess,
	agent: Agent,
	best: number,
) {
	const waits: number[] = [];
	const under = new Set<Promise<void>>();
	let asked = 0;
	let sent = 0;
	let refused = 0;
	let failed = 0;
	let unwell = 0;

	async function send(): Promise<void> {
		const begun = performance.now();
		try {
			const status = await ask();
			if (status === 200) waits.push(performance.now() - begun);
			else if (status === 503) refused += 1;
			else failed += 1;
		} catch {
			failed += 1;
		}
	}

	async function lookAfter(): Promise<void> {
		const { statusCode, body } = await agent.request({
			origin: url,
			path: "/healthz",
			method: "GET",
		});
		await body.dump();
		if (statusCode !== 200) unwell += 1;
	}

	// Connections in the backlog are the system's work, not the server's.
	await Promise.all(Array.from({ length: connections }, lookAfter));
	const begun = performance.now();
	const keep = (work: Promise<void>) => {
		under.add(work);
		void work.finally(() => under.delete(work));
	};
	let lookAt = begun;
	for (;;) {
		const passed = performance.now() - begun;
		if (passed > stormSeconds * 1_000) break;
		for (const due = (best * times * passed) / 1_000; asked < due; asked += 1) {
			if (under.size >= connections) continue;
			sent += 1;
			keep(send());
		}
		if (performance.now() > lookAt) {
			lookAt += 500;
			keep(lookAfter());
		}
		await sleep(tickMs);
	}
	await Promise.all(under);
	const seconds = (performance.now() - begun) / 1_000;
	return {
		sent: sent / stormSeconds,
		accepted: waits.length / seconds,
		refused: refused / seconds,
		failed,
		unwell,
		p99: p99Of(waits),
	};
}

function p99Of(waits: number[]): number {
	const sorted = waits.toSorted((a, b) => a - b);
	return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
}
