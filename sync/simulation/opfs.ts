/*
 * A browser's origin private file system (OPFS) in memory, as far as SQLite's real pool of files uses it. Unflushed
 * writes are tracked, so that a power failure can lose them.
 */

/** What a disk writes wholly or not at all. */
const sectorBytes = 4_096;

/** A range that was written, or a size after a truncation. */
type Change = { at: number; end: number } | { size: number };

/** The content of a file. It reuses its memory, because garbage collection would cost too much. */
class Content {
	size = 0;
	#bytes = new Uint8Array(0);

	reset(bytes: Uint8Array): void {
		this.truncate(0);
		this.write(bytes, 0);
	}

	write(bytes: Uint8Array, at: number): void {
		const end = at + bytes.length;
		this.#grow(end);
		this.#bytes.set(bytes, at);
		this.size = Math.max(this.size, end);
	}

	truncate(size: number): void {
		this.#grow(size);
		// Bytes that come back after a truncation are zero.
		if (size < this.size) this.#bytes.fill(0, size, this.size);
		this.size = size;
	}

	read(at: number, end: number): Uint8Array {
		return this.#bytes.subarray(at, Math.min(end, this.size));
	}

	copy(): Uint8Array<ArrayBuffer> {
		return this.#bytes.slice(0, this.size);
	}

	#grow(size: number): void {
		if (size <= this.#bytes.length) return;
		const grown = new Uint8Array(Math.max(size, 2 * this.#bytes.length));
		grown.set(this.#bytes);
		this.#bytes = grown;
	}
}

/** Faults that a test sets for all files. */
interface OpfsFaults {
	/** Called before each file is opened; its error fails the opening. */
	beforeOpen(): void;
	/** Called before each read; its error fails the read. */
	beforeRead(): void;
	/** @returns how many of the bytes are written; its error fails the write */
	room(bytes: number): number;
	/** @returns whether a flush really flushes */
	flushes(): boolean;
}

class SimulatedFile {
	readonly kind = "file";
	readonly name: string;
	readonly #faults: OpfsFaults;
	readonly content = new Content();
	/** The content that is certainly on the disk. */
	readonly #flushed = new Content();
	#unflushed: Change[] = [];
	#isOpen = false;

	constructor(name: string, faults: OpfsFaults) {
		this.name = name;
		this.#faults = faults;
	}

	reset(bytes: Uint8Array): void {
		if (this.#isOpen) throw new Error(`${this.name} is open`);
		this.content.reset(bytes);
		this.#flushed.reset(bytes);
		this.#unflushed = [];
	}

	async getFile() {
		return new Blob([this.content.copy()]);
	}

	async createSyncAccessHandle() {
		this.#faults.beforeOpen();
		if (this.#isOpen)
			throw new DOMException("It is open", "NoModificationAllowedError");
		this.#isOpen = true;
		return {
			read: (into: ArrayBufferView, { at = 0 } = {}) => {
				this.#faults.beforeRead();
				const bytes = this.content.read(at, at + into.byteLength);
				bytesOf(into).set(bytes);
				return bytes.length;
			},
			write: (written: ArrayBufferView, { at = 0 } = {}) => {
				const room = this.#faults.room(written.byteLength);
				const bytes = bytesOf(written).subarray(0, room);
				this.content.write(bytes, at);
				const end = at + bytes.length;
				for (let from = at; from < end; from += sectorBytes)
					this.#unflushed.push({
						at: from,
						end: Math.min(from + sectorBytes, end),
					});
				return bytes.length;
			},
			truncate: (size: number) => {
				this.content.truncate(size);
				this.#unflushed.push({ size });
			},
			getSize: () => this.content.size,
			flush: () => {
				if (!this.#faults.flushes()) return;
				for (const change of this.#unflushed) this.#keep(change, this.#flushed);
				this.#unflushed = [];
			},
			close: () => {
				this.#isOpen = false;
			},
		};
	}

	/** Copies the current content of a change's range, like a disk that writes a page once for several changes. */
	#keep(change: Change, content: Content): void {
		if ("size" in change) content.truncate(change.size);
		else content.write(this.content.read(change.at, change.end), change.at);
	}

	/**
	 * Returns the content after a power failure.
	 *
	 * @param survives decides about each change that was not flushed
	 */
	afterCut(survives: () => boolean): { bytes: Uint8Array; lost: number } {
		const content = new Content();
		content.reset(this.#flushed.read(0, this.#flushed.size));
		let lost = 0;
		for (const change of this.#unflushed)
			if (survives()) this.#keep(change, content);
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
		return this.file(name);
	}

	async removeEntry(name: string): Promise<void> {
		this.entries.delete(name);
	}

	async *[Symbol.asyncIterator]() {
		yield* [...this.entries];
	}

	file(name: string): SimulatedFile {
		const found = this.entries.get(name);
		if (found instanceof SimulatedFile) return found;
		const file = new SimulatedFile(name, this.#faults);
		this.entries.set(name, file);
		return file;
	}

	directory(name: string): SimulatedDirectory {
		const found = this.entries.get(name);
		if (found instanceof SimulatedDirectory) return found;
		const directory = new SimulatedDirectory(name, this.#faults);
		this.entries.set(name, directory);
		return directory;
	}
}

/** The files of a pool by their names in it. */
export type PoolImage = ReadonlyMap<string, Uint8Array>;

/** The simulated file system of this thread, created on first use. */
export interface SimulatedOpfs {
	readonly faults: OpfsFaults;
	/** @returns the current files of the pool in a directory */
	copy(directory: string): PoolImage;
	/** Puts the files of a pool that is not open into a directory. */
	load(directory: string, image: PoolImage): void;
	/**
	 * Cuts the power.
	 *
	 * @returns the content of the disk, and the number of lost writes
	 */
	cut(
		directory: string,
		survives: () => boolean,
	): { image: PoolImage; lost: number };
}

/** Installs it where a browser's worker has it. */
export function simulateOpfs(): SimulatedOpfs {
	const faults: OpfsFaults = {
		beforeOpen() {},
		beforeRead() {},
		room: (bytes) => bytes,
		flushes: () => true,
	};
	const root = new SimulatedDirectory("", faults);
	const pool = (directory: string) =>
		[...directory.split("/"), ".opaque"].reduce(
			(at, name) => (name === "" ? at : at.directory(name)),
			root,
		);
	const files = (directory: string) =>
		[...pool(directory).entries.values()].filter(
			(entry) => entry instanceof SimulatedFile,
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
				files(directory).map(({ name, content }) => [name, content.copy()]),
			),

		load(directory, image) {
			const at = pool(directory);
			for (const { name } of files(directory))
				if (!image.has(name)) at.entries.delete(name);
			for (const [name, bytes] of image) at.file(name).reset(bytes);
		},

		cut(directory, survives) {
			const image = new Map<string, Uint8Array>();
			let lost = 0;
			for (const file of files(directory)) {
				const left = file.afterCut(survives);
				image.set(file.name, left.bytes);
				lost += left.lost;
			}
			return { image, lost };
		},
	};
}
