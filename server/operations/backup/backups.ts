import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
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
 * Makes backups while the server runs: in the chosen hours, in each place. PostgreSQL has its own tools, and a till that has
 * joined a server is backed up by it.
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
	}));
	let standing: readonly BackupReport[] = [];
	let running: Promise<void> | undefined;

	/** The newest one there, whatever a clock that was ahead has made. */
	function lastAt(dir: string, now: number): number | undefined {
		const known = standing.find((report) => report.dir === dir);
		return (known?.files ?? [])
			.map(({ at }) => Date.parse(at))
			.find((time) => time <= now);
	}

	async function make(): Promise<void> {
		if (!isOn || (await store.read(listBusinesses)).length === 0) return;
		const now = env.now();
		if (standing.length === 0) await run([], now);
		const due = places.filter(
			({ dir, triedAt }) =>
				Math.abs(now - triedAt) > retryMs &&
				isDue(backupHours, lastAt(dir, now), now),
		);
		if (due.length > 0) await run(due, now);
	}

	/** Makes backups in some places, and looks at all. */
	async function run(due: readonly Place[], now: number): Promise<void> {
		for (const place of due) place.triedAt = now;
		const job: BackupJob = {
			...{ dataDir, now },
			places: places.map((place) => ({ ...place, isDue: due.includes(place) })),
		};
		const reports = await inThread(job, closing.signal);
		const before = standing;
		standing = reports.map((report, i) => {
			const last = before[i]?.problem ?? null;
			// A look finds only a disk that is away.
			const isTried = due.includes(places[i] as Place);
			return isTried ? report : { ...report, problem: report.problem ?? last };
		});
		for (const [i, report] of standing.entries()) {
			logReport(report, before[i]);
			const { made } = report;
			if (!made) continue;
			// A till keeps what would be lost with the server's disk.
			const isForTills = !made.isOnSameDisk;
			const disk = made.isOnSameDisk ? "same" : "other";
			await raiseBackedUpTo({ store }, made, disk, isForTills);
		}
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

	function look(): Promise<void> {
		running ??= make().finally(() => {
			running = undefined;
		});
		return running;
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
		standing: () => standing,
		look,
		close() {
			closing.abort();
			clearTimeout(timer);
		},
	};
}

function inThread(
	job: BackupJob,
	signal: AbortSignal,
): Promise<BackupReport[]> {
	return new Promise((resolve, reject) => {
		const url = new URL("./backup-worker.ts", import.meta.url);
		const worker = new Worker(url, { workerData: job });
		signal.addEventListener("abort", () => void worker.terminate());
		worker.on("message", resolve);
		worker.on("error", reject);
		worker.on("exit", () => reject(new Error("The backup's thread has ended")));
	});
}
