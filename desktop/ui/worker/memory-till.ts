import { feedForm } from "../../../sync/feed/feed-form.ts";
import { systemEnv } from "../../../sync/protocol/ids.ts";
import type { Refusal } from "../../../sync/protocol/protocol.ts";
import {
	openTillApi,
	type PinCheck,
	type StorageStatus,
	type TillApi,
} from "../../../sync/protocol/till-api.ts";
import { readUntaken } from "../../../sync/replica/outbox.ts";
import { readState } from "../../../sync/replica/replica-state.ts";
import type { Store } from "../../../sync/store/store.ts";
import { type Carts, openCarts } from "../../../sync/till/carts.ts";
import { dispatch } from "../../../sync/till/dispatch.ts";
import { openStaff } from "../../../sync/till/staff.ts";
import { openOldStorage } from "../shop/old-storage.ts";
import {
	type BrowserTill,
	type Opening,
	openBrowserTill,
} from "./browser-till.ts";
import type { Journal } from "./journal.ts";
import type { Member, Tab } from "./messages.ts";
import { oneAtATime } from "./one-at-a-time.ts";

/*
 * A till whose shop is in memory because the browser gives it no files: on plain http, in a private window, on a broken disk.
 * A mutation is in a journal before the page hears that it was made; after a reload the till downloads the shop again and
 * applies the journal. Ids make applying a mutation twice harmless.
 */

/**
 * Moves the journal into files that can be opened again, where it is just as safe.
 *
 * @returns whether nothing unsent was in it
 */
export async function emptyJournal(
	{ replica }: BrowserTill,
	member: Member,
	carts: Carts,
	openJournal: Opening["openJournal"],
): Promise<boolean> {
	const journal = await openJournal();
	if (!journal) return true;
	try {
		const left = await journal.carts();
		await carts.putAll(left);
		if (left.length > 0) await journal.forgetCarts();
		const messages = await journal.unsent();
		if (messages.length === 0) return true;
		await replica.take(member, messages);
		const over: string[] = [];
		for (const { id } of messages)
			if ((await replica.stateOf(id)) !== undefined) over.push(id);
		await journal.drop(over);
		return false;
	} finally {
		journal.close();
	}
}

export async function openMemoryTill(
	store: Store,
	member: Member,
	{
		left,
		storageError,
		...opening
	}: Opening & Pick<Tab, "left"> & { storageError: Refusal | null },
): Promise<BrowserTill> {
	const { businessId } = member;
	// Without a journal it can still sell while its page is open.
	const journal = await opening.openJournal();
	const carts = openCarts(store, businessId);
	const staff = openStaff(store, systemEnv, businessId);
	const keeping: StorageStatus = {
		storage: journal ? "outbox" : "memory",
		...{ storageError, storageId: journal?.id ?? null },
	};
	if (journal && left !== null) await goOnAs(left, journal);
	let settle = async () => {};
	const till = await openBrowserTill(store, businessId, {
		...{ ...opening, keeping },
		onTried: () => void settle(),
	});
	if (!journal) return till;
	await carts.putAll(await journal.carts());
	const old = openOldStorage(
		businessId,
		openTillApi((call) => dispatch(journaled(till.as(member)), call)),
	);
	/** Applies what is missing here, and removes what the server has. */
	settle = oneAtATime(async () => {
		const messages = await journal.unsent();
		if (messages.length > 0)
			await journal.drop(await till.as(member).bring(messages));
		await old.move();
	});
	await settle();

	async function goOnAs(deviceId: string, { device }: Journal): Promise<void> {
		const known = await device(deviceId);
		if (!known) return;
		const { prefix, lastNumber, lastReceipt } = known;
		await store.write((tx) =>
			tx.run(
				"INSERT INTO replica (business_id, device_id, prefix, last_number, last_receipt, feed_form) VALUES (?, ?, ?, ?, ?, ?)",
				...[businessId, deviceId, prefix, lastNumber, lastReceipt],
				feedForm(),
			),
		);
	}

	/** Writes to the journal before the result is reported; if that fails, reports the failure. */
	async function journaling<T>(
		done: Promise<T>,
		keep: (journal: Journal) => Promise<void>,
	): Promise<T> {
		const result = await done;
		const before = keeping.storage;
		try {
			await keep(journal as Journal);
			keeping.storage = "outbox";
		} catch (error) {
			console.error("Can't write the journal", error);
			keeping.storage = "memory";
		}
		if (keeping.storage !== before) till.tell("standing");
		return result;
	}

	async function keepUnsent(journal: Journal): Promise<void> {
		const { untaken, state } = await store.read(async (tx) => ({
			untaken: await readUntaken(tx, businessId),
			state: await readState(tx, businessId),
		}));
		const { deviceId, prefix, lastNumber, lastReceipt } = state;
		await journal.add(untaken, {
			...{ businessId, deviceId, prefix, lastNumber, lastReceipt },
		});
	}

	/** Counts wrong PINs over reloads and in all tabs. */
	async function checkPin(
		journal: Journal,
		check: () => Promise<PinCheck>,
	): Promise<PinCheck> {
		await staff.putAttempts(await journal.pinAttempts());
		const keep = async () => journal.keepPinAttempts(await staff.attempts());
		return journaling(check(), keep);
	}

	async function keepCarts(journal: Journal): Promise<void> {
		await journal.keepCarts(await carts.all());
	}

	function journaled(calls: TillApi): TillApi {
		const made = <T>(done: Promise<T>) => journaling(done, keepUnsent);
		const moved = <T>(done: Promise<T>) => journaling(done, keepCarts);
		return {
			...calls,
			mutate: (asked) => moved(made(calls.mutate(asked))),
			retry: (id) => made(calls.retry(id)),
			restore: (id) => made(calls.restore(id)),
			async discard(id) {
				await calls.discard(id);
				await settle();
			},
			keepCart: (...args) => moved(calls.keepCart(...args)),
			takeOverCart: (...args) => moved(calls.takeOverCart(...args)),
			holdCart: (...args) => moved(calls.holdCart(...args)),
			resumeCart: (...args) => moved(calls.resumeCart(...args)),
			checkPin: (id, pin) =>
				checkPin(journal as Journal, () => calls.checkPin(id, pin)),
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
