import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import {
	type CompressedRows,
	compressionLevel,
} from "../../sync/feed/compressed-rows.ts";

// RFC 1952, section 2.3: one deflated member, without a time, from an unknown system.
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const wordSize = 2 ** 32;

/** @returns a gzip file of the compressed text and `rest`, in parts, so that the long part is not copied */
export function gzipOf(compressed: CompressedRows, rest: string): Buffer[] {
	const bytes = Buffer.from(rest);
	const trailer = Buffer.alloc(8);
	trailer.writeUInt32LE(crc32(bytes, compressed.crc), 0);
	trailer.writeUInt32LE((compressed.length + bytes.length) % wordSize, 4);
	const deflated = deflateRawSync(bytes, { level: compressionLevel });
	return [header, compressed.deflated, deflated, trailer];
}

/** Compresses synchronously: for a few kilobytes, a stream and another thread cost more than the work. */
export function gzipShort(text: string): Buffer {
	return gzipSync(text, { level: compressionLevel });
}
