import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Env } from "../ids.ts";
import { openSqlite } from "../store/sqlite.ts";
import type { Store } from "../store/store.ts";
import { openRandom } from "./random.ts";
import type { Schedule } from "./schedule.ts";

/** What the next statements of a machine meet. */
export type Breakage =
	| {
			kind: "crash";
			/** How many statements run before. */
			statements: number;
			/** Waits from there for the next commit, and dies when that is on disk and nobody knows of it. */
			isAfterCommit: boolean;
			/** What comes back is a copy of the files as they lay on the disk in that moment, opened anew. */
			isHard: boolean;
	  }
	| { kind: "full" | "failed" | "busy"; statements: number };

const codesByKind = {
	full: "SQLITE_FULL",
	failed: "SQLITE_IOERR_WRITE",
	busy: "SQLITE_BUSY",
} as const;

export interface MachineOptions {
	name: string;
	schedule: Schedule;
	seed: number;
	/** Where its files are. */
	dir: string;
	/** The database that it begins with. */
	from: string;
	/** Told when it dies. */
	onDeath(): void;
}

/** A computer with a clock and a disk of its own, on which a program runs until the power is gone. */
export class Machine {
	readonly name: string;
	readonly env: Env;
	isUp = true;
	/** How often it has started. What a former life waits for never comes. */
	life = 1;
	clockOffsetMs = 0;
	breakage: Breakage | undefined;
	/** While its disk is full, some writes fail and others do not. */
	isFull = false;
	/** The real store. Time stands still while it works. */
	store: Store;
	file: string;
	readonly #options: MachineOptions;
	#inner: Store;
	#image: string | undefined;
	#images = 0;

	private constructor(options: MachineOptions, file: string, inner: Store) {
		const { schedule, seed, name } = options;
		this.#options = options;
		this.name = name;
		this.file = file;
		this.#inner = inner;
		this.store = this.#timeless(inner);
		const random = openRandom(seed, "machine", name);
		this.env = {
			now: () => Math.floor(schedule.now() + this.clockOffsetMs),
			randomBytes: (count) => random.bytes(count),
		};
	}

	static async open(options: MachineOptions): Promise<Machine> {
		const file = join(options.dir, `${options.name}-0.db`);
		copyDatabaseFiles(options.from, file);
		let machine: Machine | undefined;
		const inner = await openSqlite(file, {
			onStatement: (sql, isWriter) => machine?.onStatement(sql, isWriter),
		});
		machine = new Machine(options, file, inner);
		return machine;
	}

	/** The power is gone. */
	die(isHard: boolean): void {
		if (!this.isUp) return;
		this.isUp = false;
		this.breakage = undefined;
		if (isHard) this.#image = this.copyFiles();
		this.#options.onDeath();
	}

	/** Its programs may begin again. @param from another database than its own, as after a restore */
	async start(from?: string): Promise<void> {
		const image = from ?? this.#image;
		this.#image = undefined;
		this.life += 1;
		this.isFull = false;
		if (image) {
			await this.#inner.close();
			this.#images += 1;
			this.file = join(this.#options.dir, `${this.name}-${this.#images}-up.db`);
			copyDatabaseFiles(image, this.file);
			// What comes up is not in the way of its own breakages.
			this.isUp = true;
			this.#inner = await openSqlite(this.file, {
				onStatement: (sql, isWriter) => this.onStatement(sql, isWriter),
			});
			this.store = this.#timeless(this.#inner);
		}
		this.isUp = true;
	}

	/** A copy of the files as they lie on the disk, in the middle of whatever goes on. @returns its path */
	copyFiles(): string {
		this.#images += 1;
		const to = join(this.#options.dir, `${this.name}-${this.#images}.db`);
		copyDatabaseFiles(this.file, to);
		return to;
	}

	async close(): Promise<void> {
		this.isUp = true;
		this.breakage = undefined;
		this.isFull = false;
		await this.#inner.close();
	}

	/** Breaks what has to break. A dead machine's statements all fail; only what cleans up behind it may pass. */
	onStatement(sql: string, isWriter: boolean): void {
		if (!this.isUp) {
			if (/^(ROLLBACK|RELEASE)/.test(sql)) return;
			if (!isWriter && sql === "COMMIT") return;
			throw toSqliteError("SQLITE_IOERR");
		}
		if (this.isFull && isWriter && this.#isHit(sql))
			throw toSqliteError("SQLITE_FULL");
		const { breakage } = this;
		if (!breakage || /^ROLLBACK/.test(sql)) return;
		if (breakage.statements > 0) {
			breakage.statements -= 1;
			return;
		}
		if (breakage.kind === "crash") this.#crash(breakage, sql, isWriter);
		else if (isWriter && sql !== "BEGIN IMMEDIATE") {
			this.breakage = undefined;
			throw toSqliteError(codesByKind[breakage.kind]);
		}
	}

	#crash(
		{ isAfterCommit, isHard }: Extract<Breakage, { kind: "crash" }>,
		sql: string,
		isWriter: boolean,
	): void {
		if (!isAfterCommit) {
			this.die(isHard);
			throw toSqliteError("SQLITE_IOERR");
		}
		if (!isWriter || sql !== "COMMIT") return;
		this.breakage = undefined;
		const { life } = this;
		// The statement runs to its end; whoever waits for the commit comes later than this.
		queueMicrotask(() => {
			if (this.life === life) this.die(isHard);
		});
	}

	#isHit(sql: string): boolean {
		if (!/^(INSERT|UPDATE|COMMIT)/.test(sql.trimStart())) return false;
		const [byte = 0] = this.env.randomBytes(1);
		return byte < 80;
	}

	#timeless(inner: Store): Store {
		const { schedule } = this.#options;
		return {
			read: (fn) => schedule.during(inner.read(fn)),
			write: (fn) => schedule.during(inner.write(fn)),
			announce: (note) => inner.announce(note),
			onAnnounced: (listener) => inner.onAnnounced(listener),
			close: () => inner.close(),
		};
	}
}

function toSqliteError(code: string): Error {
	return new Database.SqliteError(`simulated ${code}`, code);
}

function copyDatabaseFiles(from: string, to: string): void {
	copyFileSync(from, to);
	if (existsSync(`${from}-wal`)) copyFileSync(`${from}-wal`, `${to}-wal`);
}
