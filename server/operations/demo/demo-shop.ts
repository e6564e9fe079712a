import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toDecimal, toMicros } from "../../../sync/entities/money.ts";
import { product } from "../../../sync/entities/product.ts";
import { codeCreate } from "../../../sync/entities/product-code.ts";
import { shiftClose } from "../../../sync/entities/shift.ts";
import { addDays, businessDay, toIso } from "../../../sync/protocol/clock.ts";
import type { demoOwner } from "../../../sync/protocol/demo.ts";
import { type Env, newId } from "../../../sync/protocol/ids.ts";
import { selectRows } from "../../../sync/rows/rows.ts";
import { type Caller, openShop, type Shop } from "../../../sync/shop.ts";
import type { Store } from "../../../sync/store/store.ts";
import { createUser } from "../../accounts/users.ts";
import { readProductCsv } from "../../products/import/product-file.ts";
import { importProducts } from "../../products/import/products.ts";
import { countShelves } from "./counts.ts";
import { mpesaCode, openDebtors } from "./debtors.ts";
import { openDice } from "./dice.ts";
import { countDrawer, openDrawer } from "./drawer.ts";
import { addPacks, type DemoPack, openPackBuyers, unitOf } from "./packs.ts";
import { openReceived } from "./received.ts";
import { hireCashier } from "./staff.ts";
import { openSuppliers } from "./suppliers.ts";
import { setTaxes } from "./taxes.ts";

const days = 90;
const dayMs = 24 * 3_600_000;
/** A fixed offset is enough: Nairobi has no daylight saving time. */
const zone = { name: "Africa/Nairobi", aheadMs: 3 * 3_600_000 };
const batchSize = 500;
/** A product with two barcodes. */
const twiceBaked = { name: "White bread 400 g", otherCode: "6161093004116" };
/** Of a hundred sales, the number in each hour from six in the morning, with peaks before work, at noon and in the evening. */
const salesByHour = [4, 9, 9, 5, 4, 5, 9, 9, 6, 4, 5, 10, 11, 7, 3];
const firstHour = 6;
const methods = { CASH: 55, MPESA: 38, CARD: 7 };
/** The best-selling products, best first; the rest of the catalogue follows in random order. */
const staples = [
	"Fresh milk 500 ml",
	"White bread 400 g",
	"Sugar 1 kg",
	"Unga wa ugali 2 kg",
	"Eggs (each)",
	"Tomatoes (kg)",
	"Mandazi (each)",
	"Soda 500 ml",
	"Onions (kg)",
	"Cooking oil 500 ml",
	"Sukuma wiki (kg)",
	"Bar soap piece",
	"Water 500 ml",
	"Majani tea leaves 50 g",
	"Salt 500 g",
];

interface Sold {
	id: string;
	name: string;
	price: number;
	cost: number;
	stock: number;
	/** The stock level that a delivery refills to; none for a service. */
	full: number;
	unit: "kg" | undefined;
	tax: { taxClass: string; taxRate: number };
	pack: DemoPack | undefined;
}

interface Message {
	id: string;
	name: string;
	at: string;
	args: object;
}

/**
 * Creates a shop with three months of trade up to now, through mutations as a till pushes them, so that log, stock and
 * tallies are a real shop's. At the same moment it makes the same shop, except for ids.
 *
 * @param options.isFirst whether the server must be empty
 * @throws HttpError 409 if it must be and isn't, or if it has a demo shop
 */
export async function makeDemoShop(
	store: Store,
	env: Env,
	owner: typeof demoOwner & { passwordHash: string },
	{ isFirst = true } = {},
): Promise<{ id: string; businessId: string }> {
	const now = env.now();
	let moment = now - days * dayMs;
	const past = { ...env, now: () => moment };
	const business = {
		name: "Duka la Mfano",
		currency: "KES",
		timeZone: zone.name,
	};
	const made = await createUser(store, past, owner, { business }, { isFirst });
	const shop = openShop({ store, env: past });
	const caller: Caller = {
		businessId: made.businessId,
		userId: made.id,
		role: "OWNER",
		deviceId: null,
	};
	const shelf = await stock(shop, caller);

	const deviceId = newId(past);
	let waiting: Message[] = [];
	let number = 0;
	const dice = openDice(5);
	const trading = trade(shelf, { env: past, now, deviceId }, (at) => {
		moment = at;
	});
	for (const message of trading) {
		if (message.name === shiftClose.name) {
			// What is counted depends on what was sold.
			const at = moment;
			await send();
			moment = at;
			await countDrawer(shop, caller, message.args as never, dice);
			continue;
		}
		waiting.push(message);
		if (waiting.length === batchSize) await send();
	}
	moment = now;
	await send();
	moment = now - 1_800_000;
	const [bestseller] = shelf;
	if (bestseller) await hireCashier(shop, caller, bestseller);
	moment = now - 900_000;
	const pass = () => {
		moment += 60_000;
	};
	await countShelves(shop, caller, { goods: shelf, pass });
	return made;

	async function send(): Promise<void> {
		const mutations = waiting.map((message) => {
			number += 1;
			return { ...message, number };
		});
		waiting = [];
		const request = { mutations, deviceId, prefix: "A", lastNumber: number };
		const { results } = await shop.push(caller, request);
		const refused = results.find(({ status }) => status !== "applied");
		if (refused) throw new Error(`The demo: ${refused.error?.message}`);
	}
}

/** Imports the sample catalogue. @returns its products, best-selling first */
async function stock(shop: Shop, caller: Caller): Promise<Sold[]> {
	const text = readFileSync(join(import.meta.dirname, "catalogue.csv"));
	await importProducts(shop, caller, readProductCsv(text));
	const rows = await shop.store.read((tx) =>
		selectRows(tx, product, caller.businessId, "ORDER BY search_name"),
	);
	// Two bakeries bake the same bread.
	const bread = rows.find(({ row }) => row.name === twiceBaked.name);
	if (bread)
		await shop.mutate(caller, codeCreate, {
			...{ id: newId(shop.env), productId: bread.row.id },
			code: twiceBaked.otherCode,
		});
	const firstDay = businessDay(toIso(shop.env.now()), zone.name, 0);
	const taxOf = await setTaxes(shop, caller, firstDay);
	const packs = await addPacks(
		shop,
		caller,
		rows.map(({ row }) => row),
	);
	const dice = openDice(11);
	return rows
		.map(({ row }) => {
			const staple = staples.indexOf(row.name);
			const luck = dice.below(1_000);
			return { row, rank: staple < 0 ? staples.length + luck : staple };
		})
		.sort((a, b) => a.rank - b.rank)
		.map(({ row }, i) => ({
			id: row.id,
			name: row.name,
			price: toDecimal(row.sellingPrice ?? 0),
			cost: toDecimal(row.buyingPrice ?? 0),
			stock: row.isService ? Number.POSITIVE_INFINITY : toDecimal(row.quantity),
			// Best-sellers get the highest stock.
			full: row.isService ? 0 : Math.max(12, Math.round(900 / (i + 3))),
			unit: unitOf(row.name),
			tax: taxOf(row.categoryId),
			pack: packs.get(row.id),
		}));
}

/** Yields three months of mutations; `onMoment` is called with the time of each. */
function* trade(
	shelf: Sold[],
	till: { env: Env; now: number; deviceId: string },
	onMoment: (at: number) => void,
): Generator<Message> {
	const dice = openDice(7);
	const { now } = till;
	const trader = openTrader(shelf, till, dice, onMoment);
	const today = businessDay(toIso(now), zone.name, 0);
	for (let ago = days - 1; ago >= 0; ago -= 1) {
		const day = addDays(today, -ago);
		const midnight = Date.parse(`${day}T00:00:00.000Z`) - zone.aheadMs;
		const weekday = new Date(`${day}T00:00:00.000Z`).getUTCDay();

		if (weekday === 1 || ago === days - 1) yield* trader.deliver(midnight);
		if (ago === days - 1) yield* trader.meet(midnight);
		yield* trader.open(day, midnight);
		if (weekday === 6) yield* trader.collect(day, midnight);
		if (weekday === 1 || ago === 0) yield* trader.importStatement(midnight);
		if (ago === 20) yield* trader.keep(day, midnight);
		yield* trader.sell(day, momentsOf(day, midnight, weekday, dice));
		yield* trader.close(day, midnight);
	}
}

/** The times of a day's sales, more of them at the end of the week and around payday. */
function momentsOf(
	day: string,
	midnight: number,
	weekday: number,
	dice: ReturnType<typeof openDice>,
): number[] {
	const date = Number(day.slice(8));
	const busy = (weekday >= 5 ? 1.3 : 1) * (date >= 27 || date <= 2 ? 1.25 : 1);
	const count = Math.round((34 + dice.below(12)) * busy);
	return Array.from({ length: count }, () => {
		const hour = firstHour + dice.weighted(salesByHour);
		return midnight + hour * 3_600_000 + dice.below(3_600) * 1_000;
	}).sort((a, b) => a - b);
}

function openTrader(
	shelf: Sold[],
	{ env, now, deviceId }: { env: Env; now: number; deviceId: string },
	dice: ReturnType<typeof openDice>,
	onMoment: (at: number) => void,
) {
	let receipts = 0;
	const debtors = openDebtors(env, dice);
	const drawer = openDrawer(env, deviceId);
	// Drawn apart, so that the sales stay as they were.
	const spending = openDice(3);
	const received = openReceived();
	const packOf = openPackBuyers();
	const suppliers = openSuppliers(env);

	const message = (at: number, name: string, args: object): Message => {
		onMoment(at);
		received.note(at, args);
		return { id: newId(env), name, at: toIso(at), args };
	};

	return {
		/** Yields Monday's delivery, before the shop opens. */
		*deliver(midnight: number): Generator<Message> {
			const at = midnight + 5 * 3_600_000;
			const goods = [];
			for (const sold of shelf) {
				const delta = sold.full - Math.floor(sold.stock);
				if (sold.full === 0 || delta < sold.full / 3 || dice.below(12) === 0)
					continue;
				if (at > now) continue;
				sold.stock += delta;
				const { id, name, cost, unit } = sold;
				const isFresh = unit !== undefined;
				goods.push({ id, name, cost, isFresh, quantity: delta });
			}
			for (const { name, args } of suppliers.deliver(goods))
				yield message(at, name, args);
		},

		/** Yields the customers who may buy on credit. */
		*meet(midnight: number): Generator<Message> {
			for (const { name, args } of debtors.meet())
				yield message(midnight + 6 * 3_600_000, name, args);
		},

		/** Yields the opening of the day's shift. */
		*open(businessDay: string, midnight: number): Generator<Message> {
			const { hour, name, args } = drawer.open();
			const at = midnight + hour * 3_600_000;
			if (at < now) yield message(at, name, { ...args, businessDay });
		},

		/** Yields what was paid out of the drawer, and its count. */
		*close(businessDay: string, midnight: number): Generator<Message> {
			for (const { hour, name, args } of [
				...drawer.spend(spending),
				drawer.close(),
			]) {
				const at = midnight + hour * 3_600_000;
				if (at < now) yield message(at, name, { ...args, businessDay });
			}
		},

		/** Yields what customers pay of their debts on a Saturday morning. */
		*collect(day: string, midnight: number): Generator<Message> {
			const at = midnight + 9 * 3_600_000;
			if (at > now) return;
			for (const { name, args } of debtors.collect(day))
				yield message(at, name, { ...args, shiftId: drawer.shiftId() });
		},

		/** Yields dear goods that are kept for customers, with their first deposits. */
		*keep(businessDay: string, midnight: number): Generator<Message> {
			const dear = shelf
				.filter(({ unit, full }) => full > 0 && !unit)
				.sort((a, b) => b.price - a.price)
				.slice(0, 2);
			const goods = dear.map(({ id, name, price, cost, tax }) => ({
				...{ id: "1", productId: id, name, price, cost, ...tax, quantity: 4 },
			}));
			const deposits = dear.map(({ price }) => price);
			const dueDays = [addDays(businessDay, 18), addDays(businessDay, 40)];
			for (const { name, args } of debtors.keep(goods, deposits, dueDays))
				yield message(midnight + 10 * 3_600_000, name, {
					...{ ...args, businessDay },
					...(name === "payment.collect" && { shiftId: drawer.shiftId() }),
				});
		},

		/** Yields the M-PESA statement of the days before, in the morning. */
		*importStatement(midnight: number): Generator<Message> {
			const at = midnight + 5 * 3_600_000;
			const statement = at > now ? undefined : received.statement();
			if (statement) yield message(at, "statement.import", statement);
		},

		/** Yields a day's sales, with a few voids and refunds soon after. */
		*sell(day: string, moments: readonly number[]): Generator<Message> {
			for (const at of moments) {
				if (at >= now) break;
				const id = newId(env);
				receipts += 1;
				const items = basket(shelf, dice, packOf);
				const total = items.reduce(
					(sum, { price, quantity }) => sum + price * quantity,
					0,
				);
				const paymentMethod = Object.keys(methods)[
					dice.weighted(Object.values(methods))
				] as string;
				yield message(at, "sale.create", {
					id,
					items,
					...(debtors.lend(total) ?? {
						paid: paymentMethod === "CASH" ? handedOver(total, dice) : null,
						paymentMethod,
						...(paymentMethod === "MPESA" && {
							paymentCode: mpesaCode(day, dice),
						}),
					}),
					receiptNumber: `A-${String(receipts).padStart(6, "0")}`,
					...{ businessDay: day, shiftId: drawer.shiftId() },
				});
				const taken = {
					...{ id: newId(env), saleId: id },
					...{ businessDay: day, shiftId: drawer.shiftId() },
				};
				if (dice.below(200) === 0)
					yield message(at + 1_000, "sale.void", {
						...taken,
						reason: "Rung up by mistake",
					});
				else if (dice.below(80) === 0)
					yield message(at + 60_000 < now ? at + 60_000 : at, "sale.refund", {
						...taken,
						reason: "Damaged",
						items: [{ id: "1", itemId: "1", quantity: items[0]?.quantity }],
					});
			}
		},
	};
}

/** Picks one to eight lines, mostly of a few products, and never more than is in stock. */
function basket(
	shelf: Sold[],
	dice: ReturnType<typeof openDice>,
	packOf: ReturnType<typeof openPackBuyers>,
) {
	const wanted = 1 + dice.weighted([34, 25, 16, 10, 6, 4, 3, 2]);
	const lines = new Map<
		string,
		{ sold: Sold; quantity: number; pack: DemoPack | undefined }
	>();
	for (let tries = 0; lines.size < wanted && tries < 50; tries += 1) {
		const sold = shelf[Math.floor(dice.share() ** 2.2 * shelf.length)] as Sold;
		const quantity = sold.unit
			? (1 + dice.below(8)) / 4
			: 1 + dice.weighted([75, 18, 7]);
		if (lines.has(sold.id) || sold.stock < quantity) continue;
		const wholesale = packOf(sold.pack);
		const units = quantity * (wholesale?.line.packSize ?? 1);
		const pack = sold.stock < units ? undefined : wholesale;
		const taken = pack ? units : quantity;
		sold.stock = toDecimal(toMicros(sold.stock) - toMicros(taken));
		lines.set(sold.id, { sold, quantity, pack });
	}
	return [...lines.values()].map(({ sold, quantity, pack }, i) => ({
		id: String(i + 1),
		name: sold.name,
		quantity,
		price: pack?.price ?? sold.price,
		cost: sold.cost * (pack?.line.packSize ?? 1),
		...pack?.line,
		productId: sold.id,
		...(sold.unit && { unit: sold.unit }),
		isService: sold.full === 0,
		...sold.tax,
	}));
}

/** The cash tendered: sometimes the exact total, otherwise the next round note or two. */
function handedOver(total: number, dice: ReturnType<typeof openDice>): number {
	if (dice.below(3) === 0) return 0;
	const note = [50, 100, 200, 500, 1_000][dice.below(5)] as number;
	return Math.ceil(total / note) * note;
}
