import { ShopError } from "../../../sync/protocol/errors.ts";
import { readPool } from "../../../sync/store/opfs-pool.ts";
import { toTar } from "./tar.ts";

const shops = "shops";

/** The directory of a shop in the browser's private file system. */
export function directoryOf(businessId: string): string {
	return `${shops}/${businessId}`;
}

/** Whether a shop has files here. @throws DOMException if the browser has no file system */
export async function hasFiles(businessId: string): Promise<boolean> {
	const root = await navigator.storage.getDirectory();
	try {
		const kept = await root.getDirectoryHandle(shops);
		await kept.getDirectoryHandle(businessId);
		return true;
	} catch (error) {
		if ((error as DOMException).name === "NotFoundError") return false;
		throw error;
	}
}

/** @throws DOMException if one of its files is open */
export async function removeFiles(businessId: string): Promise<void> {
	const root = await navigator.storage.getDirectory();
	const kept = await root.getDirectoryHandle(shops);
	await kept.removeEntry(businessId, { recursive: true });
}

/**
 * Packs a shop's files into one, as they are, to be sent to someone who can help: the database and its write-ahead log.
 * Unpacked into one directory they open like any database.
 *
 * @throws ShopError `not_found` if there are none
 */
export async function packShop(businessId: string): Promise<Blob> {
	const isHere = isSecureContext && (await hasFiles(businessId));
	const files = isHere ? await readPool(directoryOf(businessId)) : new Map();
	if (files.size === 0)
		throw new ShopError("not_found", "The shop has no files in this browser");
	const named = [...files].map(
		([name, content]) => [name.replace("/", ""), content] as const,
	);
	return toTar(new Map(named));
}
