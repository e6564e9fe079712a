import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent } from "undici";
import { openAccount } from "./account.ts";
import type { Figure } from "./bench-kept.ts";
import {
	residentMb,
	type ServerProcess,
	startProcess,
	startServerProcess,
} from "./server-process.ts";

const rounds = 5;
const atOnce = [1, 10, 100];
/** Requests per round; streams have 50 chunks. */
const requestsByKind = { plain: 5_000, stream: 800 };
const warmUp = 5_000;
const memoryRequests = Number(process.env.BENCH_MEMORY_REQUESTS ?? 100_000);
const halfReadStreams = 1_000;
/** A stream has more of what both do: 50 chunks. */
const ratioMin = { plain: 0.75, stream: 0.85 };
const addedMaxMs = 5;
const firstChunkMaxMs = 2;
const budgetMaxMs = 0.3;
const budgetOnBusyDiskMaxMs = 2;
/** What one of the writes that keep the disk busy has. */
const block = Buffer.alloc(4_096, 1);
const memoryMaxMb = 200;
const growthMaxMb = 50;

const withBudget = "gateway, with a budget";

type Kind = keyof typeof requestsByKind;

interface Target {
	name: string;
	url: string;
	token: string;
}

interface Round {
	perSecond: number;
	/** Medians in milliseconds. */
	latency: number;
	firstChunk: number;
}

/** Compares the gateway, before a provider that answers at once, with a direct connection and a bare pass-through. */
export async function benchGateway(): Promise<Figure[]> {
	const peer = join(import.meta.dirname, "gateway-peer.ts");
	const upstream = await startProcess([peer, "upstream"]);
	const passThrough = await startProcess([peer, "pass-through", upstream.url]);
	const agent = new Agent({ connections: 512 });
	try {
		const loaded = await withGateway(
			upstream.url,
			async ({ pid }, gateways, dataDir) => {
				const targets: Target[] = [
					{ name: "direct", url: upstream.url, token: "" },
					{ name: "pass-through", url: passThrough.url, token: "" },
					...gateways,
				];
				return [
					...(await benchLoad(agent, targets)),
					...(await benchBusyDisk(agent, gateways, dataDir)),
					memoryOf(pid, "memory after all of these, 100 at once"),
				];
			},
		);
		const memory = await withGateway(upstream.url, ({ pid }, [gateway]) =>
			benchMemory(agent, gateway as Target, pid),
		);
		return [...loaded, ...memory];
	} finally {
		await agent.close();
		for (const it of [passThrough, upstream]) await it.stop();
	}
}

/** Runs `work` with a new gateway, and two keys of a shop: one without, and one with a budget. */
async function withGateway<T>(
	upstream: string,
	work: (
		gateway: ServerProcess,
		targets: Target[],
		dataDir: string,
	) => Promise<T>,
): Promise<T> {
	const dataDir = mkdtempSync(join(tmpdir(), "counterfoil-bench-"));
	const gateway = await startServerProcess(dataDir, {
		OPENAI_API_KEY: "sk-bench",
		OPENAI_BASE_URL: `${upstream}/v1`,
	});
	try {
		const { url } = gateway;
		const { token: owner } = await openAccount(url, "Bench");
		const targets = [
			{ name: "gateway", url, token: await makeKey(url, owner, null) },
			{ name: withBudget, url, token: await makeKey(url, owner, 1_000_000) },
		];
		return await work(gateway, targets, dataDir);
	} finally {
		await gateway.stop();
		rmSync(dataDir, { recursive: true });
	}
}

async function makeKey(
	url: string,
	owner: string,
	monthlyBudget: number | null,
): Promise<string> {
	const response = await fetch(`${url}/api/keys`, {
		method: "POST",
		headers: {
			authorization: `Bearer ${owner}`,
			"content-type": "application/json",
		},
		body: JSON.stringify({ name: "bench", monthlyBudget }),
	});
	return ((await response.json()) as { key: string }).key;
}

async function benchLoad(agent: Agent, targets: Target[]): Promise<Figure[]> {
	const figures: Figure[] = [];
	// A budget costs the same before a stream.
	const others = targets.filter(({ name }) => name !== withBudget);
	const targetsOf = { plain: targets, stream: others };
	for (const kind of ["plain", "stream"] as const)
		for (const target of targetsOf[kind])
			await load(agent, target, kind, warmUp, 10);
	for (const kind of ["plain", "stream"] as const)
		for (const clients of atOnce) {
			const roundsByName = new Map<string, Round[]>();
			// Targets take turns, so that a slow second of the machine affects all of them.
			for (let i = 0; i < rounds; i += 1)
				for (const target of targetsOf[kind]) {
					const count = requestsByKind[kind];
					const round = await load(agent, target, kind, count, clients);
					const all = roundsByName.get(target.name) ?? [];
					roundsByName.set(target.name, [...all, round]);
				}
			const of = (name: string, field: keyof Round) =>
				median((roundsByName.get(name) ?? []).map((round) => round[field]));
			const what = `${kind}, ${clients} at once`;
			for (const { name } of targetsOf[kind])
				figures.push({
					what: `${what}: ${name}`,
					value: of(name, "perSecond"),
					unit: "requests/s",
				});
			figures.push(
				{
					what: `${what}: gateway to pass-through`,
					value: of("gateway", "perSecond") / of("pass-through", "perSecond"),
					unit: "ratio",
					reach: ratioMin[kind],
				},
				{
					what: `${what}: added to pass-through, median`,
					value:
						1_000 * (of("gateway", "latency") - of("pass-through", "latency")),
					unit: "us",
					...(kind === "stream" &&
						clients === 100 && { limit: 1_000 * addedMaxMs }),
				},
			);
			if (kind === "plain")
				figures.push({
					what: `${what}: added by a budget, median`,
					value: 1_000 * (of(withBudget, "latency") - of("gateway", "latency")),
					unit: "us",
					...(clients === 1 && { limit: 1_000 * budgetMaxMs }),
				});
			if (kind === "stream" && clients === 1)
				figures.push({
					what: `${what}: first chunk after pass-through's, median`,
					value:
						1_000 *
						(of("gateway", "firstChunk") - of("pass-through", "firstChunk")),
					unit: "us",
					limit: 1_000 * firstChunkMaxMs,
				});
		}
	return figures;
}

/** Measures what a budget adds while another process writes to the gateway's disk and flushes it, over and over. */
async function benchBusyDisk(
	agent: Agent,
	targets: Target[],
	dir: string,
): Promise<Figure[]> {
	const done = new AbortController();
	const writing = keepDiskBusy(join(dir, "busy"), done.signal);
	const latencies = new Map<string, number[]>();
	for (let i = 0; i < rounds; i += 1)
		for (const target of targets) {
			const count = requestsByKind.plain / rounds;
			const { latency } = await load(agent, target, "plain", count, 1);
			const all = latencies.get(target.name) ?? [];
			latencies.set(target.name, [...all, latency]);
		}
	done.abort();
	const flushes = await writing;
	const of = (name: string) => median(latencies.get(name) ?? []);
	return [
		{ what: "flushes of a busy disk", value: flushes, unit: "flushes" },
		{
			what: "plain, 1 at once, busy disk: added by a budget, median",
			value: 1_000 * (of(withBudget) - of("gateway")),
			unit: "us",
			limit: 1_000 * budgetOnBusyDiskMaxMs,
		},
	];
}

/** @returns how often it wrote */
async function keepDiskBusy(
	path: string,
	signal: AbortSignal,
): Promise<number> {
	const file = await open(path, "w");
	let flushes = 0;
	for (; !signal.aborted; flushes += 1) {
		await file.write(block, 0, block.length, 0);
		await file.sync();
	}
	await file.close();
	return flushes;
}

let asked = 0;

/** Each body is unique, because the gateway joins equal concurrent requests. */
function bodyOf(kind: Kind): string {
	asked += 1;
	const content = `Habari ya leo? Neno la ${asked}.`;
	return JSON.stringify({
		model: "gpt-4o",
		messages: [{ role: "user", content }],
		...(kind === "stream" && { stream: true }),
	});
}

async function load(
	agent: Agent,
	target: Target,
	kind: Kind,
	count: number,
	clients: number,
): Promise<Round> {
	const latencies: number[] = [];
	const firstChunks: number[] = [];
	let left = count;
	const begun = performance.now();
	await Promise.all(
		Array.from({ length: clients }, async () => {
			while (left > 0) {
				left -= 1;
				const start = performance.now();
				const body = await ask(agent, target, kind);
				let isFirst = true;
				for await (const _ of body) {
					if (isFirst) firstChunks.push(performance.now() - start);
					isFirst = false;
				}
				latencies.push(performance.now() - start);
			}
		}),
	);
	return {
		perSecond: (1_000 * count) / (performance.now() - begun),
		latency: median(latencies),
		firstChunk: median(firstChunks),
	};
}

async function ask(agent: Agent, { name, url, token }: Target, kind: Kind) {
	const { statusCode, body } = await agent.request({
		origin: url,
		path: "/v1/chat/completions",
		method: "POST",
		headers: {
			"content-type": "application/json",
			authorization: `Bearer ${token}`,
		},
		body: bodyOf(kind),
	});
	if (statusCode !== 200)
		throw new Error(`${name}: ${statusCode} ${await body.text()}`);
	return body;
}

async function benchMemory(
	agent: Agent,
	target: Target,
	pid: number,
): Promise<Figure[]> {
	const half = memoryRequests / 2;
	await load(agent, target, "plain", half, 50);
	const before = memoryOf(pid, `memory after ${half} requests, 50 at once`);
	await load(agent, target, "plain", half, 50);
	for (let i = 0; i < halfReadStreams; i += 1) {
		const body = await ask(agent, target, "stream");
		for await (const _ of body) break;
		body.destroy();
	}
	return [
		{ ...before, limit: memoryMaxMb },
		{
			what: `growth in ${half} more and ${halfReadStreams} streams left half-read`,
			value: residentMb(pid) - before.value,
			unit: "MB",
			limit: growthMaxMb,
		},
	];
}

function memoryOf(pid: number, what: string): Figure {
	return { what, value: residentMb(pid), unit: "MB" };
}

function median(values: number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
