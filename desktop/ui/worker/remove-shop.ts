import { readUntaken } from "../../../sync/replica/outbox.ts";
import { readState } from "../../../sync/replica/replica-state.ts";
import { openInOpfs } from "../../../sync/store/sqlite-wasm.ts";
import type { Store } from "../../../sync/store/store.ts";
import type { WasmSqlite } from "../../../sync/store/wasm-database.ts";
import { openCarts } from "../../../sync/till/carts.ts";
import { openJournal } from "./journal.ts";
import { directoryOf, hasFiles, removeFiles } from "./shop-files.ts";

/**
 * Removes a shop from this browser, unless it has something that its server doesn't. The caller holds the shop's lock and has
 * closed it, so nothing changes meanwhile. What can't be read stays.
 *
 * @returns whether it was removed
 */
export async function removeShop(
	sqlite: WasmSqlite,
	businessId: string,
): Promise<boolean> {
	try {
		const journal = await openJournal(businessId);
		const isJournalEmpty = await journal.forget();
		journal.close();
		if (!isJournalEmpty) return false;
		// On an insecure address the shop was in memory, and the browser has no files.
		if (!isSecureContext || !(await hasFiles(businessId))) return true;
		const store = await openInOpfs(sqlite, directoryOf(businessId));
		const isSent = await isAllSent(store, businessId).finally(() =>
			store.close(),
		);
		if (isSent) await removeFiles(businessId);
		return isSent;
	} catch (error) {
		console.error("Can't remove the shop from this browser", error);
		return false;
	}
}

/** Whether nothing is pending or rejected and there is no cart. @throws ShopError `not_found` if it isn't a shop's till */
async function isAllSent(store: Store, businessId: string): Promise<boolean> {
	const untaken = await store.read(async (tx) => {
		await readState(tx, businessId);
		return readUntaken(tx, businessId);
	});
	const carts = await openCarts(store, businessId).all();
	return untaken.length + carts.length === 0;
}
