import fc from "fast-check";
import { expect } from "vitest";
import {
	createdIn,
	expectAnswer,
	expectRefusal,
	kind,
	pickId,
	type Scene,
} from "./call.ts";
import { mayManage } from "./catalogue.ts";
import { decimal, micros, totalOf } from "./exact.ts";
import { levels, maybe, nats } from "./inputs.ts";
import {
	type Concern,
	type Movement,
	membersOf,
	newestFirst,
	type Product,
	type Sale,
	type Shop,
	stockOf,
} from "./world.ts";

const products = (shop: Shop) => shop.products;

function hasProduct({ shop }: Scene, id: string | undefined): boolean {
	return shop.products.some((one) => one.id === id);
}

const moveStock = kind({
	operation: "POST /api/products/:id/movements",
	weight: 4,
	input: fc.record({
		n: nats,
		delta: levels,
		reason: fc.constantFrom(
			"received",
			"count",
			"damage",
			"theft",
			"return",
			"other",
			"sale",
		),
		note: maybe(fc.option(fc.constantFrom("from the cellar"))),
	}),
	ask: (scene, { n, ...body }) => ({ id: pickId(scene, products, n), body }),
	answered(scene, { delta, reason, note = null }, answer, { id }) {
		if (!mayManage(scene.role)) return expectRefusal(answer, 403);
		// Only sales make movements with the reason `sale`.
		if (reason === "sale") return expectRefusal(answer, 400);
		if (!hasProduct(scene, id))
			return expectRefusal(answer, 404, "Product not found");
		const movement: Movement = {
			productId: id as string,
			delta,
			reason,
			note,
			saleId: null,
			itemId: null,
			userId: scene.person.id,
			createdAt: createdIn(scene, answer),
		};
		scene.shop.movements.push(movement);
		expectAnswer(answer, 201, { ...movement, id: expect.any(String) });
	},
});

interface Listed extends Movement {
	id: string;
	userName: string | null;
	quantityAfter: number;
}

const listMovements = kind({
	operation: "GET /api/products/:id/movements",
	weight: 3,
	input: fc.record({ n: nats, limit: fc.integer({ min: 1, max: 4 }) }),
	ask: (scene, { n, limit }) => ({
		id: pickId(scene, products, n),
		query: { limit: String(limit) },
	}),
	async answered(scene, { limit }, answer, { id }) {
		const { world, shop } = scene;
		if (!hasProduct(scene, id))
			return expectRefusal(answer, 404, "Product not found");
		const listed: Listed[] = [];
		for (let page = answer; ; ) {
			expect(page.status).toBe(200);
			const { movements, nextCursor } = page.body as {
				movements: Listed[];
				nextCursor: string | null;
			};
			expect(movements.length).toBeLessThanOrEqual(limit);
			listed.push(...movements);
			if (nextCursor === null) break;
			page = await scene.read(
				`/api/products/${id}/movements?limit=${limit}&cursor=${encodeURIComponent(nextCursor)}`,
			);
		}
		expect(new Set(listed.map((one) => one.id)).size).toBe(listed.length);
		// Each row has the quantity after it; before the first it was 0.
		let after = stockOf(shop, id as string);
		for (const { quantityAfter, delta } of listed) {
			expect(quantityAfter).toBe(decimal(after));
			after -= micros(delta);
		}
		expect(after).toBe(0n);
		expect(listed.map((one) => one.createdAt)).toEqual(
			newestFirst(listed).map((one) => one.createdAt),
		);
		const names = new Map(
			membersOf(world, shop).map(({ person }) => [person.id, person.name]),
		);
		const wanted = shop.movements
			.filter(({ productId }) => productId === id)
			.map((one) => ({
				...one,
				id: expect.any(String),
				userName: names.get(one.userId) ?? null,
				quantityAfter: expect.any(Number),
			}));
		expect(inSomeOrder(listed)).toEqual(inSomeOrder(wanted));
	},
});

/** Sorts records by their whole content, since several may share a moment. */
export function inSomeOrder<T extends object>(records: readonly T[]): T[] {
	const key = (record: T) =>
		[
			"createdAt",
			"saleId",
			"itemId",
			"productId",
			"reason",
			"cause",
			"delta",
			"quantity",
		]
			.map((field) => (record as Record<string, unknown>)[field])
			.join(" ");
	return records.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** The causes that say themselves how much is at stake. */
const ofAmount = ["clock", "refund_over_limit"];

/** The value of oversold goods, or the difference made by an outdated price. */
function atStake(
	{ cause, productId, quantity, amount }: Concern,
	sale: Sale | undefined,
	product: Product | undefined,
): number | null {
	const price = product?.sellingPrice ?? null;
	const line = sale?.items.findLast((item) => item.productId === productId);
	const each =
		cause === "oversold"
			? micros(line?.price ?? 0)
			: cause === "old_price" && price !== null
				? micros(price) - micros(amount ?? 0)
				: null;
	if (ofAmount.includes(cause)) return amount;
	if (each === null || quantity === null) return null;
	const size = each < 0n ? -each : each;
	return decimal(totalOf([{ price: decimal(size), quantity }]));
}

const listInbox = kind({
	operation: "GET /api/inbox",
	weight: 3,
	input: fc.constant(null),
	ask: () => ({ query: { limit: "200" } }),
	async answered(scene, _, answer) {
		const { shop } = scene;
		const { items, total } = answer.body as {
			items: (Shop["concerns"][number] & { id: string })[];
			total: number;
		};
		expect(answer.status).toBe(200);
		expect(total).toBe(shop.concerns.length);
		const wanted = shop.concerns.map((one) => {
			const product = shop.products.find(({ id }) => id === one.productId);
			const sale = shop.sales.find(({ id }) => id === one.saleId);
			return {
				...one,
				id: expect.any(String),
				receiptNumber: sale?.receiptNumber ?? null,
				productName: product?.name ?? null,
				devicePrefix: one.deviceId === null ? null : expect.any(String),
				moneyAtStake: atStake(one, sale, product),
			};
		});
		expect(inSomeOrder(items)).toEqual(inSomeOrder(wanted));
		const page = await scene.read("/api/inbox?limit=2&offset=1");
		expect((page.body as { items: unknown }).items).toEqual(items.slice(1, 3));
	},
});

export const stockKinds = [moveStock, listMovements, listInbox];
