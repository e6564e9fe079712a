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
