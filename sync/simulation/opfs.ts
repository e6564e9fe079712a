/*
 * A browser's own file system (OPFS) in memory, as far as SQLite's pool of files asks for it; the pool is the real one. What
 * was written and not flushed is known apart, so that a power cut can lose it.
 */

type Change = { at: number; bytes: Uint8Array } | { size: number };
type Undo = (content: Content) => void;

/** What a disk holds of a file. */
class Content {
	size: number;
	#bytes: Uint8Array;

	constructor(bytes: Uint8Array = new Uint8Array(0)) {
		this.#bytes = bytes.slice();
		this.size = bytes.length;
	}

	/** @returns what undoes it, after all that came later was undone */
	apply(change: Change): Undo {
		const sizeBefore = this.size;
		const at = "size" in change ? change.size : change.at;
		const end = "size" in change ? sizeBefore : at + change.bytes.length;
		this.#grow(Math.max(at, end));
		const before = this.#bytes.slice(at, end);
		if ("size" in change) {
			// What comes back after it was cut off is empty.
			this.#bytes.fill(0, at);
			this.size = at;
		} else {
			this.#bytes.set(change.bytes, at);
			this.size = Math.max(sizeBefore, end);
		}
		return (content) => {
			content.#grow(at + before.length);
			content.#bytes.set(before, at);
			content.size = sizeBefore;
		};
	}

	read(into: Uint8Array, at: number): number {
		const end = Math.min(this.size, at + into.length);
		const bytes = this.#bytes.subarray(at, end);
		into.set(bytes);
		return bytes.length;
	}

	copy(): Uint8Array {
		return this.#bytes.slice(0, this.size);
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
	#unflushed: { change: Change; undo: Undo }[] = [];
	#isOpen = false;

	constructor(name: string, faults: OpfsFaults, bytes?: Uint8Array) {
		this.name = name;
		this.#faults = faults;
		this.content = new Content(bytes);
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
				if (this.#faults.flushes()) this.#unflushed = [];
			},
			close: () => {
				this.#isOpen = false;
			},
		};
	}

	#change(change: Change): void {
		this.#unflushed.push({ change, undo: this.content.apply(change) });
	}

	/**
	 * What is left of it when the power is gone.
	 *
	 * @param survives asked of each change that was not flushed
	 */
	afterCut(survives: () => boolean): { bytes: Uint8Array; lost: number } {
		const content = new Content(this.content.copy());
		for (const { undo } of this.#unflushed.toReversed()) undo(content);
		let lost = 0;
		for (const { change } of this.#unflushed)
			if (survives()) content.apply(change);
			else lost += 1;
		return { bytes: content.copy(), lost };
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
export type PoolImage = ReadonlyMap<string, Uint8Array>;

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
			for (const [name, bytes] of image)
				entries.set(name, new SimulatedFile(name, faults, bytes));
		},

		cut(directory, survives) {
			const left = files(directory).map(
				([name, file]) => [name, file.afterCut(survives)] as const,
			);
			return {
				image: new Map(left.map(([name, { bytes }]) => [name, bytes])),
				lost: left.reduce((sum, [, { lost }]) => sum + lost, 0),
			};
		},
	};
}
