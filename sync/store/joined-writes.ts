/*
 * SQLite writes a commit to its log page by page, and each page's header apart. A browser takes about as long for each
 * of these forty writes of a sale as for all of them at once.
 */

/** An open file of a browser, as far as SQLite's pool of files uses it. */
export interface AccessHandle {
	read(into: Uint8Array, options: { at: number }): number;
	write(from: Uint8Array, options: { at: number }): number;
	truncate(size: number): void;
	getSize(): number;
	flush(): void;
	close(): void;
}

/** Larger than most commits. */
const bufferBytes = 512 * 1_024;

/** What has been written but not handed over, of one file at a time. */
const pending = {
	file: undefined as AccessHandle | undefined,
	at: 0,
	size: 0,
	/** So many of these bytes are of work that has succeeded. */
	committed: 0,
	bytes: new Uint8Array(0),
};
const nothing = { file: undefined, at: 0, size: 0, committed: 0 };
let isJoining = false;

/**
 * Runs a commit, and joins its writes. An error of one of them is thrown by the commit's flush, or at the end if it has
 * none. What fills the disk's last sector behind the flush is handed over with what is written next.
 */
export function joinWrites<T>(work: () => T, hasFlush: boolean): T {
	isJoining = true;
	try {
		const result = work();
		pending.committed = pending.size;
		if (!hasFlush) handOver();
		return result;
	} catch (error) {
		// A commit that failed is written again, or rolled back.
		pending.size = pending.committed;
		throw error;
	} finally {
		isJoining = false;
	}
}

/** Returns the same file, whose writes are joined during `joinWrites`. */
function joining(file: AccessHandle): AccessHandle {
	/** What was written before comes first. */
	function ordered(): AccessHandle {
		handOver();
		return file;
	}
	return {
		read(into, options) {
			const read = file.read(into, options);
			return pending.file === file ? addPending(into, options.at, read) : read;
		},
		write(from, { at }) {
			if (!isJoining || from.length > bufferBytes)
				return ordered().write(from, { at });
			const end = pending.at + pending.size;
			const isNext = pending.file === file && at === end;
			if (!isNext || pending.size + from.length > bufferBytes) {
				handOver();
				if (pending.bytes.length === 0)
					pending.bytes = new Uint8Array(bufferBytes);
				Object.assign(pending, { file, at });
			}
			pending.bytes.set(from, pending.size);
			pending.size += from.length;
			return from.length;
		},
		truncate: (size) => ordered().truncate(size),
		getSize() {
			const end = pending.file === file ? pending.at + pending.size : 0;
			return Math.max(file.getSize(), end);
		},
		flush: () => ordered().flush(),
		close() {
			// A full disk would keep it open, and what no flush has covered may be lost.
			if (pending.file === file) Object.assign(pending, nothing);
			file.close();
		},
	};
}

/** Puts what is pending over what was read from an offset: a full disk, too, has all that was committed. @returns the bytes read */
function addPending(into: Uint8Array, from: number, read: number): number {
	const { at, size, bytes } = pending;
	const start = Math.max(at, from);
	const end = Math.min(at + size, from + into.length);
	if (start >= end) return read;
	into.set(bytes.subarray(start - at, end - at), start - from);
	return Math.max(read, end - from);
}

/** The part of the browser's types that is needed here. */
interface FilePrototype {
	createSyncAccessHandle(): Promise<AccessHandle>;
}

let isOpeningJoined = false;

/** Joins the writes of all files that this thread opens from now on: SQLite's package opens its own. */
export function joinOpenedFiles(): void {
	// Where SQLite starts again: writes that are joined twice would overwrite each other in the buffer.
	if (isOpeningJoined) return;
	const { FileSystemFileHandle } = globalThis as unknown as {
		FileSystemFileHandle?: { prototype: FilePrototype };
	};
	// Absent in browsers without files; the shop is in memory there.
	if (!FileSystemFileHandle) return;
	isOpeningJoined = true;
	const { prototype } = FileSystemFileHandle;
	const open = prototype.createSyncAccessHandle;
	prototype.createSyncAccessHandle = async function () {
		return joining(await open.call(this));
	};
}

/** @throws DOMException if the disk is full: what was committed then waits for the next attempt */
function handOver(): void {
	const { file, at, size, bytes } = pending;
	if (file && size > 0) {
		// SQLite hears of the rest now: a checkpoint that ends here ends no commit.
		pending.size = pending.committed;
		const written = file.write(bytes.subarray(0, size), { at });
		if (written !== size)
			throw new DOMException("A write was cut short", "QuotaExceededError");
	}
	Object.assign(pending, nothing);
}
