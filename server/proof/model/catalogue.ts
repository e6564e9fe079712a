import fc from "fast-check";
import { expect } from "vitest";
import {
	createdIn,
	expectAnswer,
	expectRefusal,
	type Kind,
	kind,
	newIdOf,
	pickId,
	type Scene,
} from "./call.ts";
import { decimal, micros } from "./exact.ts";
import {
	amounts,
	levels,
	maybe,
	names,
	nats,
	searches,
	skus,
} from "./inputs.ts";
import {
	categoryWire,
	type Product,
	productWire,
	type Shop,
	stockOf,
} from "./world.ts";

const products = (shop: Shop) => shop.products;
const categories = (shop: Shop) => shop.categories;

/** Managers and owners may change products and categories. */
export function mayManage(role: string): boolean {
	return role !== "CASHIER";
}

/** How names and words are compared: in any case and without accents. */
export const plain = (text: string): string =>
	text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

function byName<T extends { name: string; id: string }>(list: T[]): T[] {
	const key = ({ name, id }: T) => [plain(name), name, id].join("\0");
	return list.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

function inOrder(shop: Shop) {
	const key = ({ name, id }: { name: string; id: string }) => `${name}\0${id}`;
	return shop.categories.toSorted(
		(a, b) => a.sortOrder - b.sortOrder || (key(a) < key(b) ? -1 : 1),
	);
}

/** A price as sent: a number, or a value that a float parse accepts. */
const prices = fc.oneof(
	{ weight: 6, arbitrary: amounts as fc.Arbitrary<unknown> },
	{
		weight: 1,
		arbitrary: fc.constantFrom("12.5", "7 shillings", "none", null),
	},
);

function toPrice(sent: unknown): number | null {
	const price = Number.parseFloat(String(sent));
	return Number.isNaN(price) ? null : price;
}

const fields = {
	name: names,
	sku: maybe(fc.option(skus)),
	buyingPrice: maybe(prices),
	sellingPrice: maybe(prices),
	quantity: maybe(levels),
	lowStock: maybe(fc.integer({ min: 0, max: 12 })),
	isService: maybe(fc.boolean()),
	imageUrl: maybe(fc.constantFrom("/x.png", "", null)),
	inCategory: maybe(nats),
};
type Fields = typeof fields;
type Sent = {
	[K in keyof Fields]?: Fields[K] extends fc.Arbitrary<infer T> ? T : never;
};

function bodyOf(
	{ shop, memberships }: Scene,
	{ inCategory, ...sent }: Sent,
): Record<string, unknown> {
	if (inCategory === undefined) return sent;
	if (inCategory % 4 === 0) return { ...sent, categoryId: null };
	const { categories } = shop;
	const found = categories[inCategory % (categories.length || 1)];
	// A member of two businesses may use one's category id in the other.
	if (found) for (const one of memberships) one.shop.sent.add(found.id);
	return { ...sent, categoryId: found?.id ?? "none" };
}

/** Finds the caller's business that has the product. */
function ownerOf({ memberships }: Scene, id: string | undefined) {
	for (const membership of memberships) {
		const product = membership.shop.products.find((one) => one.id === id);
		if (product) return { ...membership, product };
	}
	return undefined;
}

/** Records a level set by hand as a movement from the previous level. */
function setLevel(
	shop: Shop,
	product: Product,
	level: number,
	{
		person,
		reason,
		at,
	}: { person: Scene["person"]; reason: string; at: string },
): void {
	const delta = micros(level) - stockOf(shop, product.id);
	if (delta !== 0n)
		shop.movements.push({
			productId: product.id,
			delta: decimal(delta),
			reason,
			note: null,
			saleId: null,
			itemId: null,
			userId: person.id,
			createdAt: at,
		});
}

const makeProduct = kind({
	operation: "POST /api/products",
	weight: 8,
	input: fc.oneof(
		{ weight: 9, arbitrary: fc.record(fields) as fc.Arbitrary<Sent> },
		{ weight: 1, arbitrary: fc.constant({ sku: "111" } as Sent) },
	),
	ask: (scene, sent) => ({
		// The business is never read from the body.
		body: { ...bodyOf(scene, sent), businessId: "another", id: "mine" },
	}),
	answered(scene, sent, answer, { body }) {
		if (!mayManage(scene.role)) return expectRefusal(answer, 403);
		const { world, shop, person } = scene;
		if (sent.name === undefined)
			return expectRefusal(answer, 400, "name required");
		const { categoryId = null } = body as { categoryId?: string | null };
		const product: Product = {
			id: newIdOf(world, answer),
			name: sent.name,
			sku: sent.sku ?? null,
			buyingPrice: toPrice(sent.buyingPrice),
			sellingPrice: toPrice(sent.sellingPrice),
			lowStock: sent.lowStock ?? 5,
			isService: sent.isService ?? false,
			isActive: true,
			categoryId,
			imageUrl: sent.imageUrl || null,
			thumbnailUrl: null,
			createdAt: createdIn(scene, answer),
		};
		shop.products.push(product);
		const at = product.createdAt;
		setLevel(shop, product, sent.quantity ?? 0, {
			person,
			reason: "opening",
			at,
		});
		expectAnswer(answer, 201, productWire(shop, product));
	},
});

const changeProduct = kind({
	operation: "PATCH /api/products/:id",
	weight: 8,
	input: fc.record({
		n: nats,
		set: fc.record(
			{
				...fields,
				quantity: levels,
				isService: fc.boolean(),
				isActive: fc.boolean(),
			},
			{ requiredKeys: [] },
		) as fc.Arbitrary<Sent & { isActive?: boolean }>,
	}),
	ask: (scene, { n, set }) => ({
		id: pickId(scene, products, n),
		body: {
			...bodyOf(scene, set),
			lowStock: set.lowStock,
			businessId: "another",
		},
	}),
	answered(scene, { set }, answer, { id, body }) {
		const owner = ownerOf(scene, id);
		if (!owner) return expectRefusal(answer, 404, "Product not found");
		if (!mayManage(owner.role)) return expectRefusal(answer, 403);
		const { shop, product } = owner;
		const { updatedAt: at } = answer.body as { updatedAt: string };
		const sent = body as Sent & { categoryId?: string | null };
		if (set.sellingPrice !== undefined) {
			product.priceEdit = { at, was: product.sellingPrice };
			product.sellingPrice = toPrice(set.sellingPrice);
		}
		if (set.buyingPrice !== undefined)
			product.buyingPrice = toPrice(set.buyingPrice);
		if (set.name !== undefined) product.name = set.name;
		if (set.sku !== undefined) product.sku = set.sku;
		if (set.lowStock !== undefined) product.lowStock = set.lowStock;
		if (set.isService !== undefined) product.isService = set.isService;
		if (set.isActive !== undefined) product.isActive = set.isActive;
		if (set.imageUrl !== undefined) product.imageUrl = set.imageUrl || null;
		if (sent.categoryId !== undefined) product.categoryId = sent.categoryId;
		if (set.quantity !== undefined)
			setLevel(shop, product, set.quantity, {
				person: scene.person,
				reason: "adjustment",
				at,
			});
		expectAnswer(answer, 200, productWire(shop, product));
	},
});

const readProduct = kind({
	operation: "GET /api/products/:id",
	weight: 2,
	input: nats,
	ask: (scene, n) => ({ id: pickId(scene, products, n) }),
	answered(scene, _, answer, { id }) {
		const owner = ownerOf(scene, id);
		if (!owner) return expectRefusal(answer, 404, "Product not found");
		expectAnswer(answer, 200, productWire(owner.shop, owner.product));
	},
});

const dropProduct = kind({
	operation: "DELETE /api/products/:id",
	weight: 2,
	input: nats,
	ask: (scene, n) => ({ id: pickId(scene, products, n) }),
	answered(scene, _, answer, { id }) {
		const owner = ownerOf(scene, id);
		if (!owner) return expectRefusal(answer, 404, "Product not found");
		if (!mayManage(owner.role)) return expectRefusal(answer, 403);
		expectAnswer(answer, 200, { ok: true });
		owner.product.isActive = false;
	},
});

const listProducts = kind({
	operation: "GET /api/products",
	weight: 4,
	input: fc.record({ search: maybe(searches), inCategory: maybe(nats) }),
	ask: (scene, { search, inCategory }) => ({
		query: {
			...(search === undefined ? {} : { search }),
			...(inCategory === undefined
				? {}
				: { categoryId: pickId(scene, categories, inCategory) }),
		},
	}),
	answered({ shop }, { search = "" }, answer, { query = {} }) {
		const wanted = shop.products.filter(
			({ isActive, name, categoryId }) =>
				isActive &&
				plain(name).includes(plain(search)) &&
				(query.categoryId === undefined || categoryId === query.categoryId),
		);
		expectAnswer(
			answer,
			200,
			byName(wanted).map((it) => productWire(shop, it)),
		);
	},
});

const listInactive = kind({
	operation: "GET /api/inactive-products",
	weight: 1,
	input: fc.constant(null),
	ask: () => ({}),
	answered({ shop }, _, answer) {
		const wanted = byName(shop.products.filter(({ isActive }) => !isActive));
		expectAnswer(
			answer,
			200,
			wanted.map((it) => productWire(shop, it)),
		);
	},
});

const makeCategory = kind({
	operation: "POST /api/categories",
	weight: 3,
	input: fc.record({
		name: fc.oneof(
			{ weight: 9, arbitrary: names as fc.Arbitrary<unknown> },
			{ weight: 1, arbitrary: fc.constantFrom(7, "", undefined) },
		),
		sortOrder: maybe(fc.integer({ min: -3, max: 3 })),
	}),
	ask: (_, body) => ({ body }),
	answered(scene, { name, sortOrder = 0 }, answer) {
		if (!mayManage(scene.role)) return expectRefusal(answer, 403);
		if (typeof name !== "string" || name === "")
			return expectRefusal(answer, 400, "name required");
		const category = {
			id: newIdOf(scene.world, answer),
			name,
			sortOrder,
			createdAt: createdIn(scene, answer),
		};
		scene.shop.categories.push(category);
		expectAnswer(answer, 201, categoryWire(scene.shop, category));
	},
});

/** Finds a category of the caller's first business, or checks the refusal and returns undefined. */
function ownOr404(
	scene: Scene,
	id: string | undefined,
	answer: Parameters<Kind<unknown>["answered"]>[2],
) {
	const found = scene.shop.categories.find((one) => one.id === id);
	if (!found) expectRefusal(answer, 404, "Category not found");
	return found;
}

const readCategory = kind({
	operation: "GET /api/categories/:id",
	weight: 1,
	input: nats,
	ask: (scene, n) => ({ id: pickId(scene, categories, n) }),
	answered(scene, _, answer, { id }) {
		const found = ownOr404(scene, id, answer);
		if (found) expectAnswer(answer, 200, categoryWire(scene.shop, found));
	},
});

const changeCategory = kind({
	operation: "PATCH /api/categories/:id",
	weight: 2,
	input: fc.record({
		n: nats,
		set: fc.record(
			{ name: names, sortOrder: fc.integer({ min: -3, max: 3 }) },
			{ requiredKeys: [] },
		),
	}),
	ask: (scene, { n, set }) => ({ id: pickId(scene, categories, n), body: set }),
	answered(scene, { set }, answer, { id }) {
		if (!mayManage(scene.role)) return expectRefusal(answer, 403);
		const found = ownOr404(scene, id, answer);
		if (!found) return;
		Object.assign(found, set);
		expectAnswer(answer, 200, categoryWire(scene.shop, found));
	},
});

const dropCategory = kind({
	operation: "DELETE /api/categories/:id",
	weight: 1,
	input: nats,
	ask: (scene, n) => ({ id: pickId(scene, categories, n) }),
	answered(scene, _, answer, { id }) {
		if (!mayManage(scene.role)) return expectRefusal(answer, 403);
		const { shop } = scene;
		if (!ownOr404(scene, id, answer)) return;
		expectAnswer(answer, 200, { ok: true });
		shop.categories = shop.categories.filter((one) => one.id !== id);
		for (const product of shop.products)
			if (product.categoryId === id) product.categoryId = null;
	},
});

const listCategories = kind({
	operation: "GET /api/categories",
	weight: 1,
	input: fc.constant(null),
	ask: () => ({}),
	answered({ shop }, _, answer) {
		expectAnswer(
			answer,
			200,
			inOrder(shop).map((it) => categoryWire(shop, it)),
		);
		expect(answer.headers.get("cache-control")).toBe("no-store");
	},
});

export const catalogueKinds = [
	makeProduct,
	changeProduct,
	readProduct,
	dropProduct,
	listProducts,
	listInactive,
	makeCategory,
	readCategory,
	changeCategory,
	dropCategory,
	listCategories,
];
