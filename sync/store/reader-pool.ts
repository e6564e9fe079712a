const readersMax = 8;

/** How a pool opens and closes its connections. */
interface Readers<Reader> {
	open(): Reader | Promise<Reader>;
	close(reader: Reader): void | Promise<void>;
	/**
	 * Closes a connection that can't be used any more.
	 *
	 * @returns whether it was broken
	 */
	discardBroken(reader: Reader): boolean;
}

/** A store's connections for reading: opened on demand, lent to one read at a time and reused. */
export class ReaderPool<Reader> {
	readonly #readers: Readers<Reader>;
	readonly #idle: Reader[] = [];
	/** A waiting read receives a connection, or undefined if it may open one. */
	readonly #waiting: ((reader: Reader | undefined) => void)[] = [];
	#count = 0;
	#closed = false;

	constructor(readers: Readers<Reader>) {
		this.#readers = readers;
	}

	async use<T>(fn: (reader: Reader) => Promise<T>): Promise<T> {
		const reader = await this.#take();
		try {
			return await fn(reader);
		} finally {
			this.#give(reader);
		}
	}

	/** Closes idle connections now, and each of the others after its read. */
	async close(): Promise<void> {
		this.#closed = true;
		await Promise.all(this.#idle.map((reader) => this.#readers.close(reader)));
	}

	async #take(): Promise<Reader> {
		for (;;) {
			const idle = this.#idle.pop();
			if (idle && !this.#readers.discardBroken(idle)) return idle;
			if (idle) this.#count -= 1;
			else if (this.#count < readersMax) return this.#open();
			else {
				const given = await new Promise<Reader | undefined>((resolve) =>
					this.#waiting.push(resolve),
				);
				if (given) return given;
			}
		}
	}

	async #open(): Promise<Reader> {
		this.#count += 1;
		try {
			return await this.#readers.open();
		} catch (error) {
			this.#count -= 1;
			this.#waiting.shift()?.(undefined);
			throw error;
		}
	}

	#give(reader: Reader): void {
		const isBroken = this.#readers.discardBroken(reader);
		if (isBroken) this.#count -= 1;
		const next = this.#waiting.shift();
		if (next) next(isBroken ? undefined : reader);
		else if (isBroken) return;
		else if (this.#closed) void this.#readers.close(reader);
		else this.#idle.push(reader);
	}
}
