import fc from "fast-check";
import { expect } from "vitest";
import { expectAnswer, kind, type Scene } from "./call.ts";
import { micros, totalOf } from "./exact.ts";
import { maybe, roundedBy } from "./inputs.ts";
import { lines, type SentLine, toLine } from "./sales.ts";
import { type Line, sell } from "./sell.ts";
import { inSomeOrder } from "./stock.ts";
import {
	businessWire,
	categoryWire,
	productWire,
	refundWire,
	type Sale,
	saleWire,
} from "./world.ts";

const minuteMs = 60_000;

/** A till's mutation: a past sale, a repeat of the last one, or an invalid one. */
const messages = fc.record({
	what: fc.constantFrom(
		"sale",
		"sale",
		"sale",
		"again",
		"twin",
		"unknown",
		"wrong",
	),
	minutesAgo: fc.oneof(
		fc.constant(0),
		fc.integer({ min: 1, max: 3 * 24 * 60 }),
		fc.integer({ min: 28 * 24 * 60, max: 35 * 24 * 60 }),
		fc.constant(-90),
	),
	lines: fc.array(lines, { minLength: 1, maxLength: 3 }),
	paymentMethod: maybe(fc.constantFrom("CASH", "MPESA")),
	/** 0 or null means the exact total. */
	paid: maybe(fc.constantFrom(0, 20, null)),
	rounding: maybe(roundedBy),
});
type Sent = typeof messages extends fc.Arbitrary<infer T> ? T : never;

interface Message {
	id: string;
	name: string;
	args: Record<string, unknown>;
	at: string;
}

/** Defers an unknown mutation, which a later version may know, and rejects a malformed one. */
function outcomeOf({ name, args }: Message): string {
	if (name !== "sale.create") return "deferred";
	const rounding = (args.rounding as number | undefined) ?? 0;
	const items = args.items as Line[];
	const isRoundedCash =
		rounding === 0 ||
		(args.paymentMethod !== "MPESA" && micros(rounding) <= totalOf(items));
	return isRoundedCash && items.length > 0 ? "applied" : "rejected";
}

let made = 0;

function toMessage(scene: Scene, { what, minutesAgo, ...sent }: Sent): Message {
	made += 1;
	const id = `${String(made).padStart(8, "0")}-till`;
	const items = sent.lines.map((line: SentLine, i: number) => ({
		...toLine(scene, line),
		id: String(i + 1),
	}));
	return {
		id: `m-${id}`,
		name: what === "unknown" ? "sale.wrap" : "sale.create",
		args: {
			id,
			items: what === "wrong" ? [] : items,
			...{ paymentMethod: sent.paymentMethod, paid: sent.paid },
			rounding: sent.rounding,
			receiptNumber: `T-${made}`,
		},
		at: new Date(Date.parse(scene.began) - minutesAgo * minuteMs).toISOString(),
	};
}

const push = kind({
	operation: "POST /api/sync",
	weight: 6,
	input: fc.record({
		batch: fc.array(messages, { maxLength: 4 }),
		till: fc.constantFrom("till-1", "till-2"),
	}),
	ask(scene, { batch, till }) {
		const mutations: Message[] = [];
		for (const sent of batch) {
			const last = mutations.at(-1);
			if (last && sent.what === "again") mutations.push(last);
			// The same sale under another mutation is applied and changes nothing.
			else if (last && sent.what === "twin")
				mutations.push({ ...last, id: `${last.id}-twin` });
			else mutations.push(toMessage(scene, sent));
		}
		return { body: { mutations, deviceId: till } };
	},
	async answered(scene, { till }, answer, { body }) {
		const { world, shop, person, began } = scene;
		const { mutations } = body as { mutations: Message[] };
		const { results } = answer.body as { results: Record<string, unknown>[] };
		expect(answer.status).toBe(200);
		expect(results).toHaveLength(mutations.length);
		shop.devices.add(till);
		const outcomes = new Map<string, string>();
		for (const [i, { id, args, at }] of mutations.entries()) {
			const result = results[i];
			const before = outcomes.get(id);
			const outcome = before ?? outcomeOf(mutations[i] as Message);
			outcomes.set(id, outcome);
			expect(result).toMatchObject({ id, status: outcome });
			const isRepeated = before !== undefined && outcome !== "deferred";
			expect(result?.duplicate).toBe(isRepeated ? true : undefined);
			if (before !== undefined || outcome !== "applied") continue;
			const saleId = args.id as string;
			if (shop.sales.some((one) => one.id === saleId)) continue;
			const read = await scene.read(`/api/sales/${saleId}`);
			const stored = read.body as Sale;
			const isAhead = at > began;
			// If the till's clock is ahead, the server dates the sale.
			if (isAhead) expect(stored.createdAt >= began).toBe(true);
			const sale = sell(world, shop, {
				id: saleId,
				lines: args.items as never,
				paid: args.paid as number | undefined,
				rounding: args.rounding as number | undefined,
				paymentMethod: args.paymentMethod as string | undefined,
				notes: null,
				receiptNumber: args.receiptNumber as string,
				person,
				deviceId: till,
				createdAt: isAhead ? stored.createdAt : at,
				isAhead,
			});
			expectAnswer(read, 200, saleWire(shop, sale));
		}
	},
});

interface Change {
	entity: string;
	id: string;
	deleted: boolean;
	row: { id: string } & Record<string, unknown>;
}

/** The feed from its start has every row, for any page size. */
const pull = kind({
	operation: "GET /api/sync",
	weight: 2,
	input: fc.integer({ min: 1, max: 40 }),
	ask: (_, limit) => ({ query: { limit: String(limit) } }),
	async answered(scene, limit, answer) {
		const { shop } = scene;
		const rows = new Map<string, Change>();
		for (let page = answer; ; ) {
			expect(page.status).toBe(200);
			const { changes, cursor, hasMore } = page.body as {
				changes: Change[];
				cursor: string;
				hasMore: boolean;
			};
			for (const change of changes)
				rows.set(`${change.entity} ${change.id}`, change);
			if (!hasMore) break;
			page = await scene.read(`/api/sync?limit=${limit}&cursor=${cursor}`);
		}
		const live = Map.groupBy(
			[...rows.values()].filter(({ deleted }) => !deleted),
			({ entity }) => entity,
		);
		const anyId = { id: expect.any(String) };
		const wanted: Record<string, object[]> = {
			business: [businessWire(shop)],
			category: shop.categories.map((it) => categoryWire(shop, it)),
			product: shop.products.map((it) => {
				const { quantity: _, category: __, ...row } = productWire(shop, it);
				return row;
			}),
			sale: shop.sales.map((it) => saleWire(shop, it)),
			refund: shop.refunds.map((it) => refundWire(shop, it)),
			stockMovement: shop.movements
				.filter(({ reason }) => reason !== "sale")
				.map((it) => ({ ...it, ...anyId })),
			inboxItem: shop.concerns.map((it) => ({
				...it,
				...anyId,
				resolution: null,
				decidedAt: null,
				decidedBy: null,
			})),
			review: shop.reviews.map((it) => ({ ...it, businessId: shop.id })),
		};
		expect([...live.keys()].filter((entity) => !(entity in wanted))).toEqual(
			[],
		);
		for (const [entity, all] of Object.entries(wanted)) {
			const told = (live.get(entity) ?? []).map(({ row }) => row);
			const byId = (a: object, b: object) =>
				JSON.stringify((a as { id: unknown }).id) <
				JSON.stringify((b as { id: unknown }).id)
					? -1
					: 1;
			const order =
				entity === "stockMovement" || entity === "inboxItem"
					? inSomeOrder
					: <T extends object>(list: readonly T[]) => list.toSorted(byId);
			expect({ entity, rows: order(told) }).toEqual({
				entity,
				rows: order(all),
			});
		}
	},
});

export const tillKinds = [push, pull];
