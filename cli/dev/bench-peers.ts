import { execFile, spawnSync } from "node:child_process";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Figure } from "./bench-kept.ts";
import type { Timed } from "./contender.ts";
import {
	type DiskTrace,
	openDiskTrace,
	type WrittenBytes,
} from "./disk-trace.ts";
import {
	type ServerProcess,
	startProcess,
	startServerProcess,
} from "./server-process.ts";

const sales = Number(process.env.BENCH_PEERS_SALES ?? 10_000);
const rounds = Number(process.env.BENCH_PEERS_ROUNDS ?? 5);
/** A server that writes nothing for this long has finished; the slowest known one delays its writes by 10 s. */
const quietMs = 15_000;
const rawRatioMin = 0.65;
/** The share of written bytes that may be unsynced without risk to a sale: the server's log and a file header. */
const unsyncedShareMax = 0.05;

const run = promisify(execFile);
const peersDir = join(import.meta.dirname, "peers");
const own = "Counterfoil";
const raw = "better-sqlite3 alone";

interface Peer {
	name: string;
	program: string;
	/** Packages whose versions the result shows; empty for Counterfoil itself. */
	packages: string[];
	start?(dataDir: string, under: string[]): Promise<ServerProcess>;
	isServerless?: true;
}

const peers: Peer[] = [
	{
		name: raw,
		program: join(import.meta.dirname, "peer-raw.ts"),
		packages: [],
		isServerless: true,
	},
	{
		name: own,
		program: join(import.meta.dirname, "peer-counterfoil.ts"),
		packages: [],
		start: (dataDir, under) => startServerProcess(dataDir, {}, under),
	},
	foreign("PouchDB", "pouchdb.ts", ["pouchdb", "express-pouchdb"]),
	foreign("TinyBase", "tinybase.ts", ["tinybase"]),
	foreign("Hocuspocus (Yjs)", "hocuspocus.ts", [
		"@hocuspocus/server",
		"@hocuspocus/extension-sqlite",
		"yjs",
	]),
	foreign("Automerge", "automerge.ts", ["@automerge/automerge-repo"]),
];

function foreign(name: string, file: string, packages: string[]): Peer {
	return { name, program: join(peersDir, file), packages };
}

interface Round {
	/** Time until the server acknowledged all sales. */
	pushMs: number;
	/** Time until the server had written all sales to disk. */
	keptMs: number;
	pullMs: number;
	diskBytes: number;
}

interface Durability {
	/** Sales left on a server that was killed right after it acknowledged them all. */
	survivors: number;
	disk: WrittenBytes | undefined;
}

/**
 * Compares Counterfoil with other sync servers, and with SQLite alone on the same rows: one client pushes its sales to a
 * server, and a new one pulls them. Each server and client runs in a new process in each round.
 */
export async function benchPeers(): Promise<Figure[]> {
	install();
	const roundsByName = new Map<string, Round[]>();
	const durabilityByName = new Map<string, Durability>();
	for (const peer of peers)
		if (!peer.isServerless)
			durabilityByName.set(peer.name, await tryDurability(peer));
	for (let i = 0; i < rounds; i += 1)
		// The peers take turns, so that a slow minute of the machine affects all of them.
		for (const peer of peers) {
			const durability = durabilityByName.get(peer.name);
			const round = await measure(peer, durability);
			roundsByName.set(peer.name, [
				...(roundsByName.get(peer.name) ?? []),
				round,
			]);
		}
	const rows = peers.map((peer) => ({
		peer,
		median: toMedian(roundsByName.get(peer.name) ?? []),
		durability: durabilityByName.get(peer.name),
	}));
	print(rows);
	return toFigures(rows);
}

interface Row {
	peer: Peer;
	median: Round;
	durability: Durability | undefined;
}

function install(): void {
	if (existsSync(join(peersDir, "node_modules/.package-lock.json"))) return;
	console.error("Installing the peers from the npm registry (only once) …");
	const { error, status } = spawnSync("npm", ["ci", "--ignore-scripts"], {
		cwd: peersDir,
		stdio: ["ignore", process.stderr, process.stderr],
	});
	if (status !== 0)
		throw new Error(
			"This benchmark needs the peers' packages, which could not be installed from the npm registry (see above)",
			error && { cause: error },
		);
}

async function measure(
	peer: Peer,
	durability: Durability | undefined,
): Promise<Round> {
	return inDirs(async (dirs, started) => {
		if (peer.isServerless) {
			const { ms } = await runClient(peer, "push", "", dirs.notes);
			const diskBytes = sizeOf(dirs.notes);
			return { pushMs: ms, keptMs: ms, pullMs: Number.NaN, diskBytes };
		}
		const server = await started(start(peer, dirs.data));
		const pushed = await runClient(peer, "push", server.url, dirs.notes);
		const keptMs =
			durability && isKept(durability)
				? pushed.ms
				: (await lastWriteAt(dirs.data)) - pushed.startedAt;
		if (keptMs <= 0) throw new Error(`${peer.name} wrote nothing`);
		const pulled = await runClient(peer, "pull", server.url, dirs.notes);
		if (pulled.count !== sales)
			throw new Error(
				`${peer.name} returned ${pulled.count} of ${sales} sales`,
			);
		await server.stop();
		const diskBytes = sizeOf(dirs.data);
		return { pushMs: pushed.ms, keptMs, pullMs: pulled.ms, diskBytes };
	});
}

/** How long a client waits for sales that may be lost. */
const survivorsWaitMs = 30_000;

/** Kills the server as soon as it has acknowledged all sales, and counts those that it has after a restart. */
function tryDurability(peer: Peer): Promise<Durability> {
	return inDirs(async (dirs, started) => {
		const trace = openDiskTrace(join(dirs.root, "trace.txt"));
		const server = await started(start(peer, dirs.data, trace));
		await runClient(peer, "push", server.url, dirs.notes);
		await server.kill();
		const disk = trace?.read(dirs.data);
		const next = await started(start(peer, dirs.data));
		const { count } = await runClient(
			peer,
			"pull",
			next.url,
			dirs.notes,
			survivorsWaitMs,
		);
		return { survivors: count, disk };
	});
}

/** Whether all acknowledged sales survived the kill. */
function isKept({ survivors }: Durability): boolean {
	return survivors === sales;
}

function isDurable({ survivors, disk }: Durability): boolean | undefined {
	if (survivors < sales) return false;
	return disk && disk.unsynced <= disk.written * unsyncedShareMax;
}

function start(
	peer: Peer,
	dataDir: string,
	trace?: DiskTrace,
): Promise<ServerProcess> {
	const under = trace?.under ?? [];
	return peer.start
		? peer.start(dataDir, under)
		: startProcess([peer.program, "server", dataDir], {}, under);
}

async function runClient(
	peer: Peer,
	role: "push" | "pull",
	url: string,
	notesDir: string,
	waitMs?: number,
): Promise<Timed> {
	const args = [peer.program, role, url, notesDir, String(sales)];
	if (waitMs !== undefined) args.push(String(waitMs));
	const { stdout } = await run(process.execPath, args, { timeout: 600_000 });
	return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Timed;
}

type Started = (server: Promise<ServerProcess>) => Promise<ServerProcess>;

/** Runs `work` with new folders, and stops any server that still runs afterwards. */
async function inDirs<T>(
	work: (dirs: Dirs, started: Started) => Promise<T>,
): Promise<T> {
	const root = mkdtempSync(join(tmpdir(), "counterfoil-peers-"));
	const dirs = { root, data: join(root, "data"), notes: join(root, "notes") };
	mkdirSync(dirs.data);
	mkdirSync(dirs.notes);
	const servers: ServerProcess[] = [];
	try {
		return await work(dirs, async (starting) => {
			const server = await starting;
			servers.push(server);
			return server;
		});
	} finally {
		for (const server of servers) await server.kill();
		rmSync(root, { recursive: true, force: true });
	}
}

interface Dirs {
	root: string;
	data: string;
	notes: string;
}

/**
 * Waits until nothing has been written for a while, counted from the call, since a server may not have begun to write.
 *
 * @returns the time of the last write, in milliseconds since 1970
 */
async function lastWriteAt(dir: string): Promise<number> {
	const from = Date.now();
	for (;;) {
		const times = filesIn(dir).map((file) => statSync(file).mtimeMs);
		const last = Math.max(...times);
		if (Date.now() - Math.max(last, from) > quietMs) return last;
		await sleep(1_000);
	}
}

function sizeOf(dir: string): number {
	return filesIn(dir).reduce((sum, file) => sum + statSync(file).size, 0);
}

function filesIn(dir: string): string[] {
	return readdirSync(dir, { withFileTypes: true, recursive: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
}

function toMedian(all: Round[]): Round {
	const of = (field: keyof Round) => {
		const sorted = all.map((round) => round[field]).toSorted((a, b) => a - b);
		return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
	};
	return {
		pushMs: of("pushMs"),
		keptMs: of("keptMs"),
		pullMs: of("pullMs"),
		diskBytes: of("diskBytes"),
	};
}

function perSecond(ms: number): number {
	return sales / (ms / 1_000);
}

function versionsOf(peer: Peer): string {
	return peer.packages
		.map((name) => {
			const file = join(peersDir, "node_modules", name, "package.json");
			return `${name} ${JSON.parse(readFileSync(file, "utf8")).version}`;
		})
		.join(", ");
}

function print(rows: Row[]): void {
	const counterfoil = rows.find(({ peer }) => peer.name === own)?.median;
	if (!counterfoil) return;
	const ratio = (theirs: number, ours: number) => (ours / theirs).toFixed(2);
	console.table(
		rows.map(({ peer, median, durability }) => ({
			who: peer.name,
			"push, sales/s": Math.round(perSecond(median.pushMs)),
			"on disk, sales/s": Math.round(perSecond(median.keptMs)),
			"pull, sales/s": Math.round(perSecond(median.pullMs)),
			MB: (median.diskBytes / 1e6).toFixed(1),
			"push to ours": ratio(median.pushMs, counterfoil.pushMs),
			"on disk to ours": ratio(median.keptMs, counterfoil.keptMs),
			"pull to ours": ratio(median.pullMs, counterfoil.pullMs),
			"left after kill": durability?.survivors ?? "",
			"syncs, unsynced MB": durability?.disk?.written
				? `${durability.disk.syncs}, ${(durability.disk.unsynced / 1e6).toFixed(1)} of ${(durability.disk.written / 1e6).toFixed(1)}`
				: "",
			"durable once acknowledged": durability
				? (isDurable(durability) ?? "?")
				: true,
			versions: versionsOf(peer),
		})),
	);
}

function toFigures(rows: Row[]): Figure[] {
	const counterfoil = rows.find(({ peer }) => peer.name === own)?.median;
	const alone = rows.find(({ peer }) => peer.name === raw)?.median;
	if (!counterfoil || !alone) return [];
	const figures: Figure[] = [];
	for (const { peer, median, durability } of rows) {
		const versions = versionsOf(peer) || undefined;
		const add = (what: string, value: number, unit: string) =>
			figures.push({ what: `${peer.name}: ${what}`, value, unit, versions });
		add("pushed", perSecond(median.pushMs), "sales/s");
		add("pushed and on disk", perSecond(median.keptMs), "sales/s");
		add("on disk", median.diskBytes / 1e6, "MB");
		if (!durability) continue;
		add("pulled", perSecond(median.pullMs), "sales/s");
		add("left after a kill once acknowledged", durability.survivors, "sales");
		const { disk } = durability;
		if (!disk?.written) continue;
		add("syncs before acknowledgement", disk.syncs, "calls");
		add(
			"unsynced at acknowledgement",
			(100 * disk.unsynced) / disk.written,
			"%",
		);
	}
	for (const { peer, median, durability } of rows) {
		if (peer.name === own || !durability) continue;
		const versions = versionsOf(peer);
		const ahead = (what: string, value: number) =>
			figures.push({ what, value, unit: "ratio", reach: 1, versions });
		ahead(`push to ${peer.name}`, median.pushMs / counterfoil.pushMs);
		ahead(`on disk to ${peer.name}`, median.keptMs / counterfoil.keptMs);
		ahead(`pull to ${peer.name}`, median.pullMs / counterfoil.pullMs);
	}
	figures.push({
		what: `push to ${raw}`,
		value: alone.pushMs / counterfoil.pushMs,
		unit: "ratio",
		reach: rawRatioMin,
	});
	return figures;
}
