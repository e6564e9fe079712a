/** One record of the disk recorder: an operation on a file, or an acknowledgement. */
export interface Step {
	kind: "W" | "T" | "S" | "U" | "A";
	/** Empty for the directory itself. */
	file: string;
	/** The offset of a write, or the length after a truncation. */
	offset: number;
	data: Buffer;
}

export function readRecording(log: Buffer): Step[] {
	const steps: Step[] = [];
	for (let at = 0; at < log.length; ) {
		const kind = String.fromCharCode(log.readUInt8(at)) as Step["kind"];
		const nameEnd = at + 5 + log.readUInt32LE(at + 1);
		const file = log.toString("utf8", at + 5, nameEnd);
		const offset = Number(log.readBigUInt64LE(nameEnd));
		const begin = nameEnd + 12;
		const end = begin + log.readUInt32LE(nameEnd + 8);
		steps.push({ kind, file, offset, data: log.subarray(begin, end) });
		at = end;
	}
	return steps;
}

/** The fate of unsynced data when the power fails. */
export interface Luck {
	/** The fraction that reaches the disk anyway, in any order, from 0 to 1. */
	share: number;
	/** Whether a write may arrive in part. A disk writes at least a sector whole. */
	isTorn: boolean;
}

export const lucks: readonly Luck[] = [
	{ share: 0, isTorn: false },
	{ share: 0.5, isTorn: false },
	{ share: 0.9, isTorn: false },
	{ share: 0.5, isTorn: true },
	{ share: 0.9, isTorn: true },
	{ share: 1, isTorn: false },
];

const sectorBytes = 512;

/** A simulated disk that is sure to keep only synced data. */
export class Disk {
	readonly #files = new Map<string, DiskFile>();

	do({ kind, file: name, offset, data }: Step): void {
		if (kind === "A") return;
		if (name === "") {
			for (const [gone, file] of this.#files)
				if (file.isUnlinked) this.#files.delete(gone);
			return;
		}
		const known = this.#files.get(name);
		if (kind === "U") {
			if (known) known.isUnlinked = true;
			return;
		}
		// The name of a deleted file belongs to a new one.
		const file = known && !known.isUnlinked ? known : new DiskFile();
		this.#files.set(name, file);
		if (kind === "S") file.settle();
		else if (kind === "T") file.unsettled.push({ cutTo: offset });
		else file.unsettled.push({ offset, data });
	}

	/** The files as they are found after the power failure, by name. */
	cut(luck: Luck): Map<string, Buffer> {
		const found = new Map<string, Buffer>();
		for (const [name, file] of this.#files)
			if (!file.isUnlinked || isLucky(luck.share))
				found.set(name, file.cut(luck));
		return found;
	}
}

type Change = { cutTo: number } | { offset: number; data: Buffer };

class DiskFile {
	readonly #settled = new Bytes();
	unsettled: Change[] = [];
	/** The name may come back until the directory is synced. */
	isUnlinked = false;

	settle(): void {
		for (const change of this.unsettled) this.#settled.take(change);
		this.unsettled = [];
	}

	cut({ share, isTorn }: Luck): Buffer {
		const bytes = this.#settled.copy();
		for (const change of this.unsettled)
			for (const part of isTorn ? sectorsOf(change) : [change])
				if (isLucky(share)) bytes.take(part);
		return bytes.whole();
	}
}

/** A file's growing content. */
class Bytes {
	#room = Buffer.alloc(0);
	#length = 0;

	take(change: Change): void {
		if ("cutTo" in change) {
			this.#reserve(change.cutTo);
			this.#room.fill(0, change.cutTo);
			this.#length = change.cutTo;
			return;
		}
		const end = change.offset + change.data.length;
		this.#reserve(end);
		change.data.copy(this.#room, change.offset);
		this.#length = Math.max(this.#length, end);
	}

	copy(): Bytes {
		const copy = new Bytes();
		copy.#room = Buffer.from(this.whole());
		copy.#length = this.#length;
		return copy;
	}

	whole(): Buffer {
		return this.#room.subarray(0, this.#length);
	}

	#reserve(length: number): void {
		if (length <= this.#room.length) return;
		const room = Buffer.alloc(Math.max(length, this.#room.length * 2));
		this.whole().copy(room);
		this.#room = room;
	}
}

function sectorsOf(change: Change): Change[] {
	if ("cutTo" in change) return [change];
	const { offset, data } = change;
	const sectors: Change[] = [];
	for (let at = 0; at < data.length; at += sectorBytes)
		sectors.push({
			offset: offset + at,
			data: data.subarray(at, at + sectorBytes),
		});
	return sectors;
}

function isLucky(share: number): boolean {
	return Math.random() < share;
}
