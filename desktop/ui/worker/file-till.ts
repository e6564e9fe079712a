import { toRefusal } from "../../../sync/protocol/protocol.ts";
import {
	openTillApi,
	type StorageStatus,
} from "../../../sync/protocol/till-api.ts";
import type { Store } from "../../../sync/store/store.ts";
import { openCarts } from "../../../sync/till/carts.ts";
import { dispatch } from "../../../sync/till/dispatch.ts";
import { openOldStorage } from "../shop/old-storage.ts";
import {
	type BrowserTill,
	type Opening,
	openBrowserTill,
} from "./browser-till.ts";
import { emptyJournal } from "./memory-till.ts";
import type { Member } from "./messages.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { hasDiskFailed } from "./stand-in.ts";

/** Sales of a tab without files wait so long at most; looking for them after each sale's sync would slow the next one. */
const journalMs = 20_000;

/** Opens a till whose shop is in the browser's files. */
export async function openFileTill(
	store: Store,
	member: Member,
	opening: Opening,
): Promise<BrowserTill> {
	const { businessId } = member;
	const keeping: StorageStatus = {
		...{ storage: "disk", storageError: null },
		storageId: await idOf(store),
	};
	let takeLeftovers = async () => {};
	const till = await openBrowserTill(store, businessId, {
		...{ ...opening, keeping },
		onTried(failure) {
			// A disk too full for the server's rows may still have room for sales.
			keeping.storageError = hasDiskFailed(failure) ? toRefusal(failure) : null;
			void takeLeftovers();
		},
	});
	const carts = openCarts(store, businessId);
	const old = openOldStorage(
		businessId,
		openTillApi((call) => dispatch(till.as(member), call)),
	);
	let emptyAt = Number.NEGATIVE_INFINITY;
	/** Adds sales made elsewhere in this browser: by the previous client, or while the files couldn't be opened. */
	takeLeftovers = oneAtATime(async () => {
		if (performance.now() - emptyAt > journalMs) {
			const wasEmpty = await emptyJournal(
				till,
				member,
				carts,
				opening.openJournal,
			);
			if (wasEmpty) emptyAt = performance.now();
		}
		await old.move();
	});
	await takeLeftovers();
	return till;
}

/** The id that a database gets when it is created. */
async function idOf(store: Store): Promise<string> {
	const row = await store.read((tx) =>
		tx.get("SELECT value FROM meta WHERE key = 'epoch'"),
	);
	return row?.value as string;
}
