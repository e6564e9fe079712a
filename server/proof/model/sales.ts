import fc from "fast-check";
import { expect } from "vitest";
import type { Answer } from "../../testing/server.ts";
import {
	createdIn,
	expectAnswer,
	expectRefusal,
	kind,
	newIdOf,
	pick,
	pickId,
	type Scene,
} from "./call.ts";
import { decimal, localParts, micros, shopDay, totalOf } from "./exact.ts";
import {
	amounts,
	maybe,
	names,
	nats,
	quantities,
	reasons,
	roundedBy,
} from "./inputs.ts";
import {
	backTooMuch,
	isVoided,
	keptBack,
	type Line,
	sell,
	standingOf,
	takenBack,
} from "./sell.ts";
import {
	type Item,
	newestFirst,
	type Refund,
	refundWire,
	type Sale,
	type Shop,
	saleWire,
} from "./world.ts";

const salesOf = (shop: Shop) => shop.sales;

export const lines = fc.record({
	name: names,
	quantity: quantities,
	/** Undefined means the product's present or previous price. */
	price: maybe(amounts),
	cost: amounts,
	listPrice: maybe(amounts),
	product: maybe(nats),
	isService: maybe(fc.boolean()),
});
export type SentLine = typeof lines extends fc.Arbitrary<infer T> ? T : never;

/** Makes a till's line for a product, at its present or previous price. */
export function toLine(
	scene: Scene,
	{ product: n, price, ...line }: SentLine,
): Line {
	if (n === undefined) return { ...line, price: price ?? 10 };
	const productId = pickId(scene, (shop) => shop.products, n);
	const product = scene.shop.products.find(({ id }) => id === productId);
	const known = n % 3 === 0 ? product?.priceEdit?.was : product?.sellingPrice;
	scene.shop.sent.add(productId);
	return { ...line, productId, price: price ?? known ?? 10 };
}

const makeSale = kind({
	operation: "POST /api/sales",
	weight: 12,
	input: fc.record({
		items: fc.array(lines, { minLength: 0, maxLength: 4 }),
		paid: maybe(fc.option(amounts)),
		rounding: maybe(fc.option(roundedBy)),
		paymentMethod: maybe(fc.constantFrom("CASH", "CARD", "MPESA", "")),
		notes: maybe(fc.option(names)),
		isHuge: fc.nat(30).map((n) => n === 0),
	}),
	ask: (scene, { items, isHuge, ...sent }) => ({
		body: {
			...sent,
			items: items.map((line) => ({
				...toLine(scene, line),
				...(isHuge ? { quantity: 1e9, price: 1e9 } : {}),
			})),
			// The server must ignore these fields.
			...{ id: "mine", businessId: "another", total: 1, change: 5, tax: 3 },
		},
	}),
	answered(scene, { items, isHuge, ...sent }, answer, { body }) {
		const { world, shop, person } = scene;
		if (items.length === 0)
			return expectRefusal(answer, 400, "items array required");
		// Beyond the range of exact amounts.
		if (isHuge) return expectRefusal(answer, 400);
		const method = sent.paymentMethod || "CASH";
		if (sent.rounding && method !== "CASH") return expectRefusal(answer, 400);
		const { items: sold } = body as { items: Line[] };
		if (micros(sent.rounding ?? 0) > totalOf(sold))
			return expectRefusal(answer, 400);
		const made = answer.body as Sale;
		expect(answer.status).toBe(201);
		// The server makes new ids and a new receipt number.
		expect(made.receiptNumber).toMatch(/^\S+-\d{6}$/);
		expect(shop.sales.map((one) => one.receiptNumber)).not.toContain(
			made.receiptNumber,
		);
		const sale = sell(world, shop, {
			...sent,
			id: newIdOf(world, answer),
			lines: sold.map((line, i) => ({ ...line, id: made.items[i]?.id ?? "" })),
			receiptNumber: made.receiptNumber,
			person,
			deviceId: null,
			createdAt: createdIn(scene, answer),
		});
		shop.devices.add("the server");
		expectAnswer(answer, 201, saleWire(shop, sale));
	},
});

const listSales = kind({
	operation: "GET /api/sales",
	weight: 4,
	input: fc.record({
		limit: maybe(fc.constantFrom("0", "1", "3", "100", "x", "-1")),
		offset: maybe(fc.constantFrom("0", "2", "x", "1000")),
	}),
	ask: (_, { limit, offset }) => ({
		query: { ...(limit && { limit }), ...(offset && { offset }) },
	}),
	answered({ shop }, { limit, offset }, answer) {
		const count = (text: string | undefined, ifNone: number) => {
			const number = Number(text ?? Number.NaN);
			return number >= 0 ? number : ifNone;
		};
		const from = count(offset, 0);
		const page = newestFirst(shop.sales).slice(from, from + count(limit, 50));
		expectAnswer(answer, 200, {
			sales: page.map((sale) => saleWire(shop, sale)),
			total: shop.sales.length,
		});
	},
});

/** Finds a sale of the caller's first business. */
function saleOf({ shop }: Scene, id: string | undefined): Sale | undefined {
	return shop.sales.find((one) => one.id === id);
}

const readSale = kind({
	operation: "GET /api/sales/:id",
	weight: 1,
	input: nats,
	ask: (scene, n) => ({ id: pickId(scene, salesOf, n) }),
	answered(scene, _, answer, { id }) {
		const sale = saleOf(scene, id);
		if (!sale) return expectRefusal(answer, 404, "Sale not found");
		expectAnswer(answer, 200, saleWire(scene.shop, sale));
	},
});

/** Records a refund and restocks its goods. */
function takeBack(
	scene: Scene,
	sale: Sale,
	answer: Answer,
	what: Pick<Refund, "kind" | "reason" | "restock"> & {
		items: { itemId: string; quantity: number }[];
	},
): void {
	const { world, shop, person } = scene;
	expect(answer.status, answer.text).toBe(201);
	const made = answer.body as Refund;
	const back = what.items.map((item) => ({
		...(sale.items.find(
			({ id }) => id === item.itemId,
		) as Sale["items"][number]),
		quantity: item.quantity,
	}));
	const createdAt = createdIn(scene, answer);
	const rounding = keptBack(shop, sale, totalOf(back));
	const refund: Refund = {
		...what,
		id: newIdOf(world, answer),
		saleId: sale.id,
		total: decimal(totalOf(back)),
		...(rounding !== 0n && { rounding: decimal(rounding) }),
		cost: decimal(totalOf(back.map((one) => ({ ...one, price: one.cost })))),
		businessDay: shopDay(createdAt, shop),
		userId: person.id,
		createdAt,
		items: what.items.map((item, i) => ({
			...item,
			id: made.items[i]?.id ?? "",
			refundId: made.id,
		})),
	};
	shop.refunds.push(refund);
	const tooMuch = backTooMuch(shop, sale);
	if (tooMuch > 0n)
		shop.concerns.push({
			...{ cause: "refund_over_limit", saleId: sale.id, productId: null },
			...{
				quantity: null,
				amount: decimal(tooMuch),
				deviceId: null,
				createdAt,
			},
		});
	if (what.restock)
		for (const { id: itemId, productId, quantity } of back)
			if (productId !== null && !sale.services.has(itemId))
				shop.movements.push({
					productId,
					delta: quantity,
					reason: what.kind,
					note: null,
					saleId: sale.id,
					itemId,
					userId: person.id,
					createdAt,
				});
	expectAnswer(answer, 201, refundWire(shop, refund));
}

const voidSale = kind({
	operation: "POST /api/sales/:id/void",
	weight: 3,
	input: fc.record({
		n: nats,
		reason: maybe(reasons),
		restock: maybe(fc.boolean()),
	}),
	ask: (scene, { n, reason, restock }) => ({
		id: pickId(scene, salesOf, n),
		body: { reason, restock },
	}),
	answered(scene, { reason, restock = true }, answer, { id }) {
		if (reason === undefined) return expectRefusal(answer, 400);
		const sale = saleOf(scene, id);
		if (!sale) return expectRefusal(answer, 404, "Sale not found");
		if (isVoided(scene.shop, sale.id)) return expectRefusal(answer, 409);
		const back = takenBack(scene.shop, sale.id);
		const items = sale.items.flatMap(({ id: itemId, quantity }) => {
			const left = micros(quantity) - (back.get(itemId) ?? 0n);
			return left > 0n ? [{ itemId, quantity: decimal(left) }] : [];
		});
		takeBack(scene, sale, answer, { kind: "void", reason, restock, items });
	},
});

const refundSale = kind({
	operation: "POST /api/sales/:id/refunds",
	weight: 5,
	input: fc.record({
		n: nats,
		reason: reasons,
		restock: maybe(fc.boolean()),
		items: fc.array(
			fc.record({
				line: fc.nat(4),
				/** Undefined means the whole quantity sold. */
				quantity: maybe(quantities),
			}),
			{ maxLength: 2 },
		),
	}),
	ask(scene, { n, reason, restock, items }) {
		const id = pickId(scene, salesOf, n);
		const sale = saleOf(scene, id);
		return {
			id,
			body: {
				reason,
				restock,
				items: items.map(({ line, quantity }) => {
					const sold = sale && pick([...sale.items, undefined], line);
					return {
						itemId: sold?.id ?? "none",
						quantity: quantity ?? sold?.quantity ?? 1,
					};
				}),
			},
		};
	},
	answered(scene, { reason, restock = false }, answer, { id, body }) {
		const { items } = body as { items: { itemId: string; quantity: number }[] };
		if (items.length === 0) return expectRefusal(answer, 400);
		const sale = saleOf(scene, id);
		if (!sale) return expectRefusal(answer, 404, "Sale not found");
		if (isVoided(scene.shop, sale.id)) return expectRefusal(answer, 409);
		const back = takenBack(scene.shop, sale.id);
		for (const { itemId, quantity } of items) {
			const sold = sale.items.find((one) => one.id === itemId);
			if (!sold) return expectRefusal(answer, 404);
			if (quantity === 0) return expectRefusal(answer, 400);
			const sum = (back.get(itemId) ?? 0n) + micros(quantity);
			if (sum > micros(sold.quantity)) return expectRefusal(answer, 409);
			back.set(itemId, sum);
		}
		takeBack(scene, sale, answer, { kind: "refund", reason, restock, items });
	},
});

function isDiscounted(item: Item): item is Item & { listPrice: number } {
	return item.listPrice !== undefined && item.listPrice > item.price;
}

function discountOf({ items, total }: Sale): number | undefined {
	if (!items.some(isDiscounted)) return undefined;
	const listed = items.map((item) => ({
		...item,
		price: isDiscounted(item) ? item.listPrice : item.price,
	}));
	return decimal(totalOf(listed) - micros(total));
}

const readReceipt = kind({
	operation: "GET /api/receipts/:id",
	weight: 3,
	input: nats,
	ask: (scene, n) => ({ id: pickId(scene, salesOf, n) }),
	async answered(scene, _, answer, { id }) {
		const { world, shop } = scene;
		const sale = saleOf(scene, id);
		if (!sale) return expectRefusal(answer, 404, "Receipt not found");
		const back = takenBack(shop, sale.id);
		const { day, time } = localParts(sale.createdAt, shop.timeZone);
		const refunds = shop.refunds.filter(({ saleId }) => saleId === sale.id);
		const { total, paid, paymentMethod, notes, businessDay, createdAt } = sale;
		expectAnswer(answer, 200, {
			...{ total, paid, paymentMethod, notes, businessDay, createdAt },
			id: sale.id,
			number: sale.receiptNumber,
			business: {
				name: shop.name,
				header: shop.receiptHeader,
				footer: shop.receiptFooter,
				currency: shop.currency,
				language: shop.receiptLanguage ?? undefined,
				logoUrl: shop.receiptLogoUrl ?? undefined,
			},
			cashier: world.people.find((one) => one.id === sale.userId)?.name,
			localTime: `${day} ${time}`,
			lines: sale.items.map((item) => ({
				name: item.name,
				quantity: item.quantity,
				price: item.price,
				listPrice: isDiscounted(item) ? item.listPrice : undefined,
				total: decimal(totalOf([item])),
				refunded: decimal(back.get(item.id) ?? 0n),
			})),
			change: decimal(micros(paid) - micros(total)),
			rounding: sale.rounding,
			discount: discountOf(sale),
			...standingOf(shop, sale),
			refunds: refunds.map(({ kind, reason, total, createdAt }) => ({
				...{ kind, reason, total, createdAt },
			})),
		});
		// The page escapes all texts.
		const page = await scene.read(`/api/receipts/${id}?format=html`);
		expect(page.status).toBe(200);
		expect(page.text).not.toContain("<b>Salt");
	},
});

export const saleKinds = [
	makeSale,
	listSales,
	readSale,
	voidSale,
	refundSale,
	readReceipt,
];
