import { resubmitLostFacts } from "../log/lost-facts.ts";
import { ShopError } from "../protocol/errors.ts";
import { type Page, parseCursor } from "../protocol/protocol.ts";
import type { Connection, Store } from "../store/store.ts";
import * as outbox from "./outbox.ts";
import { type RowKey, redo, undo } from "./rebase.ts";
import {
	type FeedPosition,
	firstDayHere,
	notJoining,
	noWindow,
	readState,
	saveFeedPosition,
	saveJoining,
	saveWindow,
} from "./replica-state.ts";
import {
	markUnconfirmed,
	sweepUnconfirmed,
	unconfirmed,
	writeChanges,
} from "./server-rows.ts";

/** What a power cut takes back, the server sends again: no sale waits for the disk because of it. */
const sentAgain = { isDurable: false };

interface Advance {
	position: FeedPosition;
	startsSnapshot: boolean;
	endsSnapshot: boolean;
}

/**
 * Returns a replica's position after a page, and whether the page starts or ends a new snapshot.
 *
 * @throws ShopError `unreachable` for an unreadable cursor
 */
export function advance(
	{ resetting }: Pick<FeedPosition, "resetting">,
	{ cursor, reset, hasMore }: Omit<Page, "changes">,
): Advance {
	const parsed = parseCursor(cursor);
	if (!parsed)
		throw new ShopError("unreachable", "The server's cursor makes no sense");
	const startsSnapshot = reset === true;
	const isSnapshot = resetting || startsSnapshot;
	return {
		position: { ...parsed, resetting: isSnapshot && hasMore },
		startsSnapshot,
		endsSnapshot: isSnapshot && !hasMore,
	};
}

/**
 * Stores whole pages and rebases, in one transaction.
 *
 * @param onFault receives the error of each row or pending mutation that could not be stored or applied
 * @param finish runs last in the transaction
 * @returns the touched rows, and whether the server's history has changed
 */
export async function storePages(
	store: Store,
	businessId: string,
	pages: readonly Page[],
	onFault: (error: unknown) => void,
	finish = async (_tx: Connection) => {},
): Promise<{ touched: RowKey[]; wasReset: boolean }> {
	return store.write(async (tx) => {
		const touched: RowKey[] = [];
		let { position } = await readState(tx, businessId);
		let wasReset = false;
		await undo(tx, businessId, touched);
		for (const page of pages) {
			const next = advance(position, page);
			if (next.startsSnapshot) {
				await markUnconfirmed(tx, businessId);
				await outbox.reoffer(tx, businessId);
				await saveJoining(tx, businessId, notJoining);
				const { window } = await readState(tx, businessId);
				const day = firstDayHere({ window, position });
				await saveWindow(tx, businessId, { ...noWindow, day });
				// Its first rows, too, are written as those of a reset.
				const resetting = { ...next.position, resetting: true };
				await saveFeedPosition(tx, businessId, resetting);
				wasReset = true;
			}
			await writeChanges(tx, businessId, page.changes, onFault);
			touched.push(...page.changes.map(({ entity, id }) => ({ entity, id })));
			if (next.endsSnapshot) {
				await resubmitLostFacts(tx, businessId, unconfirmed, onFault);
				await sweepUnconfirmed(tx, businessId);
				await saveWindow(tx, businessId, noWindow);
			}
			position = next.position;
		}
		await redo(tx, businessId, position.version, onFault, touched);
		await saveFeedPosition(tx, businessId, position);
		await finish(tx);
		return { touched, wasReset };
	}, sentAgain);
}
