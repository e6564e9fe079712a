import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { HttpError } from "../../http/http-error.ts";
import { isMissing, namesIn } from "./folder.ts";

/** What a picture may be, by the bytes that each kind begins with: a header can say anything. */
const kinds = [
	{ type: "image/jpeg", extension: "jpg", magic: /^ffd8ff/ },
	{ type: "image/png", extension: "png", magic: /^89504e470d0a1a0a/ },
	{ type: "image/webp", extension: "webp", magic: /^52494646.{8}57454250/ },
] as const;

export const pictureTypes = kinds.map(({ type }) => type);
export const pictureName = /^[0-9a-f]{32}\.(jpg|png|webp)$/;

/**
 * Pictures on the server's disk, in a folder a business. A file is written once, and never changed.
 *
 * @param maxBytes of all pictures of a business
 */
export function openPictures(
	dataDir: string,
	maxBytes = Number.POSITIVE_INFINITY,
) {
	const dirOf = (businessId: string) => join(dataDir, "pictures", businessId);
	/** One after another: each sees what those before it have left. */
	let written: Promise<unknown> = Promise.resolve();

	async function assertRoom(businessId: string, bytes: number): Promise<void> {
		if (maxBytes === Number.POSITIVE_INFINITY) return;
		const dir = dirOf(businessId);
		let sum = bytes;
		for (const name of await namesIn(dir)) sum += await sizeOf(join(dir, name));
		if (sum <= maxBytes) return;
		const megabytes = Math.floor(maxBytes / 1_000_000);
		throw new HttpError(
			413,
			`The pictures of a business may have ${megabytes} MB together: remove some first`,
		);
	}

	async function writeFile(
		businessId: string,
		name: string,
		bytes: Uint8Array,
	): Promise<void> {
		const dir = dirOf(businessId);
		await mkdir(dir, { recursive: true, mode: 0o700 });
		// Two may fetch the same one at once.
		const unfinished = join(dir, `${name}.${randomBytes(4).toString("hex")}`);
		const file = await open(unfinished, "wx", 0o600);
		try {
			try {
				await file.writeFile(bytes);
				await file.sync();
			} finally {
				await file.close();
			}
			await rename(unfinished, join(dir, name));
		} catch (error) {
			// On a full disk its beginning would only be in the way.
			await rm(unfinished, { force: true });
			throw error;
		}
	}

	return {
		/** @returns its name; @throws HttpError 400 for what is no picture of ours, 413 over the business's quota */
		async write(businessId: string, bytes: Uint8Array): Promise<string> {
			const begin = Buffer.from(bytes.subarray(0, 12)).toString("hex");
			const kind = kinds.find(({ magic }) => magic.test(begin));
			if (!kind)
				throw new HttpError(400, "A picture must be a JPEG, PNG or WebP");
			const name = `${randomBytes(16).toString("hex")}.${kind.extension}`;
			const writing = written.then(async () => {
				await assertRoom(businessId, bytes.length);
				await writeFile(businessId, name, bytes);
			});
			written = writing.catch(() => undefined);
			await writing;
			return name;
		},

		async remove(businessId: string, name: string): Promise<void> {
			await rm(join(dirOf(businessId), name), { force: true });
		},

		/** One that another server has named. */
		async keep(
			businessId: string,
			name: string,
			bytes: Uint8Array,
		): Promise<void> {
			if (pictureName.test(name)) await writeFile(businessId, name, bytes);
		},

		/** @returns undefined for a name that is none, or none of this business's */
		async read(
			businessId: string,
			name: string,
		): Promise<{ type: string; bytes: Uint8Array } | undefined> {
			if (!pictureName.test(name)) return undefined;
			const kind = kinds.find(({ extension }) => name.endsWith(extension));
			try {
				const bytes = await readFile(join(dirOf(businessId), name));
				return { type: kind?.type as string, bytes };
			} catch (error) {
				if (isMissing(error)) return undefined;
				throw error;
			}
		},
	};
}

/** Zero for one that was deleted meanwhile. */
async function sizeOf(file: string): Promise<number> {
	try {
		return (await stat(file)).size;
	} catch (error) {
		if (isMissing(error)) return 0;
		throw error;
	}
}
