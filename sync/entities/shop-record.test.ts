import { expect, test } from "vitest";
import {
	addBusiness,
	addMilk,
	madeAt,
	message,
	openTestShop,
	pushOne,
	type TestShop,
} from "../testing/shop.ts";
import { businessBackdate } from "./business.ts";

const made = "2026-01-01T00:00:00.000Z";
const later = "2026-11-20T08:30:00.000Z";

function push(
	server: TestShop,
	id: string,
	name: string,
	args: object,
	at = madeAt,
) {
	return pushOne(server, message(id, name, args, { at }));
}

const row = { business_id: "shop-1", deleted: 0 };

test("a business's own row is its first version", async () => {
	const server = await openTestShop();
	await server.store.write((tx) => addBusiness(tx, "b"));
	expect(await server.rows("SELECT * FROM businesses ORDER BY id")).toEqual(
		["b", "shop-1"].map((id) => ({
			...{ business_id: id, id, name: `Duka ${id}`, deleted: 0 },
			...{ currency: "KES", time_zone: "Africa/Nairobi", cut_off_hour: 0 },
			...{ receipt_header: null, receipt_footer: null, open_items: 0 },
			...{ cash_unit: null, receipt_language: null, receipt_logo_url: null },
			...{ created_at: made, updated_at: made, edits: "{}", version: 1 },
			...{ head: 1, link: null, backed_up_to: 0 },
			...{
				tax_class: null,
				adds_tax: null,
				limits: null,
				lock_minutes: null,
				scale_labels: null,
				account_codes: null,
			},
		})),
	);
});

test("every setting of a business is stored, and no other business changes", async () => {
	const server = await openTestShop();
	await server.store.write((tx) => addBusiness(tx, "b"));
	const set = {
		name: "Mama Njeri's",
		currency: "UGX",
		timeZone: "Africa/Kampala",
		cutOffHour: 3,
		receiptHeader: "Karibu",
		receiptFooter: "Asante",
		openItems: true,
		cashUnit: 50,
		receiptLanguage: "sw",
		receiptLogoUrl: "/pictures/logo.webp",
		taxClass: "B",
		addsTax: true,
	};
	await push(server, "m", "business.update", { set }, later);
	const columns =
		"id, name, currency, time_zone, cut_off_hour, receipt_header, receipt_footer, open_items, cash_unit, receipt_language, receipt_logo_url, tax_class, adds_tax, updated_at, version, head";
	expect(
		await server.rows(`SELECT ${columns} FROM businesses ORDER BY id DESC`),
	).toMatchObject([
		{
			...{ id: "shop-1", name: set.name, currency: "UGX", cut_off_hour: 3 },
			...{ time_zone: "Africa/Kampala", receipt_header: "Karibu" },
			...{ receipt_footer: "Asante", open_items: 1 },
			...{ cash_unit: 50_000_000, receipt_language: "sw" },
			receipt_logo_url: "/pictures/logo.webp",
			...{ tax_class: "B", adds_tax: 1 },
			...{ updated_at: later, version: 2, head: 2 },
		},
		{
			...{ id: "b", name: "Duka b", currency: "KES", cut_off_hour: 0 },
			...{ cash_unit: null, receipt_language: null, receipt_logo_url: null },
			...{ updated_at: made, version: 1, head: 1 },
		},
	]);
	await push(server, "m2", "business.update", {
		set: {
			...{ receiptHeader: null, receiptFooter: null, openItems: false },
			...{ cashUnit: null, receiptLanguage: null, receiptLogoUrl: null },
			taxClass: null,
		},
	});
	const wrong: [field: string, set: object][] = [
		["set.name", { name: "x".repeat(212) }],
		["set.name", { name: " " }],
		["set.id", { id: "b" }],
		["set.createdAt", { createdAt: made }],
		["set.updatedAt", { updatedAt: made }],
		["set.openItems", { openItems: 1 }],
		["set.cashUnit", { cashUnit: 0 }],
		["set.cashUnit", { cashUnit: -5 }],
		["set.receiptLanguage", { receiptLanguage: "" }],
		["set.receiptLanguage", { receiptLanguage: "Kiswahili" }],
		["set.cutOffHour", { cutOffHour: 1.5 }],
		["set.taxClass", { taxClass: "b" }],
	];
	for (const [i, [field, set]] of wrong.entries())
		expect(
			await push(server, `w${i}`, "business.update", { set }),
		).toMatchObject({ error: { code: "invalid_args", field } });
	const longest = { set: { name: "x".repeat(211) } };
	expect(
		await push(server, "m3", "business.update", longest, later),
	).toMatchObject({ status: "applied" });
});

test("a business can be backdated but never made younger", async () => {
	const server = await openTestShop();
	const { shop, caller, rows } = server;
	const createdAt = async () => {
		const [one] = await rows("SELECT created_at, version FROM businesses");
		return one;
	};
	const backdate = (at: string) =>
		shop.mutate(caller, businessBackdate, { createdAt: at });
	await backdate("2026-01-01T00:00:00.001Z");
	await backdate(made);
	expect(await createdAt()).toEqual({ created_at: made, version: 1 });
	const older = "2025-06-01T00:00:00.000Z";
	await backdate(older);
	expect(await createdAt()).toEqual({ created_at: older, version: 4 });
});

test("a category is stored as created and edited, and its deletion leaves its products without one", async () => {
	const server = await openTestShop();
	const other = await openTestShop({ file: server.file, businessId: "b" });
	for (const one of [server, other]) {
		await push(one, "m1", "category.create", { id: "c", name: "Dairy" });
		await addMilk(one);
		const set = { id: "milk", set: { categoryId: "c" } };
		await push(one, "m2", "product.update", set);
	}
	await push(server, "m3", "category.create", {
		...{ id: "d", name: "Baked", sortOrder: -1_000_000 },
	});
	const set = { name: "Cold", sortOrder: 1_000_000 };
	await push(server, "m4", "category.update", { id: "c", set }, later);
	const tea = { id: "tea", name: "Tea", buyingPrice: 1, sellingPrice: 2 };
	for (const [one, categoryId] of [
		[server, "d"],
		[other, "c"],
	] as const)
		await push(one, "m-tea", "product.create", { ...tea, categoryId });
	const categories = () =>
		server.rows(
			"SELECT business_id, id, name, sort_order, created_at, updated_at, version, deleted FROM categories ORDER BY business_id DESC, id",
		);
	const cold = {
		...{ ...row, id: "c", name: "Cold", sort_order: 1_000_000 },
		...{ created_at: madeAt, updated_at: later, version: 6 },
	};
	const baked = {
		...{ ...row, id: "d", name: "Baked", sort_order: -1_000_000 },
		...{ created_at: madeAt, updated_at: madeAt, version: 5 },
	};
	const theirs = {
		...{ business_id: "b", id: "c", name: "Dairy", sort_order: 0 },
		...{ created_at: madeAt, updated_at: madeAt, version: 2, deleted: 0 },
	};
	expect(await categories()).toEqual([cold, baked, theirs]);
	for (const sortOrder of [-1_000_001, 1_000_001, 0.5])
		expect(
			await push(server, `${sortOrder}`, "category.create", {
				...{ id: "e", name: "Else", sortOrder },
			}),
		).toMatchObject({ error: { field: "sortOrder" } });
	await push(server, "m5", "category.delete", { id: "c" });
	expect(await categories()).toEqual([
		{ ...cold, version: 8, deleted: 1 },
		baked,
		theirs,
	]);
	expect(
		await server.rows(
			"SELECT business_id, id, category_id FROM products ORDER BY business_id DESC, id",
		),
	).toEqual([
		{ business_id: "shop-1", id: "milk", category_id: null },
		{ business_id: "shop-1", id: "tea", category_id: "d" },
		{ business_id: "b", id: "milk", category_id: "c" },
		{ business_id: "b", id: "tea", category_id: "c" },
	]);
	for (const [id, name, args] of [
		["m6", "category.delete", { id: "c" }],
		["m7", "category.update", { id: "c", set: { name: "Back" } }],
	] as const)
		expect(await push(server, id, name, args)).toMatchObject({
			error: { code: "not_found", field: "id" },
		});
	expect(
		await push(server, "m8", "category.create", { id: "c", name: "Again" }),
	).toMatchObject({ error: { code: "id_reused" } });
});

test("a review is stored with its author", async () => {
	const server = await openTestShop();
	const review = { id: "r", rating: 4, text: "x".repeat(5_000) };
	await push(server, "m", "review.create", review);
	expect(await server.rows("SELECT * FROM reviews")).toEqual([
		{
			...{ ...row, ...review, user_id: "user-1" },
			...{ created_at: madeAt, version: 2 },
		},
	]);
	const tooLong = { ...review, id: "s", text: "x".repeat(5_001) };
	expect(await push(server, "n", "review.create", tooLong)).toMatchObject({
		error: { code: "invalid_args", field: "text" },
	});
});
