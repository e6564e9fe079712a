import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "../protocol/json.ts";
import { readRow } from "../rows/rows.ts";
import { testSeed } from "../testing/lane.ts";
import { addMilk, message, openTestShop, pushOne } from "../testing/shop.ts";
import { sale } from "./sale.ts";
import { shapeOf, spellArgs } from "./sale-args.ts";

const decimal = fc.integer({ min: 1, max: 9_999_999 }).map((n) => n / 1000);
/** How a field may be given: absent, or one of these. */
const maybe = (...values: unknown[]) => fc.constantFrom(undefined, ...values);

const line = fc.record({
	name: fc.string({ minLength: 1 }),
	quantity: decimal,
	price: decimal,
	cost: decimal,
	productId: maybe(null, "milk", "gone"),
	isService: maybe(false, true),
	listPrice: maybe(12.5),
	isPacked: fc.boolean(),
	unit: maybe("kg"),
});
const pack = { packId: "tray", packName: "Tray", packSize: 30 };

const args = fc.record({
	lines: fc.array(line, { minLength: 1, maxLength: 3 }),
	paid: maybe(null, 0, 1e6),
	rounding: maybe(0, 0.5, -1),
	paymentMethod: maybe("CASH"),
	notes: maybe(null, "", "Kwa Njeri"),
	receiptNumber: maybe(null, "A-000001"),
	businessDay: maybe("2026-11-20"),
});

const isUniform = (values: unknown[]) =>
	new Set(values.map((value) => String(value))).size <= 1;

test("a sale's row spells what the sale was made with, however its fields were given", async () => {
	const server = await openTestShop({ kind: "sqlite" });
	await addMilk(server);
	let made = 0;
	let spelled = 0;
	await fc.assert(
		fc.asyncProperty(args, async ({ lines, ...rest }) => {
			// No sale is rounded by more than it comes to.
			const isWorth = lines.some(
				({ price, quantity }) => price * quantity >= 1,
			);
			fc.pre(rest.rounding !== 0.5 || isWorth);
			made += 1;
			const id = `s-${made}`;
			const items = lines.map(({ isPacked, ...line }, i) => ({
				...line,
				...(isPacked && line.productId ? pack : {}),
				id: String(i + 1),
			}));
			const sent = JSON.parse(JSON.stringify({ ...rest, id, items }));
			const { results } = await server.shop.push(server.caller, {
				mutations: [message(id, "sale.create", sent)],
			});
			expect(results).toMatchObject([{ status: "applied" }]);
			const text = canonicalJson(sent);
			const [logged] = await server.rows(
				`SELECT args, shape FROM mutations WHERE id = '${id}'`,
			);
			const stored = await server.store.read((tx) =>
				readRow(tx, sale, "shop-1", id),
			);
			if (!stored) throw new Error(`No sale ${id}`);
			expect(shapeOf(text, stored.row) ?? null).toBe(logged?.shape);
			if (logged?.shape === null) expect(logged.args).toBe(text);
			else {
				spelled += 1;
				expect(logged?.args).toBe("");
				expect(spellArgs(stored.row, Number(logged?.shape))).toBe(text);
			}
			// Tills give the fields of all lines in one way.
			const isUsual =
				isUniform(
					items
						.filter(({ productId }) => !productId)
						.map(({ productId }) => productId),
				) &&
				isUniform(
					items
						.filter(({ isService }) => !isService)
						.map(({ isService }) => isService),
				) &&
				items.every(({ productId, isService }) => productId || !isService);
			if (isUsual) expect(logged?.shape).not.toBeNull();
			expect(
				await pushOne(server, message(id, "sale.create", sent)),
			).toMatchObject({ status: "applied", duplicate: true });
		}),
		{ numRuns: 150, seed: testSeed },
	);
	expect(spelled).toBeGreaterThan(30);
});

test("arguments that the row can't spell stand in the log as they were sent", async () => {
	const server = await openTestShop();
	const items = [
		{ id: "1", name: "Tea", quantity: 1, price: 13.379999999999999, cost: 0 },
	];
	const sent = { id: "s", items };
	await pushOne(server, message("m", "sale.create", sent));
	expect(await server.rows("SELECT args, shape FROM mutations")).toEqual([
		{ args: canonicalJson(sent), shape: null },
	]);
	const other = { ...sent, items: [{ ...items[0], price: 13.38 }] };
	expect(
		await pushOne(server, message("m", "sale.create", other)),
	).toMatchObject({ status: "rejected", error: { code: "id_reused" } });
});
