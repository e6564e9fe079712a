import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { HttpError } from "../../http/http-error.ts";
import { isMissing, namesIn } from "./folder.ts";

/** Picture types by their leading bytes, because a Content-Type header can be wrong. */
const kinds = [
	{ type: "image/jpeg", extension: "jpg", magic: /^ffd8ff/ },
	{ type: "image/png", extension: "png", magic: /^89504e470d0a1a0a/ },
	{ type: "image/webp", extension: "webp", magic: /^52494646.{8}57454250/ },
] as const;

export const pictureTypes = kinds.map(({ type }) => type);
export const pictureName = /^[0-9a-f]{32}\.(jpg|png|webp)$/;

/**
 * Stores pictures on the server's disk, in one folder per business. A file never changes.
 *
 * @param maxBytes the quota of a business
 */
export function openPictures(
	dataDir: string,
	maxBytes = Number.POSITIVE_INFINITY,
) {
	const dirOf = (businessId: string) => join(dataDir, "pictures", businessId);
	/** Saves run one at a time, so that each counts the bytes of those before it. */
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
			`A business can store at most ${megabytes} MB of pictures; remove some first`,
			{ code: "pictures_full" },
		);
	}

	async function writeFile(
		businessId: string,
		name: string,
		bytes: Uint8Array,
	): Promise<void> {
		const dir = dirOf(businessId);
		await mkdir(dir, { recursive: true, mode: 0o700 });
		// Two requests may fetch the same picture at once.
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
			// Remove the partial file, which would waste space on a full disk.
			await rm(unfinished, { force: true });
			throw error;
		}
	}

	return {
		/** Saves a picture. @returns its name. @throws HttpError 400 for another file type, 413 over the business's quota */
		async write(businessId: string, bytes: Uint8Array): Promise<string> {
			const begin = Buffer.from(bytes.subarray(0, 12)).toString("hex");
			const kind = kinds.find(({ magic }) => magic.test(begin));
			if (!kind)
				throw new HttpError(400, "A picture must be a JPEG, PNG or WebP", {
					code: "picture_kind",
				});
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

		/** Saves a picture under the name that another server gave it. */
		async keep(
			businessId: string,
			name: string,
			bytes: Uint8Array,
		): Promise<void> {
			if (pictureName.test(name)) await writeFile(businessId, name, bytes);
		},

		/** @returns undefined if the name is invalid or the business has no such picture */
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

/** The file's size in bytes; 0 if it was deleted meanwhile. */
async function sizeOf(file: string): Promise<number> {
	try {
		return (await stat(file)).size;
	} catch (error) {
		if (isMissing(error)) return 0;
		throw error;
	}
}
