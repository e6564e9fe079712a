import { createHash, type Hash } from "node:crypto";
import type { Readable } from "node:stream";
import { json } from "node:stream/consumers";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { readDigest } from "../../../sync/feed/feed.ts";
import { beginNewHistory } from "../../../sync/log/history.ts";
import { isStorageError } from "../../../sync/protocol/errors.ts";
import type { Shop } from "../../../sync/shop.ts";
import { readMeta } from "../../../sync/store/meta.ts";
import type { Connection } from "../../../sync/store/store.ts";
import {
	ArchiveError,
	archiveFormat,
	type Manifest,
	manifestFile,
	manifest as manifestSchema,
} from "./manifest.ts";
import { archiveParts, type Part } from "./parts.ts";

/** Manifests are small; a larger file is not one. */
const manifestMaxBytes = 1_000_000;
/** In UTF-16 units; a sale of a thousand lines takes a fifth of this. */
const lineMax = 4_000_000;

/**
 * Reads an archive's manifest.
 *
 * @throws ArchiveError if the file is not an archive
 */
export function inspectArchive(path: string): Promise<Manifest> {
	return withZip(path, (zip, entries) =>
		readManifest(zip, entries.get(manifestFile)),
	);
}

/**
 * Imports an archive, in one transaction, into a database that does not have its shop. The new epoch makes the shop's tills
 * fetch it again and resend what they sent after the archive was made, as after a restore.
 *
 * @param onProgress called with the number of records read so far
 * @param signal cancels the import with its reason
 * @throws ArchiveError if the file is not an archive, is damaged, is newer than this program, or its shop exists here
 */
export async function readArchive(
	{ store, env }: Shop,
	path: string,
	onProgress: (records: number) => void,
	signal = new AbortController().signal,
): Promise<Manifest> {
	return withZip(path, async (zip, entries) => {
		const manifest = await readManifest(zip, entries.get(manifestFile));
		await store.write(async (tx) => {
			await assertReadable(tx, manifest);
			let records = 0;
			for (const part of archiveParts(true)) {
				const entry = entries.get(`${part.name}.jsonl`);
				const said = manifest.files.find(({ name }) => name === part.name);
				if (!entry || !said)
					throw new ArchiveError(`It is damaged: ${part.name} is missing`);
				const stream = await zip.openReadStreamPromise(entry);
				const lines = { stream, said, signal };
				await readPart(tx, part, manifest.businessId, lines, () => {
					records += 1;
					onProgress(records);
				});
			}
			await tx.run(
				`UPDATE businesses SET head = ?,
           link = (SELECT link FROM mutations WHERE mutations.business_id = businesses.business_id AND mutations.version = ?)
         WHERE business_id = ?`,
				manifest.head,
				manifest.head,
				manifest.businessId,
			);
			if ((await readDigest(tx, manifest.businessId)) !== manifest.digest)
				throw new ArchiveError(
					"It is damaged: its records don't match their digest",
				);
			if (manifest.schemaVersion < linesAreMovementsSince)
				await dropSaleMovements(tx, manifest.businessId);
			await beginNewHistory(tx, env);
			signal.throwIfAborted();
		});
		return manifest;
	});
}

/** Since this schema a sale's line is its own stock movement. */
const linesAreMovementsSince = 22;

/** Makes the lines of an older archive's sales their movements. */
async function dropSaleMovements(
	tx: Connection,
	businessId: string,
): Promise<void> {
	const moved = await tx.all(
		"SELECT sale_id, item_id FROM stock_movements WHERE business_id = ? AND reason = 'sale'",
		businessId,
	);
	await tx.run(
		"UPDATE stored_lines SET is_stockless = 1 WHERE shop = (SELECT n FROM shops WHERE business_id = ?) AND product IS NOT NULL",
		businessId,
	);
	for (const { sale_id: saleId = null, item_id: itemId = null } of moved)
		await tx.run(
			`UPDATE stored_lines SET is_stockless = NULL WHERE coalesce(id, CAST(position + 1 AS TEXT)) = ? AND (shop, sale) =
        (SELECT stored.shop, stored.n FROM shops JOIN stored_sales AS stored ON stored.shop = shops.n
         WHERE shops.business_id = ? AND stored.id = ?)`,
			itemId,
			businessId,
			saleId,
		);
	await tx.run(
		"DELETE FROM stock_movements WHERE business_id = ? AND reason = 'sale'",
		businessId,
	);
}

async function withZip<T>(
	path: string,
	read: (zip: ZipFile, entries: Map<string, Entry>) => Promise<T>,
): Promise<T> {
	const zip = await openPromise(path, { autoClose: false }).catch((error) => {
		throw new ArchiveError(`It is not an archive: ${error.message}`, {
			cause: error,
		});
	});
	try {
		const entries = new Map<string, Entry>();
		for await (const entry of zip.eachEntry())
			entries.set(entry.fileName, entry);
		return await read(zip, entries);
	} finally {
		zip.close();
	}
}

async function readManifest(
	zip: ZipFile,
	entry: Entry | undefined,
): Promise<Manifest> {
	if (!entry || entry.uncompressedSize > manifestMaxBytes)
		throw new ArchiveError("It is not an archive: it has no manifest");
	const text = await json(await zip.openReadStreamPromise(entry)).catch(
		() => undefined,
	);
	const parsed = manifestSchema.safeParse(text);
	if (!parsed.success)
		throw new ArchiveError("It is damaged: its manifest can't be read");
	return parsed.data;
}

async function assertReadable(
	tx: Connection,
	{ format, schemaVersion, businessId }: Manifest,
): Promise<void> {
	const supported = await readMeta(tx, "schema_version");
	if (format > archiveFormat || schemaVersion > Number(supported))
		throw new ArchiveError(
			`It was made by a newer Counterfoil (schema ${schemaVersion}; this one supports up to ${supported}). Update Counterfoil`,
		);
	const known = await tx.get(
		"SELECT name FROM businesses WHERE business_id = ?",
		businessId,
	);
	if (known)
		throw new ArchiveError(
			`This database already has its shop: ${known.name} (${businessId}). Import it into an empty database (set DATA_DIR)`,
		);
}

interface PartLines {
	stream: Readable;
	said: Manifest["files"][number];
	signal: AbortSignal;
}

async function readPart(
	tx: Connection,
	part: Part,
	businessId: string,
	{ stream, said, signal }: PartLines,
	onRecord: () => void,
): Promise<void> {
	const hash = createHash("sha256");
	let records = 0;
	try {
		for await (const line of linesOf(stream, hash)) {
			await part.write(tx, businessId, JSON.parse(line));
			records += 1;
			onRecord();
			signal.throwIfAborted();
		}
	} catch (error) {
		signal.throwIfAborted();
		if (isStorageError(error) || error instanceof ArchiveError) throw error;
		// Any other error of parsing, unzipping or inserting means that the file was altered.
		throw new ArchiveError(
			`It is damaged: ${part.name} can't be read after record ${records}`,
			{ cause: error },
		);
	}
	if (records !== said.records || hash.digest("hex") !== said.sha256)
		throw new ArchiveError(
			`It is damaged: ${part.name} doesn't match its manifest`,
		);
}

/** Splits at line feeds only; node:readline also splits at U+2028, which names may contain. */
async function* linesOf(stream: Readable, hash: Hash): AsyncGenerator<string> {
	let rest = "";
	stream.setEncoding("utf8");
	for await (const text of stream as AsyncIterable<string>) {
		hash.update(text);
		const lines = (rest + text).split("\n");
		rest = lines.pop() ?? "";
		if (rest.length > lineMax)
			throw new ArchiveError("It is damaged: a line is too long");
		yield* lines;
	}
	if (rest !== "")
		throw new ArchiveError("It is damaged: its last line is cut off");
}
