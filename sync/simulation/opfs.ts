/*
 * A browser's own file system (OPFS) in memory, as far as SQLite's pool of files asks for it; the pool is the real one. What
 * was written and not flushed is known apart, so that a power cut can lose it.
 */

type Change = { at: number; bytes: Uint8Array } | { size: number };

/** What a disk holds of a file. */
export class Content {
	size = 0;
	#bytes = new Uint8Array(0);

	apply(change: Change): void {
		if ("size" in change) {
			this.#grow(change.size);
			// What comes back after it was cut off is empty.
			this.#bytes.fill(0, change.size);
			this.size = change.size;
		} else {
			const end = change.at + change.bytes.length;
			this.#grow(end);
			this.#bytes.set(change.bytes, change.at);
			this.size = Math.max(this.size, end);
		}
	}

	read(into: Uint8Array, at: number): number {
		const bytes = this.#bytes.subarray(
			at,
			Math.min(this.size, at + into.length),
		);
		into.set(bytes);
		return bytes.length;
	}

	copy(): Content {
		const copy = new Content();
		copy.#bytes = this.#bytes.slice(0, this.size);
		copy.size = this.size;
		return copy;
	}

	#grow(size: number): void {
		if (size <= this.#bytes.length) return;
		const grown = new Uint8Array(Math.max(size, 2 * this.#bytes.length));
		grown.set(this.#bytes);
		this.#bytes = grown;
	}
}

/** What a test does to all files. */
export interface OpfsFaults {
	/** Called before each file is opened; what it throws, opening throws. */
	beforeOpen(): void;
	/** @returns how many of the bytes are written; what it throws, writing throws */
	room(bytes: number): number;
	/** @returns whether flushing does what it says */
	flushes(): boolean;
}

class SimulatedFile {
	readonly kind = "file";
	readonly name: string;
	readonly #faults: OpfsFaults;
	readonly content: Content;
	readonly #flushed: Content;
	#unflushed: Change[] = [];
	#isOpen = false;

	constructor(name: string, faults: OpfsFaults, content = new Content()) {
		this.name = name;
		this.#faults = faults;
		this.content = content;
		this.#flushed = content.copy();
	}

	async createSyncAccessHandle() {
		this.#faults.beforeOpen();
		if (this.#isOpen)
			throw new DOMException("It is open", "NoModificationAllowedError");
		this.#isOpen = true;
		return {
			read: (into: ArrayBufferView, { at = 0 } = {}) =>
				this.content.read(bytesOf(into), at),
			write: (from: ArrayBufferView, { at = 0 } = {}) => {
				// It is memory of WebAssembly, which changes.
				const { length } = bytesOf(from);
				const bytes = bytesOf(from).slice(0, this.#faults.room(length));
				this.#change({ at, bytes });
				return bytes.length;
			},
			truncate: (size: number) => this.#change({ size }),
			getSize: () => this.content.size,
			flush: () => {
				if (!this.#faults.flushes()) return;
				for (const change of this.#unflushed) this.#flushed.apply(change);
				this.#unflushed = [];
			},
			close: () => {
				this.#isOpen = false;
			},
		};
	}

	#change(change: Change): void {
		this.content.apply(change);
		this.#unflushed.push(change);
	}

	/**
	 * What is left of it when the power is gone.
	 *
	 * @param survives asked of each change that was not flushed
	 */
	afterCut(survives: () => boolean): { content: Content; lost: number } {
		const content = this.#flushed.copy();
		let lost = 0;
		for (const change of this.#unflushed)
			if (survives()) content.apply(change);
			else lost += 1;
		return { content, lost };
	}
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView) {
	return new Uint8Array(buffer, byteOffset, byteLength);
}

class SimulatedDirectory {
	readonly kind = "directory";
	readonly name: string;
	readonly #faults: OpfsFaults;
	readonly entries = new Map<string, SimulatedFile | SimulatedDirectory>();

	constructor(name: string, faults: OpfsFaults) {
		this.name = name;
		this.#faults = faults;
	}

	async getDirectoryHandle(name: string) {
		return this.directory(name);
	}

	async getFileHandle(name: string) {
		const found = this.entries.get(name);
		if (found instanceof SimulatedFile) return found;
		const file = new SimulatedFile(name, this.#faults);
		this.entries.set(name, file);
		return file;
	}

	async removeEntry(name: string): Promise<void> {
		this.entries.delete(name);
	}

	async *[Symbol.asyncIterator]() {
		yield* [...this.entries];
	}

	directory(name: string): SimulatedDirectory {
		const found = this.entries.get(name);
		if (found instanceof SimulatedDirectory) return found;
		const directory = new SimulatedDirectory(name, this.#faults);
		this.entries.set(name, directory);
		return directory;
	}
}

/** The files of a pool, by their names in it. */
export type PoolImage = ReadonlyMap<string, Content>;

/** The file system of this thread's browser, from when it is first asked for. */
export interface SimulatedOpfs {
	readonly faults: OpfsFaults;
	/** @returns the files of the pool in a directory, as they are now */
	copy(directory: string): PoolImage;
	/** Files of that pool from now on. Those that are open go on in files that nobody finds any more. */
	load(directory: string, image: PoolImage): void;
	/** The power is gone. @returns what is left, and how many writes were lost */
	cut(
		directory: string,
		survives: () => boolean,
	): { image: PoolImage; lost: number };
}

/** Lays it where a browser's worker has it. */
export function simulateOpfs(): SimulatedOpfs {
	const faults: OpfsFaults = {
		beforeOpen() {},
		room: (bytes) => bytes,
		flushes: () => true,
	};
	const root = new SimulatedDirectory("", faults);
	const pool = (directory: string) =>
		[...directory.split("/"), ".opaque"].reduce(
			(at, name) => (name === "" ? at : at.directory(name)),
			root,
		).entries;
	const files = (directory: string) =>
		[...pool(directory)].filter(
			(entry): entry is [string, SimulatedFile] =>
				entry[1] instanceof SimulatedFile,
		);
	Object.assign(globalThis, {
		FileSystemHandle: Object,
		FileSystemDirectoryHandle: SimulatedDirectory,
		FileSystemFileHandle: SimulatedFile,
	});
	Object.defineProperty(navigator, "storage", {
		value: { getDirectory: async () => root },
		configurable: true,
	});
	return {
		faults,

		copy: (directory) =>
			new Map(
				files(directory).map(([name, { content }]) => [name, content.copy()]),
			),

		load(directory, image) {
			const entries = pool(directory);
			entries.clear();
			for (const [name, content] of image)
				entries.set(name, new SimulatedFile(name, faults, content.copy()));
		},

		cut(directory, survives) {
			const left = files(directory).map(
				([name, file]) => [name, file.afterCut(survives)] as const,
			);
			return {
				image: new Map(left.map(([name, { content }]) => [name, content])),
				lost: left.reduce((sum, [, { lost }]) => sum + lost, 0),
			};
		},
	};
}
