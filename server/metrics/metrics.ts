import { hash, timingSafeEqual } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Request, RequestHandler, Response } from "express";
import counterfoil from "../../package.json" with { type: "json" };
import type { MutationResult } from "../../sync/protocol/protocol.ts";
import { newestVersion } from "../../sync/store/migrate.ts";
import type { Store } from "../../sync/store/store.ts";
import type { CallRecord } from "../gateway/call-record.ts";
import type { Meter } from "../gateway/meter.ts";
import { toDollars } from "../gateway/prices.ts";
import type { Backups } from "../operations/backup/backups.ts";
import { readBackupStanding } from "../operations/backup/standing.ts";
import { type DatabasePlace, databaseBytes } from "../operations/database.ts";
import { readDisk } from "../operations/disk.ts";
import { openRegistry, type Registry, type Sample } from "./registry.ts";

/** What the server counts while it runs: never a name, a text or an amount of a shop. */
export interface Metrics {
	/** Whether a request's header `Authorization` has the token. */
	isFor(authorization: string | undefined): boolean;
	/** Measures each request by its route's pattern. */
	measure: RequestHandler;
	countMutations(results: readonly MutationResult[]): void;
	/** @returns a function to call when the feed has ended */
	openFeed(): () => void;
	/** A meter that also counts what it settles. */
	counting(meter: Meter): Meter;
	text(): Promise<string>;
	close(): void;
}

/** What the numbers are about. */
interface Installation {
	store: Store;
	place: DatabasePlace;
	backups: Pick<Backups, "standing">;
}

const secondsOfRequests = [
	...[0.002, 0.005, 0.01, 0.025, 0.05],
	...[0.1, 0.25, 0.5, 1, 2.5, 5, 10],
];
const secondsOfCalls = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180];
const nanosPerSecond = 1e9;
const lagResolutionMs = 10;

/** @param token opens the numbers; without one there are none */
export function openMetrics(
	token: string | undefined,
	installation: Installation,
): Metrics | undefined {
	if (token === undefined) return undefined;
	const registry = openRegistry();
	const requests = registry.histogram(
		"counterfoil_http_request_duration_seconds",
		"Requests by method, route pattern and status, without event streams.",
		secondsOfRequests,
	);
	const mutations = registry.counter(
		"counterfoil_mutations_total",
		"Mutations that tills pushed, by result; one that was known already is a duplicate.",
	);
	let feeds = 0;
	registry.gauge(
		"counterfoil_open_feeds",
		"Tills that listen for changes.",
		() => feeds,
	);
	const settle = countCalls(registry);
	addInstallation(registry, installation);
	const close = addProcess(registry);
	return {
		isFor: (given = "") => isSame(given, `Bearer ${token}`),
		measure(request, response, next) {
			const begun = performance.now();
			response.once("close", () => {
				if (isStream(response)) return;
				const seconds = (performance.now() - begun) / 1_000;
				requests.observe(labelsOf(request, response), seconds);
			});
			next();
		},
		countMutations(results) {
			for (const { status, duplicate } of results)
				mutations.add({ result: duplicate ? "duplicate" : status });
		},
		openFeed() {
			feeds += 1;
			return () => {
				feeds -= 1;
			};
		},
		counting: (meter) => ({
			...meter,
			settle(reservation, record) {
				settle(record);
				meter.settle(reservation, record);
			},
		}),
		text: registry.text,
		close,
	};
}

/** Compares in the same time, whatever differs. */
function isSame(given: string, expected: string): boolean {
	const digest = (text: string) => hash("sha256", text, "buffer");
	return timingSafeEqual(digest(given), digest(expected));
}

function isStream(response: Response): boolean {
	const type = String(response.getHeader("content-type") ?? "");
	return type.startsWith("text/event-stream");
}

/** A path without a route is a file of the web app, one of its pages, or a guess. */
function labelsOf(request: Request, { statusCode }: Response) {
	const { method, route } = request as Request & { route?: { path?: unknown } };
	return {
		method,
		route: typeof route?.path === "string" ? route.path : "other",
		status: String(statusCode),
	};
}

/** @returns what counts a call of the AI gateway when it ends */
function countCalls(registry: Registry): (record: CallRecord) => void {
	const calls = registry.counter(
		"counterfoil_gateway_calls_total",
		"Calls of the AI gateway by provider, model, outcome, kind of failure and use of the cache.",
	);
	const tokens = registry.counter(
		"counterfoil_gateway_tokens_total",
		"Tokens by provider, model and kind; cached ones are prompt tokens too.",
	);
	const cost = registry.counter(
		"counterfoil_gateway_cost_usd_total",
		"What calls cost by provider and model, in USD.",
	);
	const durations = registry.histogram(
		"counterfoil_gateway_call_duration_seconds",
		"How long calls took, by provider.",
		secondsOfCalls,
	);
	return (record) => {
		const [provider = "", ...names] = (record.model ?? "none").split("/");
		const model = names.join("/");
		const { status, cache, promptTokens, cachedTokens, completionTokens } =
			record;
		const failure = record.failure ?? "";
		calls.add({ provider, model, outcome: status, failure, cache });
		for (const [kind, count] of Object.entries({
			prompt: promptTokens,
			cached: cachedTokens,
			completion: completionTokens,
		}))
			if (count > 0) tokens.add({ provider, model, kind }, count);
		if (record.cost > 0) cost.add({ provider, model }, toDollars(record.cost));
		durations.observe({ provider }, record.durationMs / 1_000);
	};
}

function addInstallation(
	registry: Registry,
	{ store, place, backups }: Installation,
): void {
	const { dataDir } = place;
	registry.gauge("counterfoil_info", "The server's version and schema.", () => [
		[{ version: counterfoil.version, schema: String(newestVersion()) }, 1],
	]);
	registry.gauge("counterfoil_database_bytes", "The database's size.", () =>
		databaseBytes(place, store),
	);
	registry.gauge(
		"counterfoil_disk_free_bytes",
		"Free space on the disk of DATA_DIR.",
		async () => (await readDisk(dataDir)).freeBytes,
	);
	registry.gauge(
		"counterfoil_disk_bytes",
		"The size of the disk of DATA_DIR.",
		async () => (await readDisk(dataDir)).bytes,
	);
	registry.gauge(
		"counterfoil_last_backup_timestamp_seconds",
		"When the last backup was made; absent if there is none.",
		async () => {
			const { at } = await store.read(readBackupStanding);
			return at === undefined ? undefined : Date.parse(at) / 1_000;
		},
	);
	registry.gauge(
		"counterfoil_backup_failing",
		"1 for each place of the server's backups in which the last one failed.",
		() =>
			backups
				.standing()
				.map(
					({ isOther, problem }): Sample => [
						{ place: isOther ? "other" : "own" },
						problem ? 1 : 0,
					],
				),
	);
	registry.gauge(
		"counterfoil_changes_not_backed_up",
		"Changes of all shops that no backup holds.",
		async () => (await store.read(readBackupStanding)).behind,
	);
}

/** @returns a function that stops the measurement */
function addProcess(registry: Registry): () => void {
	const lag = monitorEventLoopDelay({ resolution: lagResolutionMs });
	lag.enable();
	registry.gauge(
		"nodejs_eventloop_lag_seconds",
		"How late the event loop was since the last scrape, by quantile.",
		() => {
			const samples = [50, 90, 99, 100].map((percent): Sample => {
				// What is measured is the time from one look to the next.
				const late = lag.percentile(percent) - lagResolutionMs * 1e6;
				const seconds = Math.max(0, late) / nanosPerSecond;
				return [{ quantile: String(percent / 100) }, seconds];
			});
			lag.reset();
			return samples;
		},
	);
	registry.gauge(
		"process_resident_memory_bytes",
		"Memory of the process.",
		() => process.memoryUsage.rss(),
	);
	registry.total(
		"process_cpu_seconds_total",
		"Processor time of the process.",
		() => {
			const { user, system } = process.cpuUsage();
			return (user + system) / 1e6;
		},
	);
	registry.gauge(
		"process_start_time_seconds",
		"When the process started.",
		() => performance.timeOrigin / 1_000,
	);
	return () => lag.disable();
}
