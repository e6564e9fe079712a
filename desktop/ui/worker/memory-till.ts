import { feedForm } from "../../../sync/feed-form.ts";
import { readUntaken } from "../../../sync/outbox.ts";
import type { Refusal } from "../../../sync/protocol.ts";
import { readState } from "../../../sync/replica-state.ts";
import type { Store } from "../../../sync/store/store.ts";
import type { Calls } from "../../../sync/till/calls.ts";
import { type Carts, openCarts } from "../../../sync/till/carts.ts";
import { type BrowserTill, openBrowserTill } from "./browser-till.ts";
import { type Journal, openJournal } from "./journal.ts";
import type { Member } from "./messages.ts";

/*
 * A till whose shop is in memory, as a browser gives it no files: on plain http, in a private window, on a broken disk. What is
 * unsent is in a journal before a page hears that it is made; after a reload the shop is fetched anew, and the journal is
 * taken again. Ids make a double take harmless.
 */

/** Brings what is in the journal into files that can be opened again, where it is as safe. */
export async function emptyJournal(
	{ replica }: BrowserTill,
	member: Member,
	carts: Carts,
): Promise<void> {
	const journal = await openJournal(member.businessId).catch(() => undefined);
	if (!journal) return;
	try {
		for (const cart of await journal.carts()) await carts.put(cart);
		await journal.forgetCarts();
		const messages = await journal.unsent();
		if (messages.length === 0) return;
		await replica.take(member, messages);
		const over: string[] = [];
		for (const { id } of messages)
			if ((await replica.stateOf(id)) !== undefined) over.push(id);
		await journal.drop(over);
	} finally {
		journal.close();
	}
}

/**
 * @param journal undefined where the browser keeps nothing at all: the till sells on while its page is open
 * @param left the device that this tab was before it was reloaded
 */
export async function openMemoryTill(
	store: Store,
	member: Member,
	journal: Journal | undefined,
	left: string | null,
	trouble: Refusal,
): Promise<BrowserTill> {
	const { businessId } = member;
	const carts = openCarts(store, businessId);
	const device = left === null ? undefined : await journal?.device(left);
	if (device)
		await store.write((tx) =>
			tx.run(
				"INSERT INTO replica (business_id, device_id, prefix, last_number, last_receipt, feed_form) VALUES (?, ?, ?, ?, ?, ?)",
				businessId,
				device.deviceId,
				device.prefix,
				device.lastNumber,
				device.lastReceipt,
				feedForm(),
			),
		);
	for (const cart of (await journal?.carts()) ?? []) await carts.put(cart);
	const till = await openBrowserTill(store, businessId, {
		keeping: { keeps: journal ? "unsent" : "nothing", trouble },
		onTried: () => void settle().catch(console.error),
	});
	if (!journal) return till;
	await settle();

	/** Takes again what is not here, and forgets what the server has. */
	async function settle(): Promise<void> {
		const messages = (await journal?.unsent()) ?? [];
		if (messages.length > 0)
			await journal?.drop(await till.as(member).bring(messages));
	}

	/** What was made is in the journal before anybody hears of it. */
	async function journaling<T>(done: Promise<T>): Promise<T> {
		const result = await done;
		const { untaken, state } = await store.read(async (tx) => ({
			untaken: await readUntaken(tx, businessId),
			state: await readState(tx, businessId),
		}));
		const { deviceId, prefix, lastNumber, lastReceipt } = state;
		await journal?.add(untaken, {
			...{ businessId, deviceId, prefix, lastNumber, lastReceipt },
		});
		return result;
	}

	async function keepingCarts<T>(done: Promise<T>): Promise<T> {
		const result = await done;
		await journal?.keepCarts(await carts.all());
		return result;
	}

	function journaled(calls: Calls): Calls {
		return {
			...calls,
			mutate: (made) => keepingCarts(journaling(calls.mutate(made))),
			retry: (id) => journaling(calls.retry(id)),
			restore: (id) => journaling(calls.restore(id)),
			async discard(id) {
				await calls.discard(id);
				await settle();
			},
			keepCart: (...args) => keepingCarts(calls.keepCart(...args)),
			takeOverCart: (...args) => keepingCarts(calls.takeOverCart(...args)),
			holdCart: (...args) => keepingCarts(calls.holdCart(...args)),
			resumeCart: (...args) => keepingCarts(calls.resumeCart(...args)),
		};
	}

	return {
		...till,
		as: (one) => journaled(till.as(one)),
		async close() {
			await till.close();
			journal.close();
		},
	};
}
