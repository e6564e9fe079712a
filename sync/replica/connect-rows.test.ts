import { expect, test } from "vitest";
import { businessBackdate, businessUpdate } from "../entities/business.ts";
import { categoryCreate } from "../entities/category.ts";
import {
	countClose,
	countEnter,
	countLookAt,
	countOpen,
} from "../entities/count.ts";
import { entities } from "../entities/index.ts";
import { paymentAdjust } from "../entities/payment.ts";
import { productCreate } from "../entities/product.ts";
import { saleRefund, saleVoid } from "../entities/refund.ts";
import { reviewCreate } from "../entities/review.ts";
import { saleCreate } from "../entities/sale.ts";
import { shiftClose, shiftOpen } from "../entities/shift.ts";
import { statementImport } from "../entities/statement.ts";
import { stockAdjust } from "../entities/stock.ts";
import { paymentRemit } from "../entities/supplier-payment.ts";
import { feedForm } from "../feed/feed-form.ts";
import type { DbRow, Store } from "../store/store.ts";
import { plainRecords } from "../testing/examples.ts";
import { rowsOfBusiness } from "../testing/rows.ts";
import {
	addBusiness,
	message,
	openTestShop,
	reverseUnordered,
	saleArgs,
	type TestShop,
} from "../testing/shop.ts";
import { becomeReplica, otherTables } from "./connect.ts";

const sums = ["tallies", "tally_days", "tally_products", "digest_blocks"];
/** Values of columns with constraints. */
const allowed: Record<string, string> = {
	user_id: "user-1",
	role: "OWNER",
	least_role: "OWNER",
	kind: "d",
	part: "facts",
	status: "ok",
};

/** One row in each table that belongs to no entity. */
async function fillOtherTables(
	store: Store,
	businessId: string,
): Promise<void> {
	await store.write(async (tx) => {
		const shop = await tx.get(
			"SELECT n FROM shops WHERE business_id = ?",
			businessId,
		);
		for (const table of [...otherTables, ...sums, "devices"]) {
			// A mutation and a sale have made these.
			if (table === "stored_mutations" || table === "shops") continue;
			const columns = await tx.all(
				"SELECT name, type FROM pragma_table_info(?)",
				table,
			);
			const values = columns.map(({ name, type }) => {
				if (name === "business_id") return businessId;
				if (name === "shop") return shop?.n as number;
				if (type !== "TEXT") return 1;
				return allowed[name as string] ?? `${name} of ${businessId}`;
			});
			await tx.run(
				`INSERT INTO ${table} VALUES (${columns.map(() => "?").join(", ")})`,
				...values,
			);
		}
	});
}

/**
 * Makes one of everything, equal in each business.
 *
 * @returns the names of the applied mutations, in order
 */
async function trade({ shop, caller }: TestShop, businessId: string) {
	const by = { ...caller, businessId };
	const product = { buyingPrice: 10, sellingPrice: 20, categoryId: "c" };
	const made = [
		{
			mutation: businessUpdate,
			args: { set: { name: "Duka", cutOffHour: 3 } },
		},
		{
			mutation: businessBackdate,
			args: { createdAt: "2025-01-01T00:00:00.000Z" },
		},
		{ mutation: categoryCreate, args: { id: "c", name: "Drinks" } },
		...["tea", "milk"].map((id) => ({
			mutation: productCreate,
			args: { id, name: id, ...product },
		})),
		...["s1", "s2"].map((id) => ({
			mutation: saleCreate,
			args: saleArgs(id, [{ productId: "tea" }, { productId: "milk" }]),
		})),
		{
			mutation: saleRefund,
			args: {
				...{ id: "r", saleId: "s1", reason: "Sour", restock: true },
				items: [{ id: "1", itemId: "1", quantity: 1 }],
			},
		},
		{ mutation: saleVoid, args: { id: "v", saleId: "s2", reason: "Mistake" } },
		{
			mutation: stockAdjust,
			args: { id: "a", productId: "tea", delta: 5, reason: "received" },
		},
		{ mutation: reviewCreate, args: { id: "w", rating: 5, text: "Good" } },
		{
			mutation: paymentAdjust,
			args: {
				...{ id: "d", customerId: "customer", amount: 5, reason: "Old book" },
			},
		},
		{ mutation: shiftOpen, args: { id: "h", openingFloat: 5 } },
		{
			mutation: shiftClose,
			args: {
				...{ id: "z", shiftId: "h", counted: [{ method: "CASH", amount: 5 }] },
			},
		},
		{ mutation: statementImport, args: statementImport.examples[0] },
		{ mutation: countOpen, args: { id: "n", name: "Shelf" } },
		{
			mutation: countLookAt,
			args: { id: "l", countId: "n", productId: "milk" },
		},
		{ mutation: countEnter, args: { id: "l", counted: 4 } },
		{ mutation: countClose, args: { id: "n" } },
		...plainRecords,
		{ mutation: paymentRemit, args: paymentRemit.examples[0] },
	];
	for (const { mutation, args } of made)
		await shop.mutate(by, mutation as typeof saleCreate, args as never);
	const { results } = await shop.push(by, {
		mutations: [message("bad", saleVoid.name, { id: "x", saleId: "s2" })],
	});
	expect(results).toMatchObject([{ status: "rejected" }]);
	return made.map(({ mutation }) => mutation.name);
}

/** A shop with one of everything, beside another shop in the same database. */
async function openShops() {
	const alone = await openTestShop({ businessId: "own", kind: "sqlite" });
	const { store } = alone;
	await store.write(async (tx) => {
		await addBusiness(tx, "shop-2");
		await tx.run(
			"INSERT INTO users (id, email, name, password_hash, created_at) VALUES ('user-1', 'a@example.com', 'A', 'none', '')",
		);
	});
	const names = await trade(alone, "own");
	await trade(alone, "shop-2");
	for (const id of ["own", "shop-2"]) await fillOtherTables(store, id);
	// The other shop is a till already.
	await store.write(async (tx) => {
		await tx.run(
			"INSERT INTO replica (business_id, device_id, feed_form) VALUES ('shop-2', 'd', '')",
		);
		await tx.run(
			"INSERT INTO outbox (business_id, position, mutation_id, state) VALUES ('shop-2', 1, 'm', 'pending')",
		);
	});
	await reverseUnordered(store);
	return { alone, names, all: (id: string) => rowsOfBusiness(store, id) };
}

/** An entity's expected rows, without a version of the new server. */
const unversioned = (rows: DbRow[] = []) =>
	rows.map((row) => ("version" in row ? { ...row, version: 0 } : row));

test.each([
	[true, "and its settings"],
	[false, "and not its settings"],
])(
	"a shop that becomes a replica brings all its rows (settings: %s, %s) and no other shop's",
	async (bringsSettings) => {
		const { alone, names, all } = await openShops();
		const before = await all("own");
		const stranger = await all("shop-2");
		const joined = await alone.store.write((tx) =>
			becomeReplica(tx, alone.env, "own", "shop-1", bringsSettings, "user-2"),
		);
		expect(joined).toBe(true);
		expect(await all("shop-2")).toEqual(stranger);
		expect(await all("own")).toEqual({});

		const after = await all("shop-1");
		for (const { table, lines } of entities)
			for (const one of [table, lines?.table ?? table]) {
				expect(before[one]).toBeDefined();
				const kept = unversioned(before[one]);
				expect(after[one]).toEqual(
					one === "businesses" ? [{ ...kept[0], id: "shop-1" }] : kept,
				);
			}
		for (const table of otherTables)
			if (table !== "mutations") expect(after[table]).toEqual(before[table]);
		for (const table of [...sums, "devices"])
			expect(after).not.toHaveProperty(table);
		expect(
			await alone.rows(
				"SELECT business_id FROM tally_days JOIN shops ON shops.n = tally_days.shop",
			),
		).toEqual([{ business_id: "shop-2" }]);

		const touched = entities
			.filter(({ name }) => name !== "business")
			.flatMap(({ name, table }) =>
				(before[table] ?? []).map(({ id }) => ({
					entity: name,
					id,
					data: null,
				})),
			);
		expect(after.base_rows).toHaveLength(touched.length);
		expect(after.base_rows).toEqual(expect.arrayContaining(touched));

		const [replica] = after.replica ?? [];
		expect(replica).toEqual({
			device_id: expect.any(String),
			prefix: null,
			last_number: after.outbox?.length,
			last_receipt: 0,
			epoch: null,
			cursor_version: 0,
			resetting: 0,
			paused: null,
			clock_offset_ms: 0,
			last_sync_at: null,
			feed_form: feedForm(),
			cursor_proof: "",
			resumes_after: null,
			snapshot: null,
			snapshot_parts: 0,
			history_version: null,
			healed_at: null,
			healed_rows: null,
			window_version: 0,
			window_day: null,
			window_asked: null,
		});

		const offered = await alone.rows(
			`SELECT position, number, state, name, args, user_id, device_id, at FROM outbox
       JOIN mutations USING (business_id) WHERE mutations.id = mutation_id ORDER BY position`,
		);
		// The start of the business comes first and once, so that all later dates are accepted.
		const kept = names.filter(
			(name) =>
				name !== businessBackdate.name &&
				(bringsSettings || name !== businessUpdate.name),
		);
		const expected = [
			businessBackdate.name,
			...kept,
			...(bringsSettings ? [businessUpdate.name] : []),
		];
		expect(offered.map(({ name }) => name)).toEqual(expected);
		expect(offered.map(({ position, number }) => [position, number])).toEqual(
			expected.map((_, i) => [i + 1, i + 1]),
		);
		expect(new Set(offered.map(({ state }) => state))).toEqual(
			new Set(["pending"]),
		);
		const added = {
			user_id: "user-2",
			device_id: replica?.device_id,
			at: "2026-11-20T09:00:00.000Z",
		};
		expect(offered[0]).toMatchObject({
			...added,
			args: '{"createdAt":"2025-01-01T00:00:00.000Z"}',
		});
		const settings = offered.at(-1);
		if (!bringsSettings) return;
		expect(settings).toMatchObject(added);
		expect(JSON.parse(settings?.args as string)).toEqual({
			set: {
				name: "Duka",
				currency: "KES",
				timeZone: "Africa/Nairobi",
				cutOffHour: 3,
				receiptHeader: null,
				receiptFooter: null,
				openItems: false,
				cashUnit: null,
				receiptLanguage: null,
				receiptLogoUrl: null,
			},
		});
	},
);
