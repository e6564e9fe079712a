import type { Connection, Store } from "../../../sync/store/store.ts";

/**
 * Returns a store whose reads and writes are all parts of one transaction. After a write that failed, the transaction must
 * not be committed: the write is not undone by itself.
 *
 * @param onFailure called with the error of each such write
 */
export function storeWithin(
	tx: Connection,
	onFailure: (error: unknown) => void,
): Store {
	return {
		read: (fn) => fn(tx),
		write: (fn) =>
			fn(tx).catch((error) => {
				onFailure(error);
				throw error;
			}),
		announce() {},
		onAnnounced() {},
		assertInPlace() {},
		async close() {},
	};
}
