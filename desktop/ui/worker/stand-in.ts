import {
	isStorageError,
	type ShopError,
} from "../../../sync/protocol/errors.ts";
import {
	type ChangeKind,
	openTillApi,
} from "../../../sync/protocol/till-api.ts";
import { dispatch } from "../../../sync/till/dispatch.ts";
import type { BrowserTill } from "./browser-till.ts";
import type { OpenTill } from "./tabs.ts";

/**
 * Opens a till on a disk. If the disk fails, now or later, a stand-in replaces the till and repeats the failed call; ids make
 * that harmless.
 *
 * @param openStandIn gets the disk's error
 */
export async function openWithStandIn(
	open: () => Promise<BrowserTill>,
	openStandIn: (why: ShopError) => Promise<BrowserTill>,
): Promise<Omit<OpenTill, "remove">> {
	const listeners = new Set<(kind: ChangeKind) => void>();
	let till = follow(open());
	let isStandIn = false;
	let isClosed = false;

	function tell(kind: ChangeKind): void {
		for (const listener of listeners) listener(kind);
	}

	async function follow(opening: Promise<BrowserTill>): Promise<BrowserTill> {
		const opened = await opening;
		opened.onChange(tell);
		return opened;
	}

	async function attempt<T>(
		work: (till: BrowserTill) => Promise<T>,
	): Promise<T> {
		const used = till;
		try {
			return await work(await used);
		} catch (error) {
			if (isClosed || !hasDiskFailed(error)) throw error;
			if (till === used) {
				if (isStandIn) throw error;
				console.error("The disk failed; continuing in memory", error);
				isStandIn = true;
				till = replace(used, error);
			}
			return work(await till);
		}
	}

	async function replace(
		failed: Promise<BrowserTill>,
		why: ShopError,
	): Promise<BrowserTill> {
		const opened = await follow(openStandIn(why));
		// A long operation may still be running on it.
		void failed.then((one) => one.close()).catch(console.error);
		opened.tell("standing");
		return opened;
	}

	await attempt(async () => {});
	return {
		as: (member) =>
			openTillApi((call) => attempt((open) => dispatch(open.as(member), call))),
		onChange(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		async close() {
			isClosed = true;
			await (await till).close();
		},
	};
}

export function hasDiskFailed(error: unknown): error is ShopError {
	return isStorageError(error) && error.code !== "storage_busy";
}
