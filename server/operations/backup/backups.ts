import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import { toIso } from "../../../sync/protocol/clock.ts";
import type { Env } from "../../../sync/protocol/ids.ts";
import type { Store } from "../../../sync/store/store.ts";
import type { Settings } from "../../settings.ts";
import { listBusinesses } from "../installation/businesses.ts";
import { raiseBackedUpTo } from "./backup.ts";
import type { BackupJob } from "./backup-worker.ts";
import type { BackupPlace, BackupReport } from "./keep-backup.ts";
import { isDue } from "./schedule.ts";

const firstMs = 120_000;
const lookEveryMs = 60_000;
/** A disk that is away may be back. */
const retryMs = 600_000;
/** No backup takes longer on a disk that answers. */
const patienceMs = 3_600_000;

/** What became of the backups in one place, as of the last look. */
type BackupStanding = Pick<
	BackupReport,
	"dir" | "isOther" | "files" | "problem"
>;

/** The backups that a server makes by itself. */
export interface Backups {
	/** True if it makes some. */
	readonly isOn: boolean;
	/** One for each place; none before the first look. */
	standing(): readonly BackupStanding[];
	/** Makes those backups that are due. */
	look(): Promise<void>;
	close(): void;
}

/** Where a server keeps its backups, whatever else its operator named. */
export function ownBackups(dataDir: string): string {
	return join(dataDir, "backups");
}

/** Where a server keeps its backups. */
export function backupPlaces({
	dataDir,
	backupDir,
}: Pick<Settings, "dataDir" | "backupDir">): BackupPlace[] {
	const own = { dir: ownBackups(dataDir), isOther: false };
	if (backupDir === undefined) return [own];
	return [own, { dir: backupDir, isOther: true }];
}

interface Place extends BackupPlace {
	triedAt: number;
	/** As of the last look. */
	report: BackupReport | undefined;
	visit: { since: number; done: Promise<void> } | undefined;
}

interface Parts {
	store: Store;
	env: Env;
	settings: Settings;
	log: Logger;
	/** Called when a place has begun to fail. */
	onProblem(): void;
}

/**
 * Makes backups while the server runs: in the chosen hours, in each place. A disk that hangs keeps no other place waiting.
 * PostgreSQL has its own tools, and a till that has joined a server is backed up by it.
 */
export function openBackups({
	store,
	env,
	settings,
	log,
	onProblem,
}: Parts): Backups {
	const { dataDir, backupHours } = settings;
	const closing = new AbortController();
	const places: Place[] = backupPlaces(settings).map((place) => ({
		...place,
		triedAt: Number.NEGATIVE_INFINITY,
		report: undefined,
		visit: undefined,
	}));

	/** The newest one there, whatever a clock that was ahead has made. */
	function lastAt({ report }: Place, now: number): number | undefined {
		return (report?.files ?? [])
			.map(({ at }) => Date.parse(at))
			.find((time) => time <= now);
	}

	async function look(): Promise<void> {
		if (!isOn || (await store.read(listBusinesses)).length === 0) return;
		// One after the other while all answer: each reads the shop's disk.
		for (const place of places) await visit(place);
	}

	async function visit(place: Place): Promise<void> {
		const now = env.now();
		const { since = now } = place.visit ?? {};
		if (Math.abs(now - since) > patienceMs) {
			note(place, hanging(place, since));
			return;
		}
		const done = place.visit?.done ?? work(place, now);
		place.visit = { since, done };
		await done.finally(() => {
			place.visit = undefined;
		});
	}

	/** Makes a backup in a place if one is due. */
	async function work(place: Place, now: number): Promise<void> {
		if (!place.report) await run(place, false, now);
		const mayTry = Math.abs(now - place.triedAt) > retryMs;
		if (mayTry && isDue(backupHours, lastAt(place, now), now))
			await run(place, true, now);
	}

	/** Makes a backup in a place, or only looks at it. */
	async function run(place: Place, isDue: boolean, now: number): Promise<void> {
		if (isDue) place.triedAt = now;
		const { dir, isOther } = place;
		const job: BackupJob = { place: { dir, isOther }, dataDir, now, isDue };
		const report = await inThread(job, closing.signal);
		const last = place.report?.problem ?? null;
		// A look finds only a disk that is away.
		const problem = report.problem ?? (isDue ? null : last);
		note(place, { ...report, problem });
		const { made } = report;
		if (!made) return;
		// A till keeps what would be lost with the server's disk.
		const isForTills = !made.isOnSameDisk;
		const disk = made.isOnSameDisk ? "same" : "other";
		await raiseBackedUpTo({ store }, made, disk, isForTills);
	}

	function note(place: Place, report: BackupReport): void {
		logReport(report, place.report);
		place.report = report;
	}

	function logReport(
		{ dir, made, deleted, problem }: BackupReport,
		before: BackupReport | undefined,
	): void {
		if (made) log.info({ file: made.file, bytes: made.bytes }, "Backed up");
		if (deleted.length > 0)
			log.info({ dir, deleted }, "Deleted superfluous backups");
		if (problem && problem.message !== before?.problem?.message) {
			log.error({ dir, reason: problem.message }, "No backup could be made");
			onProblem();
		}
		if (!problem && before?.problem)
			log.info({ dir }, "Backups are made again");
	}

	const isOn = settings.databaseUrl === undefined && backupHours.length > 0;
	const onFailure = (err: unknown) => {
		if (!closing.signal.aborted) log.error({ err }, "No backup could be made");
	};
	const tick = () => void look().catch(onFailure);
	let timer = setTimeout(() => {
		tick();
		timer = setInterval(tick, lookEveryMs);
		timer.unref();
	}, firstMs);
	timer.unref();
	if (!isOn) clearTimeout(timer);
	return {
		isOn,
		standing: () => places.flatMap(({ report = [] }) => report),
		look,
		close() {
			closing.abort();
			clearTimeout(timer);
		},
	};
}

/** What there is to say of a place whose disk has not answered since a moment. */
function hanging({ dir, isOther, report }: Place, since: number): BackupReport {
	const message = `The disk of ${dir} has not answered since ${toIso(since)}`;
	return {
		...{ dir, isOther, files: report?.files ?? [], made: null, deleted: [] },
		problem: { trouble: "failed", message },
	};
}

function inThread(job: BackupJob, signal: AbortSignal): Promise<BackupReport> {
	return new Promise((resolve, reject) => {
		const url = new URL("./backup-worker.ts", import.meta.url);
		const worker = new Worker(url, { workerData: job });
		const stop = () => void worker.terminate();
		signal.addEventListener("abort", stop);
		worker.on("message", resolve);
		worker.on("error", reject);
		worker.on("exit", () => {
			// The signal lives as long as the server, and each hour has a thread.
			signal.removeEventListener("abort", stop);
			reject(new Error("The backup's thread has ended"));
		});
	});
}
