import { bindAsync, nextTurn } from "#platform";
import { isStorageError } from "../protocol/errors.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import type { Connection } from "./store.ts";

/** How many writes may wait for the disk together; more wait for the next commit. */
export const groupMax = 256;
/** How many long writes share a commit: sales of the same hour lie on the same pages, whichever till brings them. */
const longGroupMax = 16;
/** After so much of a group of short writes, ten milliseconds or twenty, the rest wait for a later commit. */
const groupWork = 1_000;

/** A write that waits for its turn. */
export interface Job {
	run(tx: Connection): Promise<void>;
	resolve(): void;
	reject(error: unknown): void;
}

/** @returns what a write makes, once its job was run and resolved */
export function queued<T>(
	fn: (tx: Connection) => Promise<T>,
	add: (job: Job) => void,
): Promise<T> {
	return new Promise<T>((resolve, reject) => {
		let result: T;
		add({
			// Whoever asked first is not the one who asks for all that waits with it.
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
	/** Those before it in its group took long. */
	isSetBack: boolean;
}

/** What a store does about the transactions of its writer. */
export interface Committing {
	begin(isLong: boolean): Promise<void>;
	/** @throws ShopError where what is committed now would be lost */
	assertInPlace(): void;
	/** Lets a group work when it may; at once by default. */
	admit?(work: () => Promise<void>): Promise<void>;
}

/** The writes of a store on SQLite, in their order: those that wait for the disk together are committed together. */
export class WriteQueue {
	readonly #writer: SqliteConnection;
	readonly #committing: Committing;
	#queue: SqliteJob[] = [];
	#wasPatient = true;
	/** Until nothing waits any more. */
	draining: Promise<void> | undefined;

	constructor(writer: SqliteConnection, committing: Committing) {
		this.#writer = writer;
		this.#committing = committing;
	}

	add<T>(fn: (tx: Connection) => Promise<T>, isLong: boolean): Promise<T> {
		return queued(fn, (job) => {
			this.#queue.push({ ...job, isLong, isSetBack: false });
			this.draining ??= this.#drain();
		});
	}

	/** Writes that arrived in the same turn of the event loop share one commit, so one wait for the disk. */
	async #drain(): Promise<void> {
		const { admit = (work) => work() } = this.#committing;
		await nextTurn();
		while (this.#queue.length > 0) {
			const group = this.#nextGroup();
			await admit(() => this.#commit(group));
			// Answers go out, and new requests come in, before the next group.
			await nextTurn();
		}
		this.draining = undefined;
	}

	/** Short ones take turns with those that are long or were set back: neither waits for all of the others. */
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
		// A savepoint copies each page that changes inside it, and each statement walks through them all: a thousand sales
		// take five times as long in one. Long jobs are undone with their transaction, as one that is alone.
		const isLong = group.some(({ isLong }) => isLong);
		const isOne = isAlone || isLong;
		try {
			await this.#committing.begin(isLong);
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
					// A full or failing disk may have undone the whole group already: nobody is told that it holds.
					const isUndone = !this.#writer.db.inTransaction;
					if (isOne || isUndone || isStorageError(error)) throw error;
					job.reject(error);
				}
			}
			// A caller must not hear that something is kept which is not.
			this.#committing.assertInPlace();
			this.#writer.exec("COMMIT");
		} catch (error) {
			if (this.#writer.db.inTransaction) this.#writer.exec("ROLLBACK");
			// Whose fault it was shows when each is by itself.
			if (isOne && !isAlone && !isStorageError(error))
				for (const job of group) await this.#commit([job]);
			else for (const job of begun) job.reject(error);
			return;
		} finally {
			const rest = group.slice(begun.length);
			for (const job of rest) job.isSetBack = true;
			this.#queue.unshift(...rest);
		}
		for (const job of done) job.resolve();
	}
}
