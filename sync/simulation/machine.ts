import type { Env } from "../protocol/ids.ts";
import type { Store } from "../store/store.ts";
import type { Disk, DiskFault } from "./disk.ts";
import { openRandom } from "./random.ts";
import type { Schedule } from "./schedule.ts";

/** What happens to a machine's next statements. */
export type Breakage =
	| {
			kind: "crash";
			/** How many statements run first. */
			statements: number;
			/** From there, waits for the next commit and dies once it is on disk and before it is acknowledged. */
			isAfterCommit: boolean;
			/** True if the machine restarts from the disk as it was at that moment. */
			isHard: boolean;
	  }
	| { kind: DiskFault; statements: number };

interface MachineOptions {
	name: string;
	schedule: Schedule;
	seed: number;
	disk: Disk;
	/** Called when it dies. @param isHard whether writes that were not flushed may be lost */
	onDeath(isHard: boolean): void;
}

/** A computer with its own clock and disk, which runs a program until the power fails. */
export class Machine {
	readonly name: string;
	readonly env: Env;
	readonly disk: Disk;
	isUp = true;
	/** The number of starts. Promises of an earlier life never settle. */
	life = 1;
	/** Rises with each commit and each other disk: as long as it stays the same, so does all data. */
	edition = 0;
	clockOffsetMs = 0;
	breakage: Breakage | undefined;
	/** While its disk is full, some writes fail and others succeed. */
	isFull = false;
	/** The real store. Simulated time stops while it works. */
	store: Store;
	readonly #schedule: Schedule;
	readonly #onDeath: (isHard: boolean) => void;
	#inner: Store;
	/** True if the power has failed since the store was opened. */
	#isCut = false;
	/** Set if it dies at the end of the commit in progress. */
	#doom: { life: number; isHard: boolean } | undefined;

	private constructor(options: MachineOptions, inner: Store) {
		const { schedule, seed, name } = options;
		this.name = name;
		this.disk = options.disk;
		this.#schedule = schedule;
		this.#onDeath = options.onDeath;
		this.#inner = inner;
		this.store = this.#timeless(inner);
		const random = openRandom(seed, "machine", name);
		this.env = {
			now: () => Math.floor(schedule.now() + this.clockOffsetMs),
			randomBytes: (count) => random.bytes(count),
		};
	}

	static async open(options: MachineOptions): Promise<Machine> {
		let machine: Machine | undefined;
		const inner = await options.disk.open((sql, isWriter) =>
			machine?.onStatement(sql, isWriter),
		);
		machine = new Machine(options, inner);
		return machine;
	}

	/** Cuts the power. */
	die(isHard: boolean): void {
		if (!this.isUp) return;
		this.isUp = false;
		this.breakage = undefined;
		if (isHard) this.disk.cut();
		this.#isCut = isHard;
		this.#onDeath(isHard);
	}

	/**
	 * Starts its programs again.
	 *
	 * @param from an image of another database, as after a restore
	 */
	async start(from?: string): Promise<void> {
		this.life += 1;
		this.isFull = false;
		if (from !== undefined || this.#isCut)
			await this.#schedule.during(this.#openAnew(from));
		this.isUp = true;
	}

	async #openAnew(from: string | undefined): Promise<void> {
		this.#isCut = false;
		this.edition += 1;
		await this.#inner.close();
		if (from !== undefined) await this.disk.load(from);
		// Starting must not trigger its own breakages.
		this.isUp = true;
		this.#inner = await this.disk.open((sql, isWriter) =>
			this.onStatement(sql, isWriter),
		);
		this.store = this.#timeless(this.#inner);
	}

	/** @returns the path of an image of its disk at this moment */
	copyDisk(): Promise<string> {
		return this.#schedule.during(this.disk.copy());
	}

	async close(): Promise<void> {
		this.isUp = true;
		this.breakage = undefined;
		this.isFull = false;
		await this.#inner.close();
	}

	/** Breaks the statement if one is due. On a dead machine every statement fails, except rollbacks. */
	onStatement(sql: string, isWriter: boolean): void {
		if (isWriter && sql === "COMMIT") this.edition += 1;
		if (!this.isUp) {
			if (/^(ROLLBACK|RELEASE)/.test(sql)) return;
			if (!isWriter && sql === "COMMIT") return;
			throw this.disk.toError("gone");
		}
		if (this.isFull && isWriter && this.#isHit(sql))
			throw this.disk.toError("full");
		const { breakage } = this;
		if (!breakage || /^ROLLBACK/.test(sql)) return;
		if (breakage.statements > 0) {
			breakage.statements -= 1;
			return;
		}
		if (breakage.kind === "crash") this.#crash(breakage, sql, isWriter);
		else if (isWriter && !sql.startsWith("BEGIN")) {
			this.breakage = undefined;
			throw this.disk.toError(breakage.kind);
		}
	}

	#crash(
		{ isAfterCommit, isHard }: Extract<Breakage, { kind: "crash" }>,
		sql: string,
		isWriter: boolean,
	): void {
		if (!isAfterCommit) {
			this.die(isHard);
			throw this.disk.toError("gone");
		}
		if (!isWriter || sql !== "COMMIT") return;
		this.breakage = undefined;
		this.#doom = { life: this.life, isHard };
	}

	#isHit(sql: string): boolean {
		if (!/^(INSERT|UPDATE|COMMIT)/.test(sql.trimStart())) return false;
		const [byte = 0] = this.env.randomBytes(1);
		return byte < 80;
	}

	/** No other process uses its database, so announcements have no listener. */
	#timeless(inner: Store): Store {
		const schedule = this.#schedule;
		return {
			read: (fn) => schedule.during(inner.read(fn)),
			write: (fn, options) =>
				schedule.during(this.#meetDoom(inner.write(fn, options))),
			announce() {},
			onAnnounced() {},
			assertInPlace: () => inner.assertInPlace(),
			close: () => inner.close(),
		};
	}

	/** Delays the acknowledgement of a commit until after the death that follows it. */
	async #meetDoom<T>(written: Promise<T>): Promise<T> {
		try {
			return await written;
		} finally {
			const doom = this.#doom;
			this.#doom = undefined;
			if (doom && doom.life === this.life) this.die(doom.isHard);
		}
	}
}
