import { createHash } from "node:crypto";
import { once } from "node:events";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ZipFile } from "yazl";
import { readDigest, readHead } from "../../../sync/feed/feed.ts";
import { toIso } from "../../../sync/protocol/clock.ts";
import type { Shop } from "../../../sync/shop.ts";
import { readMeta } from "../../../sync/store/meta.ts";
import type { Connection } from "../../../sync/store/store.ts";
import { archiveFormat, type Manifest, manifestFile } from "./manifest.ts";
import { archiveParts, type Part } from "./parts.ts";

interface Options {
	/** False leaves out password hashes. */
	withPasswords: boolean;
	signal: AbortSignal;
	/** Called with the number of records written so far. */
	onProgress(records: number): void;
}

/**
 * Writes a shop as an archive: a zip with one file of JSON lines per kind of record, and a manifest. All files come from
 * one read transaction, which blocks no writers.
 */
export async function writeArchive(
	{ store, env }: Shop,
	businessId: string,
	file: NodeJS.WritableStream,
	{ withPasswords, signal, onProgress }: Options,
): Promise<Manifest> {
	return store.read(async (tx) => {
		const zip = new ZipFile();
		const mtime = new Date(env.now());
		const manifest: Manifest = {
			format: archiveFormat,
			schemaVersion: Number(await readMeta(tx, "schema_version")),
			madeAt: toIso(env.now()),
			businessId,
			head: await readHead(tx, businessId),
			digest: await readDigest(tx, businessId),
			files: [],
		};
		let told = 0;
		let reading: Readable | undefined;
		// yazl opens each stream only when the previous one has ended.
		for (const part of archiveParts(withPasswords))
			zip.addReadStreamLazy(`${part.name}.jsonl`, { mtime }, (give) => {
				const lines = linesOf(tx, part, manifest, (records) => {
					told += records;
					onProgress(told);
				});
				reading = Readable.from(lines, { objectMode: false });
				give(null, reading);
			});
		zip.addReadStreamLazy(manifestFile, { mtime }, (give) =>
			give(null, Readable.from([JSON.stringify(manifest, null, 2)])),
		);
		zip.end();
		const failed = new AbortController();
		zip.on("error", (error) => failed.abort(error));
		try {
			await pipeline(zip.outputStream, file, {
				signal: AbortSignal.any([signal, failed.signal]),
			});
		} catch (error) {
			if (reading) await end(reading);
			failed.signal.throwIfAborted();
			throw error;
		}
		return manifest;
	});
}

/** Waits for the page being read, because the transaction must not end before. */
async function end(stream: Readable): Promise<void> {
	stream.destroy();
	if (!stream.closed) await once(stream, "close");
}

async function* linesOf(
	tx: Connection,
	part: Part,
	{ businessId, files }: Manifest,
	onPage: (records: number) => void,
): AsyncGenerator<string> {
	const hash = createHash("sha256");
	let records = 0;
	for await (const page of part.read(tx, businessId)) {
		const text = page.map((record) => `${JSON.stringify(record)}\n`).join("");
		hash.update(text);
		records += page.length;
		onPage(page.length);
		yield text;
		await nextTurn();
	}
	const { name } = part;
	files.push({ name, records, sha256: hash.digest("hex") });
}
