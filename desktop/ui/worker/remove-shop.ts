import { readUntaken } from "../../../sync/replica/outbox.ts";
import { readState } from "../../../sync/replica/replica-state.ts";
import { openInOpfs } from "../../../sync/store/sqlite-wasm.ts";
import type { Store } from "../../../sync/store/store.ts";
import type { WasmSqlite } from "../../../sync/store/wasm-database.ts";
import { openCarts } from "../../../sync/till/carts.ts";
import { openJournal } from "./journal.ts";
import { directoryOf, isKept, removeFiles } from "./kept-shops.ts";

/**
 * Removes a shop from this browser, if nothing is here that its server does not have. Whoever calls it holds the shop's lock,
 * and has closed it: so what is looked at is all that there is. What can't be read stays.
 *
 * @returns whether it is gone
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
		// On an address that is not secure it was in memory, and a browser has no files.
		if (!isSecureContext || !(await isKept(businessId))) return true;
		const store = await openInOpfs(sqlite, directoryOf(businessId));
		const isSent = await isAllSent(store, businessId).finally(() =>
			store.close(),
		);
		if (isSent) await removeFiles(businessId);
		return isSent;
	} catch (error) {
		console.error("The shop stays in this browser", error);
		return false;
	}
}

/** Nothing waits or was refused, and no sale is in the making. @throws ShopError `not_found` where it is no shop's till */
async function isAllSent(store: Store, businessId: string): Promise<boolean> {
	const untaken = await store.read(async (tx) => {
		await readState(tx, businessId);
		return readUntaken(tx, businessId);
	});
	const carts = await openCarts(store, businessId).all();
	return untaken.length + carts.length === 0;
}
