import { bindAsync, nextTurn } from "#platform";
import { isStorageError } from "../protocol/errors.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import type { Connection, WriteOptions } from "./store.ts";

/** How many short writes may share a commit, and so one wait for the disk. */
export const groupMax = 256;
/** How many long writes share a commit: sales of the same hour change the same pages, whichever till pushes them. */
const longGroupMax = 16;
/** After this much work of a group of short writes, ten to twenty milliseconds, the rest wait for a later commit. */
const groupWork = 1_000;

/** A write that waits for its turn. */
export interface Job {
	run(tx: Connection): Promise<void>;
	resolve(): void;
	reject(error: unknown): void;
}

/** @returns a promise for the write's result, once its job has run and resolved */
export function queued<T>(
	fn: (tx: Connection) => Promise<T>,
	add: (job: Job) => void,
): Promise<T> {
	return new Promise<T>((resolve, reject) => {
		let result: T;
		add({
			// The group runs in the async context of its first caller, not of this one.
			run: bindAsync(async (tx: Connection) => {
				result = await fn(tx);
			}),
			resolve: () => resolve(result),
			reject,
		});
	});
}

interface SqliteJob extends Job {
	isLong: boolean;
	isDurable: boolean;
	/** True if its group ran out of time before it. */
	isSetBack: boolean;
}

/** The parts of a write transaction that differ between stores. */
export interface Committing {
	/** @param isDurable whether one of the group's writes is */
	begin(isLong: boolean, isDurable: boolean): Promise<void>;
	/** @throws ShopError if a commit would be lost now */
	assertInPlace(): void;
	/** Runs a group when the store allows it. Default: immediately. */
	admit?(work: () => Promise<void>): Promise<void>;
}

/** Runs the writes of a store on SQLite in order, and commits waiting ones together. */
export class WriteQueue {
	readonly #writer: SqliteConnection;
	readonly #committing: Committing;
	#queue: SqliteJob[] = [];
	#wasPatient = true;
	/** Pending until the queue is empty. */
	draining: Promise<void> | undefined;

	constructor(writer: SqliteConnection, committing: Committing) {
		this.#writer = writer;
		this.#committing = committing;
	}

	add<T>(
		fn: (tx: Connection) => Promise<T>,
		{ isLong = false, isDurable = true }: WriteOptions,
	): Promise<T> {
		return queued(fn, (job) => {
			this.#queue.push({ ...job, isLong, isDurable, isSetBack: false });
			this.draining ??= this.#drain();
		});
	}

	/**
	 * Writes that arrive in the same turn of the event loop share one commit, and so one wait for the disk. Where a group is
	 * admitted, there are no other people's: a till's own sale waits for no turn.
	 */
	async #drain(): Promise<void> {
		const { admit } = this.#committing;
		await (admit ? undefined : nextTurn());
		while (this.#queue.length > 0) {
			const group = this.#nextGroup();
			const commit = () => this.#commit(group);
			await (admit ? admit(commit) : commit());
			// Sends answers and accepts new requests before the next group.
			await nextTurn();
		}
		this.draining = undefined;
	}

	/**
	 * Alternates between short writes and those that are long or were set back, so that neither waits for all of the
	 * others.
	 */
	#nextGroup(): SqliteJob[] {
		const patient = this.#queue.filter((job) => job.isLong || job.isSetBack);
		const isPatient =
			patient.length === this.#queue.length ||
			(patient.length > 0 && !this.#wasPatient);
		const isLong = isPatient && patient[0]?.isLong === true;
		const next = this.#queue
			.filter(
				(job) =>
					job.isLong === isLong && job.isSetBack === (isPatient && !isLong),
			)
			.slice(0, isLong ? longGroupMax : groupMax);
		const taken = new Set(next);
		this.#queue = this.#queue.filter((job) => !taken.has(job));
		this.#wasPatient = isPatient;
		return next;
	}

	async #commit(group: SqliteJob[]): Promise<void> {
		const done: SqliteJob[] = [];
		let begun = group;
		const isAlone = group.length === 1;
		// A savepoint copies each page that changes inside it, and each statement walks through all of them: a thousand
		// sales take five times as long in one. So long jobs run without, and are rolled back with the whole transaction.
		const isLong = group.some(({ isLong }) => isLong);
		const isOne = isAlone || isLong;
		try {
			const isDurable = group.some(({ isDurable }) => isDurable);
			// A disk that failed may not have rolled back the group before.
			this.#rollBack();
			await this.#committing.begin(isLong, isDurable);
			const workMax = this.#writer.turns.total + groupWork;
			for (const [i, job] of group.entries()) {
				if (!isLong && this.#writer.turns.total > workMax) {
					begun = group.slice(0, i);
					break;
				}
				try {
					if (isOne) await job.run(this.#writer);
					else await this.#writer.savepoint(() => job.run(this.#writer));
					done.push(job);
				} catch (error) {
					// A full or failing disk may have rolled back the whole group already, so none of it may be acknowledged.
					const isUndone = !this.#writer.db.inTransaction;
					if (isOne || isUndone || isStorageError(error)) throw error;
					job.reject(error);
				}
			}
			// Checked last, so that no caller hears that a lost commit succeeded.
			this.#committing.assertInPlace();
			this.#writer.exec("COMMIT");
		} catch (error) {
			const failure = this.#tryToRollBack() ?? error;
			// Running each job alone shows which one failed.
			if (isOne && !isAlone && !isStorageError(failure))
				for (const job of group) await this.#commit([job]);
			else for (const job of begun) job.reject(failure);
			return;
		} finally {
			const rest = group.slice(begun.length);
			for (const job of rest) job.isSetBack = true;
			this.#queue.unshift(...rest);
		}
		for (const job of done) job.resolve();
	}

	#rollBack(): void {
		if (this.#writer.db.inTransaction) this.#writer.exec("ROLLBACK");
	}

	/** @returns why it can't */
	#tryToRollBack(): unknown {
		try {
			this.#rollBack();
			return undefined;
		} catch (error) {
			return error;
		}
	}
}
