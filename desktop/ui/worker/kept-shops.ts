import { ShopError } from "../../../sync/protocol/errors.ts";
import { readPool } from "../../../sync/store/opfs-pool.ts";
import { toTar } from "./tar.ts";

const shops = "shops";

/** Where in the browser's own files a shop is kept. */
export function directoryOf(businessId: string): string {
	return `${shops}/${businessId}`;
}

/** Whether a shop has files here. @throws DOMException where the browser gives none */
export async function isKept(businessId: string): Promise<boolean> {
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

/** @throws DOMException where one of its files is open */
export async function removeFiles(businessId: string): Promise<void> {
	const root = await navigator.storage.getDirectory();
	const kept = await root.getDirectoryHandle(shops);
	await kept.removeEntry(businessId, { recursive: true });
}

/**
 * A shop's files as they are, as one, to be sent to somebody who can help: the database, and its log with what was written
 * last. Unpacked beside each other they are opened as any database is.
 *
 * @throws ShopError `not_found` where there are none
 */
export async function packShop(businessId: string): Promise<Blob> {
	const isHere = isSecureContext && (await isKept(businessId));
	const files = isHere ? await readPool(directoryOf(businessId)) : new Map();
	if (files.size === 0)
		throw new ShopError("not_found", "This browser has no files of the shop");
	const named = [...files].map(
		([name, content]) => [name.replace("/", ""), content] as const,
	);
	return toTar(new Map(named));
}
