import { toIso } from "../../../sync/clock.ts";
import type { Business } from "../../../sync/entities/business.ts";
import type { Category } from "../../../sync/entities/category.ts";
import type { Product } from "../../../sync/entities/product.ts";
import type {
	HeadEvent,
	Page,
	PullAnswer,
	PushAnswer,
} from "../../../sync/protocol.ts";
import { few, openReach, type ReachOptions } from "../../../sync/reach.ts";
import { ApiError, ask, refuseAnswer } from "../api.ts";
import type { Session } from "../session.tsx";
import { type Device, only } from "./database.ts";
import type { Goods } from "./goods.ts";
import {
	beginAnew,
	nextBatch,
	prune,
	readDevice,
	reoffer,
	takeResults,
	toMessage,
} from "./outbox.ts";
import type { Storage } from "./storage.ts";
import type { Still } from "./turns.ts";

/** A large catalogue takes a while on a slow line, once. */
const snapshotMs = 180_000;
/** Mutations of a batch, and rows of a page: a browser waits less long for each than a desktop till. */
const batchReach: ReachOptions = { first: 100, least: 1, most: 100 };
const pageReach: ReachOptions = { first: 1_000, least: 100, most: 1_000 };

/**
 * Sends what is pending, in order, and takes what is new; of all windows one at a time.
 *
 * @returns whether what is sold changed, or what was made here of it
 */
export type Exchange = (still: Still) => Promise<boolean>;

export function openExchange(
	storage: Storage,
	goods: Goods,
	businessId: string,
): Exchange {
	const batchSize = openReach(batchReach);
	const pageRows = openReach(pageReach);

	/** @throws ApiError: nothing of another shop is stored here */
	function assertOwn(id: string): void {
		if (id !== businessId) refuseAnswer();
	}

	async function keepDevice(change: Partial<Device>): Promise<void> {
		await storage.use(async (database) => {
			const tx = database.transaction("device", "readwrite");
			const device = (await tx.store.get(only)) as Device;
			await tx.store.put({ ...device, ...change }, only);
			await tx.done;
		});
	}

	/** Everything that is sold, as it is now; what changes from here on comes by the feed. */
	async function takeSnapshot(still: Still): Promise<void> {
		await still(2 * snapshotMs);
		const cursor = await headCursor(businessId);
		const [active, inactive, categories, business] = await Promise.all([
			ask<Product[]>("GET", "/api/products", undefined, snapshotMs),
			ask<Product[]>("GET", "/api/inactive-products", undefined, snapshotMs),
			ask<Category[]>("GET", "/api/categories"),
			ask<Business>("GET", "/api/business"),
		]);
		await still();
		const products = [...active, ...inactive];
		// The session may have become another shop's between two answers.
		assertOwn(business.id);
		for (const row of [...products, ...categories]) assertOwn(row.businessId);
		await goods.takeSnapshot({ cursor, products, categories, business });
	}

	/** Sends so many mutations and asks for so many rows as the line bears: after a failure fewer of both, when it is tried again. */
	async function inReach<T extends Partial<Page> & { businessId: string }>(
		still: Still,
		sent: number,
		exchanged: (rows: number) => Promise<T>,
	): Promise<T> {
		const rows = pageRows.count;
		await still();
		try {
			const answer = await exchanged(rows);
			assertOwn(answer.businessId);
			if (answer.hasMore) pageRows.grow();
			await still();
			return answer;
		} catch (error) {
			const isLost = error instanceof ApiError && error.isOffline;
			// A proxy on the way may allow less than the server does.
			const isTooLarge = error instanceof ApiError && error.status === 413;
			if (isLost) pageRows.shrink(rows);
			if (isTooLarge || (isLost && sent > few)) batchSize.shrink(sent);
			throw error;
		}
	}

	return async (still) => {
		let isChanged = await goods.catchUp();
		let clockOffsetMs = 0;
		if (goods.cursor === undefined) {
			await takeSnapshot(still);
			isChanged = true;
		}
		for (let after = 0; ; ) {
			const device = await storage.use(readDevice);
			const most = batchSize.count;
			const batch = await storage.use((database) =>
				nextBatch(database, after, most),
			);
			let sentAt = 0;
			const answer = await inReach(still, batch.length, (limit) => {
				sentAt = Date.now();
				return ask<PushAnswer>("POST", "/api/sync", {
					mutations: batch.map(toMessage),
					businessId,
					deviceId: device.deviceId,
					lastNumber: device.lastNumber,
					...(device.prefix === undefined ? {} : { prefix: device.prefix }),
					cursor: device.cursor,
					limit,
				});
			});
			clockOffsetMs = Math.round(
				Date.parse(answer.serverNow) - (sentAt + Date.now()) / 2,
			);
			await keepDevice({ clockOffsetMs });
			if (answer.forked) {
				const { cursor, epoch } = device;
				await storage.use(beginAnew);
				await keepDevice({ cursor, epoch, clockOffsetMs });
				continue;
			}
			await storage.use((database) => takeResults(database, batch, answer));
			// What was made of them here is the server's to say from now on.
			if (batch.length > 0) isChanged = true;
			// One that prints receipts already keeps what it prints, unless another device has it.
			if (answer.prefix !== undefined && answer.prefix !== device.prefix)
				await keepDevice({
					prefix: answer.prefix,
					...(device.prefix === undefined ? {} : { lastReceipt: 0 }),
				});
			if (answer.reset || answer.epoch !== device.epoch) {
				await storage.use(reoffer);
				await takeSnapshot(still);
				isChanged = true;
				after = 0;
				continue;
			}
			let page = answer as Page;
			isChanged = (await goods.takePage(page)) || isChanged;
			while (page.hasMore) {
				const { cursor } = page;
				page = await inReach(still, 0, (limit) =>
					ask<PullAnswer>(
						"GET",
						`/api/sync?${new URLSearchParams({ businessId, cursor, limit: String(limit) })}`,
					),
				);
				if (page.reset) break;
				isChanged = (await goods.takePage(page)) || isChanged;
			}
			await storage.use((database) => prune(database, answer));
			const last = batch.at(-1)?.position;
			if (last === undefined || batch.length < most) break;
			batchSize.grow();
			after = last;
		}
		await keepDevice({ lastSyncAt: toIso(Date.now() + clockOffsetMs) });
		return isChanged;
	};
}

/** Says when the shop's feed moves. */
export function openStream(businessId: string): EventSource {
	return new EventSource(`/api/sync?${new URLSearchParams({ businessId })}`);
}

/** The cursor of a stream's `head` event; undefined where that is another shop's. */
export function readHead(data: string, businessId: string): string | undefined {
	const head = JSON.parse(data) as HeadEvent;
	return head.businessId === businessId ? head.cursor : undefined;
}

/** Where the server's feed stands now: the first word of its stream. */
async function headCursor(businessId: string): Promise<string> {
	const head = await new Promise<string | undefined>((resolve) => {
		const events = openStream(businessId);
		events.addEventListener("head", ({ data }) => {
			events.close();
			resolve(readHead(data as string, businessId));
		});
		events.addEventListener("error", () => {
			events.close();
			resolve(undefined);
		});
	});
	if (head !== undefined) return head;
	// A stream does not say why it was refused.
	const { user } = await ask<Session>("GET", "/api/session");
	if (user.businessId !== businessId) refuseAnswer();
	throw new ApiError(0, "The server can't be reached");
}
