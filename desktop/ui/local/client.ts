import type * as z from "zod";
import { businessDay } from "../../../sync/clock.ts";
import { saleCreate } from "../../../sync/entities/sale.ts";
import type { OutboxState } from "../../../sync/till/calls.ts";
import type { PageStanding, ShopClient } from "../shop/client.ts";
import { type CartLine, totalOf } from "../till/cart.ts";
import { answerHere } from "./answers.ts";
import type { OutboxEntry } from "./database.ts";
import type { LocalShop, LocalState } from "./shop.ts";

/** The day of these is fixed where they are made. */
const dated = new Set(["sale.create", "sale.void", "sale.refund"]);

/** This client as the one that follows it: pages ask it the same. */
export function clientOf(
	shop: Omit<LocalShop, "client">,
	businessId: string,
): ShopClient {
	let shownFor: LocalState | undefined;
	let shown: PageStanding;
	const entryOf = async (id: string) => (await shop.entryOf(id)) as OutboxEntry;
	const discarded = new Map<string, OutboxEntry>();

	return {
		businessId,
		ask: async <Answer>(query: string, args: object) =>
			(await answerHere(
				shop.state(),
				query,
				args as Record<string, unknown>,
			)) as Answer,
		async mutate(name, args, { id, cartId } = {}) {
			const { business } = shop.state();
			const entry = await shop.mutate(
				name,
				(receiptNumber, at) => ({
					...args,
					...(name === "sale.create" && { receiptNumber: receiptNumber() }),
					...(dated.has(name) &&
						business && {
							businessDay: businessDay(
								at,
								business.timeZone,
								business.cutOffHour,
							),
						}),
				}),
				cartId,
				id,
			);
			return { id: entry.id, at: entry.at, args: entry.args };
		},
		stateOf: async (id) =>
			(await shop.entryOf(id))?.state as OutboxState | undefined,
		async madeOn(day) {
			const entries = await shop.entries();
			return entries.flatMap(({ name, args, state }) => {
				const sold = args as z.input<typeof saleCreate.args>;
				return name === saleCreate.name && sold.businessDay === day
					? {
							id: sold.id,
							receiptNumber: sold.receiptNumber ?? null,
							total: totalOf({ lines: sold.items as CartLine[] }),
							state: state as OutboxState,
						}
					: [];
			});
		},
		standing() {
			const state = shop.state();
			if (state === shownFor) return shown;
			const { isOnline, lastSyncAt, deviceId, prefix, rejected, ...sync } =
				state.sync;
			shownFor = state;
			shown = {
				...sync,
				isOnline: isOnline ?? null,
				isFilled: state.isLoaded,
				paused: null,
				waiting: [],
				keeps: state.sync.isLasting ? "disk" : "nothing",
				trouble: null,
				lost: 0,
				problem: undefined,
				lastSyncAt: lastSyncAt ?? null,
				deviceId: deviceId ?? null,
				prefix: prefix ?? null,
				rejected: rejected.map(({ id, name, args, at, by, error }) => ({
					...{ id, name, args, at },
					userId: by ?? null,
					error: error ?? { code: "internal", message: "" },
				})),
			};
			return shown;
		},
		onRows: shop.subscribe,
		onStanding: shop.subscribe,
		tryNow: shop.sync,
		retry: async (id) => shop.retry(await entryOf(id)),
		async discard(id) {
			const entry = await entryOf(id);
			discarded.set(id, entry);
			await shop.discard(entry);
		},
		async restore(id) {
			const entry = discarded.get(id);
			if (entry) await shop.restore(entry);
		},
		carts: shop.carts,
		now: shop.now,
		close: shop.close,
	};
}
