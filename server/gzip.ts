import { promisify } from "node:util";
import { constants, crc32, deflateRaw, deflateRawSync } from "node:zlib";

/** A fifth of the usual level's time for a few per cent more bytes: two hundred tills may fetch a day at once. */
export const compressionLevel = 4;

// RFC 1952, section 2.3: a deflated file of unknown time and system.
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const wordSize = 2 ** 32;

/** Text that many answers begin with, compressed once. */
export interface GzipBeginning {
	/** Deflated up to a byte boundary (RFC 1951, section 3.2.4), so that anything may follow. */
	deflated: Buffer;
	crc: number;
	length: number;
}

const deflate = promisify<
	Buffer,
	{ level: number; finishFlush: number },
	Buffer
>(deflateRaw);

export async function beginGzip(text: string): Promise<GzipBeginning> {
	const bytes = Buffer.from(text);
	const deflated = await deflate(bytes, {
		level: compressionLevel,
		finishFlush: constants.Z_SYNC_FLUSH,
	});
	return { deflated, crc: crc32(bytes), length: bytes.length };
}

/** @returns one whole gzip member, in parts: the beginning and then `rest` */
export function endGzip(beginning: GzipBeginning, rest: string): Buffer[] {
	const bytes = Buffer.from(rest);
	const trailer = Buffer.alloc(8);
	trailer.writeUInt32LE(crc32(bytes, beginning.crc), 0);
	trailer.writeUInt32LE((beginning.length + bytes.length) % wordSize, 4);
	const deflated = deflateRawSync(bytes, { level: compressionLevel });
	return [header, beginning.deflated, deflated, trailer];
}
