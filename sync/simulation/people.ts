import { businessUpdate } from "../entities/business.ts";
import {
	categoryCreate,
	categoryDelete,
	categoryUpdate,
} from "../entities/category.ts";
import { customerCreate, customerMerge } from "../entities/customer.ts";
import { inboxDismiss, inboxReopen } from "../entities/inbox.ts";
import { paymentAdjust, paymentCollect } from "../entities/payment.ts";
import {
	productCreate,
	productDelete,
	productUpdate,
} from "../entities/product.ts";
import { saleRefund, saleVoid } from "../entities/refund.ts";
import { reviewCreate } from "../entities/review.ts";
import { saleCreate } from "../entities/sale.ts";
import { stockAdjust } from "../entities/stock.ts";
import { taxSet } from "../entities/tax.ts";
import { settleBlocks } from "../feed/digest-blocks.ts";
import { toIso } from "../protocol/clock.ts";
import { newId } from "../protocol/ids.ts";
import { foldTallies } from "../queries/tallies.ts";
import { readRejected } from "../replica/outbox.ts";
import { readState } from "../replica/replica-state.ts";
import type { DbRow } from "../store/store.ts";
import { plainMutations, withWord } from "../testing/examples.ts";
import { takesCash } from "./approvals.ts";
import {
	basket,
	contentOf,
	type Line,
	productIds,
	rememberDay,
	sellKnown,
} from "./baskets.ts";
import { bystander } from "./bystander.ts";
import { buysGoods } from "./deliveries.ts";
import { worksDrawer } from "./drawer.ts";
import { keepsGoods } from "./layaways.ts";
import { type Act, type PickedTill, pickTill } from "./pick-till.ts";
import type { Random } from "./random.ts";
import type { dailySteps, furtherSteps } from "./script.ts";
import { cashier, signIn } from "./sessions.ts";
import { importsStatement } from "./statements.ts";
import { countsStock } from "./stock-counts.ts";
import { compareTill, syncTill } from "./sync-till.ts";
import { changesTaxes } from "./taxes.ts";
import { changesWindow } from "./windows.ts";
import { businesses, canaryOf, type KnownSale } from "./witness.ts";
import type { SimulatedTill, World } from "./world.ts";

/** The mutations of one record each: `lends` merges customers, `changesTaxes` sets taxes, `keepsGoods` keeps goods, and `buysGoods` buys them. */
const recordMutations = plainMutations.filter(
	({ name }) =>
		name !== customerMerge.name &&
		name !== taxSet.name &&
		!/^(layaway|supplier|delivery)\./.test(name),
);

/** What a cashier rounds cash by, never more than the sale comes to; like a discount, without a draw. */
function roundingOf([line]: readonly Line[], paymentMethod: string) {
	const isRounded = line && paymentMethod === "CASH" && line.cost % 3 === 0;
	if (!isRounded) return {};
	if (line.price % 2 === 0) return { rounding: -20 };
	return line.price * line.quantity < 0.5 ? {} : { rounding: 0.5 };
}

export const people: Record<
	keyof typeof dailySteps | keyof typeof furtherSteps,
	Act
> = {
	async sells(world, random) {
		const till = pickTill(world, random);
		if (!till) return;
		const { machine, businessId, caller, replica } = till;
		const id = saleId(world, till, random);
		const items = basket(random, businessId);
		const paymentMethod = random.pick(["CASH", "CARD", "MPESA"]);
		const paid = { paymentMethod, ...roundingOf(items, paymentMethod) };
		const wasMadeBefore = random.chance(0.3);
		// Sometimes a PIN has switched to the cashier.
		const isSwitched = !wasMadeBefore && random.chance(0.2);
		const by = isSwitched ? cashier : caller.userId;
		const known = world.witness.begins({
			businessId,
			id,
			madeOn: till.name,
			madeAt: world.schedule.now(),
			content: contentOf(items, paid.rounding),
			by,
		});
		const { life } = machine;
		if (wasMadeBefore)
			return bringSale(world, till, known, {
				id,
				items,
				...paid,
				receiptNumber: null,
			});
		const error = await world.attempt(() =>
			replica.mutate(
				caller,
				saleCreate,
				{ id, items, ...paid },
				isSwitched ? { by: cashier } : {},
			),
		);
		if (machine.life !== life || !machine.isUp) return;
		if (!error) {
			world.witness.acknowledge(known, world.schedule.now());
			await rememberDay(world, till, known);
		} else if (!error.code.startsWith("storage_"))
			world.witness.fail("a sale was refused", `${id}: ${error.code}`);
	},

	/** Makes more sales at once than a page, a chunk of lines or a batch holds. */
	async hasRush(world, random) {
		const till = pickTill(world, random);
		if (!till) return;
		const { machine, businessId, caller, replica } = till;
		const { life } = machine;
		const known = Array.from({ length: 101 + random.below(20) }, () => {
			const items = basket(random, businessId).slice(0, 1);
			const sale = world.witness.begins({
				businessId,
				id: newId(machine.env),
				madeOn: till.name,
				madeAt: world.schedule.now(),
				content: contentOf(items),
				by: caller.userId,
			});
			return { sale, items };
		});
		const error = await world.attempt(() =>
			replica.mutateAll(
				caller,
				known.map(({ sale, items }) => ({
					mutation: saleCreate,
					args: { id: sale.id, items },
				})),
			),
		);
		if (error || machine.life !== life || !machine.isUp) return;
		for (const { sale } of known)
			world.witness.acknowledge(sale, world.schedule.now());
	},

	async syncs(world, random) {
		const till = pickTill(world, random);
		if (!till) return;
		// It continues while other steps run.
		const synced = world.attempt(() => syncTill(till));
		world.track(synced.then(() => judgeSeen(world, till)));
	},

	async takesBack(world, random) {
		const till = pickTill(world, random);
		if (!till) return;
		const { machine, caller, replica } = till;
		await world.attempt(async () => {
			const sold = await machine.store.read((tx) =>
				tx.all(
					"SELECT id FROM sales WHERE business_id = ? ORDER BY id",
					till.businessId,
				),
			);
			if (sold.length === 0) return;
			const shared = {
				id: newId(machine.env),
				saleId: random.pick(sold).id as string,
				reason: "Sour",
				restock: random.chance(0.5),
			};
			if (random.chance(0.3)) await replica.mutate(caller, saleVoid, shared);
			else
				await replica.mutate(caller, saleRefund, {
					...shared,
					items: [{ id: "1", itemId: "1", quantity: 0.125 }],
				});
		});
	},

	async edits(world, random) {
		const till = pickTill(world, random);
		if (!till) return;
		const { businessId, caller, replica } = till;
		const id = random.pick(productIds);
		const name = `${id} ${random.below(9)} ${canaryOf(businessId)}`;
		const set = random.pick([
			{ sellingPrice: random.below(200) },
			{ name },
			{ name, sellingPrice: random.below(200), lowStock: random.below(9) },
			{ isActive: random.chance(0.7) },
		]);
		if (random.chance(0.2)) return countStock(world, till, id, random);
		await world.attempt(() =>
			random.chance(0.1)
				? replica.mutate(caller, productDelete, { id })
				: replica.mutate(caller, productUpdate, { id, set }),
		);
	},

	async receives(world, random) {
		const till = pickTill(world, random);
		if (!till) return;
		await world.attempt(() =>
			till.replica.mutate(till.caller, stockAdjust, {
				id: newId(till.machine.env),
				productId: random.pick(productIds),
				delta: random.below(80) / 8 - 2,
				reason: random.pick(["received", "count", "damage"] as const),
			}),
		);
	},

	async makesProduct(world, random) {
		const till = pickTill(world, random);
		if (!till) return;
		const { machine, businessId, caller, replica } = till;
		// Several tills create "late" independently.
		const id = random.chance(0.5) ? "late" : newId(machine.env);
		await world.attempt(() =>
			replica.mutate(caller, productCreate, {
				id,
				name: `late ${canaryOf(businessId)}`,
				buyingPrice: 1,
				sellingPrice: random.below(50),
				quantity: random.below(80) / 8,
			}),
		);
	},

	async sortsCategories(world, random) {
		const till = pickTill(world, random);
		if (!till) return;
		const { businessId, caller, replica } = till;
		const id = random.pick(["dairy", "bakery"]);
		const name = `${id} ${random.below(9)} ${canaryOf(businessId)}`;
		await world.attempt(async () => {
			const kind = random.next();
			if (kind < 0.4)
				await replica.mutate(caller, categoryCreate, { id, name });
			else if (kind < 0.6)
				await replica.mutate(caller, categoryUpdate, { id, set: { name } });
			else if (kind < 0.75)
				await replica.mutate(caller, categoryDelete, { id });
			else
				await replica.mutate(caller, productUpdate, {
					id: random.pick(productIds),
					set: { categoryId: id },
				});
		});
	},

	async changesBusiness(world, random) {
		const till = pickTill(world, random);
		if (!till) return;
		const receiptHeader = `Karibu ${random.below(9)} ${canaryOf(till.businessId)}`;
		const set = random.pick([
			{ receiptHeader },
			// Earlier sales keep their day.
			{ cutOffHour: random.below(24) },
			{ timeZone: random.pick(["Africa/Nairobi", "Pacific/Auckland"]) },
		]);
		await world.attempt(() =>
			till.replica.mutate(till.caller, businessUpdate, { set }),
		);
	},

	async reviews(world, random) {
		const till = pickTill(world, random);
		if (!till) return;
		await world.attempt(() =>
			till.replica.mutate(till.caller, reviewCreate, {
				id: newId(till.machine.env),
				rating: 1 + random.below(5),
				text: `Nzuri ${canaryOf(till.businessId)}`,
			}),
		);
	},

	/** Creates, changes and deletes records of the entities that no other step covers. */
	async keepsRecords(world, random) {
		const till = pickTill(world, random);
		if (!till) return;
		const { businessId, caller, replica } = till;
		const mutation = random.pick(recordMutations);
		const example = random.pick(mutation.examples) as { id: string };
		const word = canaryOf(businessId);
		const args = withWord(mutation.args, example, word) as typeof example;
		await world.attempt(() =>
			replica.mutate(caller, mutation, {
				...args,
				id: `${args.id} ${random.below(9)}`,
			}),
		);
	},

	/** Sells by several methods or on credit, collects a debt, takes such a sale back, or merges customers. */
	async lends(world, random) {
		const till = pickTill(world, random);
		if (!till) return;
		const { businessId, caller, machine, replica } = till;
		const id = newId(machine.env);
		const customerId = `customer ${random.below(3)}`;
		const amount = 1 + random.below(300);
		const code = `CODE${random.below(20)}`;
		const parts = [
			{ method: "CASH", amount },
			{ method: "MPESA", amount: 1 + random.below(100), code },
		].slice(random.below(2));
		if (random.chance(0.1)) {
			const reason = `Old book ${canaryOf(businessId)}`;
			await world.attempt(() =>
				replica.mutate(caller, paymentAdjust, {
					...{ id, customerId, amount: amount - 150.5, reason },
				}),
			);
			return;
		}
		if (random.chance(0.2)) {
			const others = [0, 1, 2].map(() => `customer ${random.below(3)}`);
			await mergeCustomers(world, till, [customerId, ...others]);
			return;
		}
		if (random.chance(0.3)) {
			const args = { id, customerId, tenders: parts };
			await world.attempt(() => replica.mutate(caller, paymentCollect, args));
			return;
		}
		const items = basket(random, businessId);
		const paid = random.chance(0.7) ? { customerId } : {};
		await sellKnown(world, till, { id, items, ...paid, tenders: parts });
	},

	keepsGoods,
	buysGoods,
	changesWindow,
	worksDrawer,
	takesCash,
	countsStock,
	importsStatement,
	changesTaxes,

	/** Dismisses items that the till shows, which the server may know otherwise, and reopens some. */
	async looksIntoInbox(world, random) {
		const till = pickTill(world, random);
		if (!till) return;
		const { businessId, caller, machine, replica } = till;
		await world.attempt(async () => {
			const found = await machine.store.read((tx) =>
				tx.all(
					"SELECT id FROM inbox_items WHERE business_id = ? ORDER BY id LIMIT 20",
					businessId,
				),
			);
			const ids = found
				.filter(() => random.chance(0.5))
				.map(({ id }) => id as string);
			if (ids.length === 0) return;
			const reason = `Right ${canaryOf(businessId)}`;
			await (random.chance(0.6)
				? replica.mutate(caller, inboxDismiss, { ids, reason })
				: replica.mutate(caller, inboxReopen, { ids }));
		});
	},

	async sellsOnServer(world, random) {
		const { machine, shop } = world.server;
		if (!shop || !machine.isUp) return;
		const businessId = random.pick(businesses);
		const id = newId(machine.env);
		const items = basket(random, businessId);
		const known = world.witness.begins({
			businessId,
			id,
			madeOn: `server ${businessId}`,
			madeAt: world.schedule.now(),
			content: contentOf(items),
			by: "owner",
		});
		const { life } = machine;
		const error = await world.attempt(() =>
			shop.mutate(world.ownerOf(businessId), saleCreate, { id, items }),
		);
		if (!error && machine.isUp && machine.life === life)
			world.witness.acknowledge(known, world.schedule.now());
	},

	async editsOnServer(world, random) {
		const { shop } = world.server;
		if (!shop) return;
		const businessId = random.pick(businesses);
		await world.attempt(() =>
			shop.mutate(world.ownerOf(businessId), productUpdate, {
				id: random.pick(productIds),
				set: { sellingPrice: random.below(200) },
			}),
		);
	},

	async sortsOut(world, random) {
		const till = pickTill(world, random);
		if (!till) return;
		// Its program may end in between.
		const { replica, seen } = till;
		await world.attempt(async () => {
			for (const { id } of await replica.rejected())
				if (random.chance(0.5)) {
					seen.rejected.delete(id);
					await (random.chance(0.5) && !world.witness.poison.has(id)
						? replica.retry(id)
						: replica.discard(id));
					seen.settled.add(id);
				}
		});
	},

	/** On another day each time, so that there are facts to fold. */
	async looksAtReports(world, random) {
		const today = `2026-11-${10 + random.below(20)}`;
		const till = pickTill(world, random);
		await world.attempt(() =>
			till && random.chance(0.7)
				? foldTallies(till.machine.store, till.businessId, today)
				: foldTallies(world.openShop().store, random.pick(businesses), today),
		);
	},

	/** Sums the blocks that have closed, in the middle of whatever else goes on. */
	async comparesDigests(world, random) {
		const till = pickTill(world, random);
		await world.attempt(async () => {
			if (till && random.chance(0.7)) await till.replica.digest();
			else {
				const shop = world.openShop();
				await settleBlocks(shop.store, random.pick(businesses));
			}
		});
	},

	async comparesRows(world, random) {
		const till = pickTill(world, random);
		if (!till) return;
		const compared = world.attempt(() => compareTill(till));
		world.track(compared.then(() => judgeSeen(world, till)));
	},

	/** Makes a backup like the backup command, which records its head and notifies the tills. */
	async backsUp(world) {
		const { machine, shop, backups } = world.server;
		if (!shop || !machine.isUp) return;
		await world.attempt(async () => {
			const file = await machine.copyDisk();
			backups.push({ file, at: world.schedule.now() });
			await machine.store.write((tx) =>
				tx.run(
					"UPDATE businesses SET backed_up_to = head WHERE business_id <> ?",
					bystander,
				),
			);
		});
	},

	/** Takes an image of the server's machine, or of its file without the newest writes, without notifying the tills. */
	async copiesServer({ server: { machine, images }, schedule }) {
		if (!machine.isUp) return;
		images.push({ file: await machine.copyDisk(), at: schedule.now() });
	},

	/** Another member signs in at a till that may have pending mutations of the first one, sometimes without the server. */
	async signsIn(world, random) {
		const till = random.pick(world.tills);
		const next = till.caller.userId === cashier ? till.name : cashier;
		signIn(till, next, random.chance(0.7));
	},

	async copiesTill(world, random) {
		const till = pickTill(world, random);
		if (!till) return;
		const file = await till.machine.copyDisk();
		till.copy = { file, at: world.schedule.now(), border: till.border };
	},
};

/** A person counts a product's stock and sets it against the level that the till shows. */
async function countStock(
	{ attempt, witness }: World,
	{ machine, businessId, caller, replica }: PickedTill,
	productId: string,
	random: Random,
): Promise<void> {
	const quantity = random.below(400) / 8;
	await attempt(async () => {
		const { store } = machine;
		const [shown] = await store.read((tx) =>
			tx.all(
				"SELECT quantity FROM products WHERE business_id = ? AND id = ?",
				businessId,
				productId,
			),
		);
		const set = { quantity };
		await replica.mutate(caller, productUpdate, { id: productId, set });
		const [made] = await store.read((tx) =>
			tx.all(
				"SELECT mutation_id FROM outbox WHERE business_id = ? ORDER BY position DESC LIMIT 1",
				businessId,
			),
		);
		witness.stockCounts.push({
			businessId,
			productId,
			mutationId: made?.mutation_id as string,
			seen: shown?.quantity as number,
			counted: quantity * 1e6,
		});
	});
}

/** Checks that sales which the till showed are still there, whatever the server sent. */
export async function judgeSeen(
	world: World,
	till: SimulatedTill,
): Promise<void> {
	const { machine, businessId, seen, replica } = till;
	const { life } = machine;
	const { witness } = world;
	await world.attempt(async () => {
		const seenNow = await machine.store.read(async (tx) => ({
			sales: await tx.all(
				"SELECT id FROM sales WHERE business_id = ?",
				businessId,
			),
			unsent: await tx.all(
				`SELECT mutation_id AS id, number IS NULL AND error IS NULL AND answered_at IS NOT NULL AS is_again
         FROM outbox WHERE business_id = ? AND state = 'pending'`,
				businessId,
			),
			taken: await tx.all(
				"SELECT mutation_id AS id, server_version AS version FROM outbox WHERE business_id = ? AND state = 'acknowledged'",
				businessId,
			),
			state: await readState(tx, businessId),
			rejected: await readRejected(tx, businessId),
		}));
		if (!replica || !machine.isUp || machine.life !== life) return;
		const { sales, unsent, taken, state, rejected } = seenNow;
		const { resetting } = state.position;
		// It holds everything again. While a till pulls the feed again it has no window either, and lacks older sales.
		if (
			!resetting &&
			till.windowDays === undefined &&
			state.window.version === 0 &&
			state.historyVersion === null
		)
			till.border = 0;
		const inSight = new Set(sales.map(({ id }) => id as string));
		const own = [...witness.sales.values()]
			.filter(
				({ id, madeOn, isAcknowledged, isExcused }) =>
					madeOn === till.name &&
					isAcknowledged &&
					!isExcused &&
					!till.damaged.has(id),
			)
			.map(({ id }) => id);
		// Another till may have sent a sale of this one's, which is among the older facts that are still to come.
		// What was read may be older than the end of a window that another look has noted meanwhile.
		const border = Math.max(
			till.border,
			state.window.version,
			state.historyVersion ?? 0,
		);
		const newer =
			border === 0
				? undefined
				: await newerSales(world, businessId, border, taken);
		// A till that has heard of a loss offers again what its window left out, and shows it from the reset's first page on.
		const hasLeftOut =
			state.window.version > 0 || state.historyVersion !== null;
		const mayBeOut = hasLeftOut && state.resumesAfter !== null;
		// A till's sale has its mutation's id.
		const kept = new Set(
			unsent
				.filter(({ is_again }) => !mayBeOut || is_again === 0)
				.map(({ id }) => id as string),
		);
		// While a new snapshot comes in, the old shop stays visible.
		const gone = [...own, ...(resetting ? seen.sales : [])].find(
			(id) =>
				!inSight.has(id) &&
				(newer === undefined || kept.has(id) || (!resetting && newer.has(id))),
		);
		if (gone) witness.fail("a sale is out of sight", `${till.name}: ${gone}`);
		if (!resetting) seen.sales = inSight;
		judgeRejected(world, till, rejected);
	});
}

/**
 * The sales from after what a till's window leaves out, and what is still to come: they stay on the till. Its server may have
 * lost its history and have one under a newer version than the till has heard of, or under an older one than its answer's.
 */
async function newerSales(
	{ server }: World,
	businessId: string,
	border: number,
	taken: readonly DbRow[],
): Promise<Set<string>> {
	const rows = await server.machine.store.read((tx) =>
		tx.all(
			"SELECT id FROM sales WHERE business_id = ? AND version > ?",
			businessId,
			border,
		),
	);
	const there = new Set(rows.map(({ id }) => id));
	const newer = taken.filter(
		({ id, version }) => Number(version) > border && there.has(id),
	);
	return new Set(newer.map(({ id }) => id as string));
}

/** Checks that a rejected mutation stays until a person acts on it, and then goes. */
export function judgeRejected(
	{ witness }: World,
	{ name, seen }: SimulatedTill,
	rejected: readonly { id: string }[],
): void {
	const shown = new Set(rejected.map(({ id }) => id));
	for (const id of seen.rejected)
		if (!shown.has(id))
			witness.fail("a rejected mutation has vanished", `${name}: ${id}`);
	for (const id of shown) {
		seen.rejected.add(id);
		if (seen.settled.has(id))
			witness.fail("a discarded mutation is back", `${name}: ${id}`);
	}
}

/** Merges each customer into the next. They are written down here if they weren't; another till may merge them too. */
async function mergeCustomers(
	world: World,
	{ businessId, caller, replica }: PickedTill,
	ids: readonly string[],
): Promise<void> {
	for (const id of new Set(ids)) {
		const args = { id, name: canaryOf(businessId) };
		await world.attempt(() => replica.mutate(caller, customerCreate, args));
	}
	for (const [i, intoId] of ids.slice(1).entries()) {
		const args = { fromId: ids[i] ?? intoId, intoId };
		await world.attempt(() => replica.mutate(caller, customerMerge, args));
	}
}

/** A sale's id: usually new, sometimes one that the other shop uses too. */
function saleId(world: World, till: SimulatedTill, random: Random): string {
	const { sales } = world.witness;
	if (random.chance(0.1)) {
		const theirs = [...sales.values()].filter(
			({ businessId, id }) =>
				businessId !== till.businessId &&
				!sales.has(`${till.businessId} ${id}`),
		);
		const one = theirs.at(-1);
		if (one) return one.id;
	}
	return newId(till.machine.env);
}

/** Brings a sale from another storage of this device until it is settled, sometimes twice or after a crash. */
async function bringSale(
	world: World,
	till: SimulatedTill,
	known: KnownSale,
	args: object,
): Promise<void> {
	const message = {
		id: newId(till.machine.env),
		name: saleCreate.name,
		args,
		at: toIso(till.machine.env.now()),
		...(known.by === null ? {} : { by: known.by }),
	};
	const offer = async (triesLeft: number) => {
		const { life } = till.machine;
		let isDone = false;
		if (till.replica && till.machine.isUp) {
			const { replica } = till;
			const error = await world.attempt(async () => {
				const [result] = await replica.take(till.caller, [message]);
				isDone = result?.status === "applied";
				if (!isDone)
					world.witness.fail(
						"a sale was refused",
						`${known.id}: ${result?.error?.code}`,
					);
			});
			if (error && !error.code.startsWith("storage_"))
				world.witness.fail("a sale was refused", `${known.id}: ${error.code}`);
			if (till.machine.life !== life || !till.machine.isUp) isDone = false;
		}
		if (isDone) world.witness.acknowledge(known, world.schedule.now());
		// The answer may have been lost.
		if (triesLeft > 0)
			world.schedule.after(500, () => world.track(offer(triesLeft - 1)));
	};
	await offer(2);
}
