import type { Business } from "../../../sync/entities/business.ts";
import { newId, systemEnv } from "../../../sync/protocol/ids.ts";
import { businessGet } from "../../../sync/queries/business.ts";
import { takeNewDevice } from "../../../sync/replica/replica-state.ts";
import { writeChanges } from "../../../sync/replica/server-rows.ts";
import {
	type OpfsStore,
	openInMemory,
} from "../../../sync/store/sqlite-wasm.ts";
import type { Store } from "../../../sync/store/store.ts";
import type { WasmSqlite } from "../../../sync/store/wasm-database.ts";
import type { BrowserTill } from "./browser-till.ts";

/** What a shop continues with when its files fail. */
export interface Rescue {
	/** Notes what every sale needs. */
	note(): Promise<void>;
	/**
	 * Opens a store in memory as another device, since the files may come back with theirs. It has all rows of the files, or the
	 * noted ones if the files can't be read.
	 */
	open(): Promise<{ store: Store; isWhole: boolean }>;
}

export function openRescue(
	sqlite: WasmSqlite,
	files: OpfsStore,
	businessId: string,
): Rescue {
	let noted: Business | undefined;

	async function openNoted(): Promise<Store> {
		const store = await openInMemory(sqlite);
		if (!noted) return store;
		const row = {
			...{ entity: "business", id: businessId, row: noted },
			...{ version: 0, deleted: false },
		};
		await store.write((tx) =>
			writeChanges(tx, businessId, [row], console.error),
		);
		return store;
	}

	return {
		async note() {
			const reading = files.read((tx) =>
				businessGet.run({ tx, businessId, now: 0 }, {}),
			);
			// There is no business before the first download.
			noted = await reading.catch(() => noted);
		},
		async open() {
			try {
				const store = await files.copy();
				await store.write((tx) =>
					takeNewDevice(tx, businessId, newId(systemEnv)),
				);
				return { store, isWhole: true };
			} catch (error) {
				console.error("Part of the shop can't be read", error);
				return { store: await openNoted(), isWhole: false };
			}
		},
	};
}

/** Accepts each window's cart as it is, since nothing else has it any more. */
export function trustWindows(till: BrowserTill): BrowserTill {
	return {
		...till,
		as(member) {
			const calls = till.as(member);
			return {
				...calls,
				keepCart: (id, kept) => calls.keepCart(id, kept, false),
				async mutate({ cartId, ...made }) {
					const done = await calls.mutate(made);
					if (cartId !== undefined) await calls.keepCart(cartId, null, false);
					return done;
				},
			};
		},
	};
}
