import fc from "fast-check";
import { expect } from "vitest";
import {
	createdIn,
	expectAnswer,
	expectRefusal,
	kind,
	newIdOf,
	pick,
	pickId,
} from "./call.ts";
import { shopDay } from "./exact.ts";
import { maybe, names, nats } from "./inputs.ts";
import { type Key, newestFirst, type Review, type Shop } from "./world.ts";

function reviewWire(shop: Shop, review: Review) {
	return { ...review, businessId: shop.id };
}

const makeReview = kind({
	operation: "POST /api/reviews",
	weight: 1,
	input: fc.record({ rating: fc.integer({ min: 0, max: 6 }), text: names }),
	ask: (_, body) => ({ body }),
	answered(scene, { rating, text }, answer) {
		const { shop, person, world } = scene;
		if (rating < 1 || rating > 5) return expectRefusal(answer, 400);
		const review: Review = {
			id: newIdOf(world, answer),
			...{ rating, text },
			userId: person.id,
			createdAt: createdIn(scene, answer),
		};
		shop.reviews.push(review);
		expectAnswer(answer, 201, reviewWire(shop, review));
	},
});

const listReviews = kind({
	operation: "GET /api/reviews",
	weight: 1,
	input: fc.integer({ min: 0, max: 3 }),
	ask: (_, limit) => ({ query: { limit: String(limit) } }),
	answered({ world }, limit, answer) {
		const all = newestFirst(
			world.shops.flatMap((shop) =>
				shop.reviews.map((review) => reviewWire(shop, review)),
			),
		);
		const { reviews, total } = answer.body as {
			reviews: unknown[];
			total: number;
		};
		expect(answer.status).toBe(200);
		expect(total).toBe(all.length + (world.before.reviews ?? 0));
		expect(reviews).toHaveLength(Math.min(limit, total));
		// Entries of earlier sequences come after these.
		const own = all.slice(0, limit);
		expect(reviews.slice(0, own.length)).toEqual(own);
	},
});

const readReview = kind({
	operation: "GET /api/reviews/:id",
	weight: 0.5,
	input: nats,
	ask: (scene, n) => ({
		id: pick(
			[
				"none",
				...scene.world.shops.flatMap(({ reviews }) =>
					reviews.map(({ id }) => id),
				),
			],
			n,
		) as string,
	}),
	answered({ world }, _, answer, { id }) {
		for (const shop of world.shops)
			for (const review of shop.reviews)
				if (review.id === id)
					return expectAnswer(answer, 200, reviewWire(shop, review));
		expectRefusal(answer, 404);
	},
});

const readStats = kind({
	operation: "GET /api/admin/stats",
	weight: 1,
	input: fc.constant(null),
	ask: () => ({}),
	answered({ world }, _, answer) {
		const { before, shops, people } = world;
		const count = (of: (shop: Shop) => unknown[]) =>
			shops.reduce((sum, shop) => sum + of(shop).length, 0);
		const users = people.filter(({ isAdmin }) => !isAdmin).length;
		const sales = count((shop) => shop.sales);
		const added: Record<string, number> = {
			users,
			usersLast30Days: users,
			businesses: shops.length,
			products: count((shop) => shop.products),
			sales,
			reviews: count((shop) => shop.reviews),
		};
		const stats = answer.body as Record<string, number>;
		for (const [name, more] of Object.entries(added))
			expect(`${name} ${stats[name]}`).toBe(
				`${name} ${(before[name] ?? 0) + more}`,
			);
	},
});

function keyWire({ isRevoked, ...key }: Key) {
	return {
		...key,
		...{ spent: 0, reserved: 0, lastUsedAt: null },
		revokedAt: isRevoked ? expect.any(String) : null,
	};
}

const makeKey = kind({
	operation: "POST /api/keys",
	weight: 1,
	input: fc.record({
		name: names,
		monthlyBudget: maybe(fc.option(fc.constantFrom(0, 12.5, 1_000_000, -1))),
		requestsPerMinute: maybe(fc.option(fc.constantFrom(1, 60))),
	}),
	ask: (_, body) => ({ body }),
	answered(
		scene,
		{ name, monthlyBudget = null, requestsPerMinute = null },
		answer,
	) {
		if (scene.role !== "OWNER") return expectRefusal(answer, 403, "Forbidden");
		if (monthlyBudget === -1) return expectRefusal(answer, 400);
		const { key, hint } = answer.body as { key: string; hint: string };
		expect(key.startsWith(hint) && key.length > hint.length + 20).toBe(true);
		const made: Key = {
			id: newIdOf(scene.world, answer),
			...{ name, hint, monthlyBudget, requestsPerMinute },
			createdAt: createdIn(scene, answer),
			isRevoked: false,
		};
		scene.shop.keys.push(made);
		expectAnswer(answer, 201, { ...keyWire(made), key });
	},
});

const listKeys = kind({
	operation: "GET /api/keys",
	weight: 1,
	input: fc.constant(null),
	ask: () => ({}),
	answered({ shop, role }, _, answer) {
		if (role !== "OWNER") return expectRefusal(answer, 403, "Forbidden");
		expectAnswer(answer, 200, { keys: newestFirst(shop.keys).map(keyWire) });
	},
});

const dropKey = kind({
	operation: "DELETE /api/keys/:id",
	weight: 1,
	input: nats,
	ask: (scene, n) => ({ id: pickId(scene, (shop) => shop.keys, n) }),
	answered({ shop, role }, _, answer, { id }) {
		if (role !== "OWNER") return expectRefusal(answer, 403, "Forbidden");
		const key = shop.keys.find((one) => one.id === id && !one.isRevoked);
		if (!key) return expectRefusal(answer, 404);
		key.isRevoked = true;
		expectAnswer(answer, 200, { ok: true });
	},
});

const readUsage = kind({
	operation: "GET /api/usage",
	weight: 0.5,
	input: fc.constant(null),
	ask: () => ({}),
	answered({ shop, role, began }, _, answer) {
		if (role !== "OWNER") return expectRefusal(answer, 403, "Forbidden");
		const to = shopDay(began, shop);
		expect(answer).toMatchObject({
			status: 200,
			body: {
				from: `${to.slice(0, 7)}-01`,
				to,
				totals: { calls: 0, cost: 0 },
				...{ days: [], models: [], keys: [], members: [] },
			},
		});
	},
});

export const ownerKinds = [
	makeReview,
	listReviews,
	readReview,
	readStats,
	makeKey,
	listKeys,
	dropKey,
	readUsage,
];
