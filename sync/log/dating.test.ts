import { describe, expect, test } from "vitest";
import { businessDay } from "../protocol/clock.ts";
import { addMilk, message, openTestShop, saleArgs } from "../testing/shop.ts";

const dayMs = 24 * 3_600_000;
const now = "2026-11-20T09:00:00.000Z";
const today = "2026-11-20";

/** A shop whose sales are read as reports read them. */
async function openShop() {
	const server = await openTestShop();
	await addMilk(server);
	const push = async (
		mutations: unknown[],
		device: { deviceId?: string; lastNumber?: number } = {},
	) => {
		const { results } = await server.shop.push(server.caller, {
			mutations,
			...device,
		});
		return results.map(({ status }) => status);
	};
	const inbox = () =>
		server.rows("SELECT cause, sale_id, amount FROM inbox_items");
	const dates = (table: "sales" | "refunds") =>
		server.rows(`SELECT business_day, created_at FROM ${table} ORDER BY id`);
	return { server, push, inbox, dates };
}

const clockItem = { cause: "clock", sale_id: "s-1", amount: 50_000_000 };

describe("a sale dated by the server", () => {
	test.each([
		["2099-12-31"],
		["1970-01-01"],
		["0001-01-01"],
		["9999-12-31"],
		["2026-10-30"],
		["2026-11-22"],
		["2026-11-18"],
	])(
		"a sale whose till names %s as its day is dated by the server and raises an inbox item [FACT-8]",
		async (businessDay) => {
			const { push, inbox, dates } = await openShop();
			const args = { ...saleArgs("s-1"), businessDay };
			const at = "2026-11-20T08:59:00.000Z";
			expect(await push([message("m-1", "sale.create", args, { at })])).toEqual(
				["applied"],
			);
			expect(await dates("sales")).toEqual([
				{ business_day: today, created_at: at },
			]);
			expect(await inbox()).toEqual([clockItem]);
		},
	);

	test.each([
		["1970-01-01T00:00:00.000Z"],
		["0000-01-01T00:00:00.000Z"],
		["9999-12-31T12:00:00.000Z"],
		["2026-12-20T09:00:00.000Z"],
		["2025-12-30T00:00:00.000Z"],
	])(
		"a sale whose till's clock says %s is dated by the server and raises an inbox item [CLOCK-4]",
		async (at) => {
			const { server, push, inbox, dates } = await openShop();
			const args = {
				...saleArgs("s-1"),
				businessDay: businessDay(at, "Africa/Nairobi", 0),
			};
			expect(await push([message("m-1", "sale.create", args, { at })])).toEqual(
				["applied"],
			);
			expect(await dates("sales")).toEqual([
				{ business_day: today, created_at: now },
			]);
			expect(await inbox()).toEqual([clockItem]);
			expect(
				await server.rows(
					"SELECT at, device_at FROM mutations WHERE id = 'm-1'",
				),
			).toEqual([{ at: now, device_at: at }]);
		},
	);

	test("a sale from weeks before its till's last sync without it is dated by the server and raises an inbox item [CLOCK-4]", async () => {
		const { push, inbox, dates } = await openShop();
		const till = { deviceId: "till-1" };
		const first = message("m-0", "sale.create", saleArgs("s-0"), { number: 1 });
		await push([first], { ...till, lastNumber: 1 });
		const at = "2026-10-25T09:00:00.000Z";
		const args = { ...saleArgs("s-1"), businessDay: "2026-10-25" };
		const late = message("m-1", "sale.create", args, { at, number: 2 });
		await push([late], { ...till, lastNumber: 2 });
		expect((await dates("sales"))[1]).toEqual({
			business_day: today,
			created_at: now,
		});
		expect(await inbox()).toEqual([clockItem]);
	});
});

describe("a sale that keeps its date", () => {
	test.each([
		["the day before", "2026-11-19"],
		["the day after", "2026-11-21"],
	])(
		"a sale whose till counts it to %s keeps its day without an inbox item",
		async (_which, businessDay) => {
			const { push, inbox, dates } = await openShop();
			const args = { ...saleArgs("s-1"), businessDay };
			await push([message("m-1", "sale.create", args)]);
			expect(await dates("sales")).toMatchObject([
				{ business_day: businessDay },
			]);
			expect(await inbox()).toEqual([]);
		},
	);

	test("sales of a till that was offline for months keep their dates without inbox items [CLOCK-5]", async () => {
		const { push, inbox, dates } = await openShop();
		const till = { deviceId: "till-1", lastNumber: 3 };
		for (const [i, day] of ["2026-05-01", "2026-08-01", "2026-11-01"].entries())
			await push(
				[
					message(
						`m-${i}`,
						"sale.create",
						{ ...saleArgs(`s-${i}`), businessDay: day },
						{ at: `${day}T08:00:00.000Z`, number: i + 1 },
					),
				],
				till,
			);
		expect(await dates("sales")).toMatchObject([
			{ business_day: "2026-05-01" },
			{ business_day: "2026-08-01" },
			{ business_day: "2026-11-01" },
		]);
		expect(await inbox()).toEqual([]);
	});

	test("a sale keeps its date if the server's clock was a month ahead at the till's last sync [CLOCK-5]", async () => {
		const { server, push, inbox } = await openShop();
		const till = { deviceId: "till-1" };
		server.env.pass(30 * dayMs);
		const first = message("m-0", "sale.create", saleArgs("s-0"), { number: 1 });
		await push([first], { ...till, lastNumber: 1 });
		server.env.pass(-28 * dayMs);
		const second = message("m-1", "sale.create", saleArgs("s-1"), {
			number: 2,
		});
		await push([second], { ...till, lastNumber: 2 });
		expect(await inbox()).toEqual([]);
	});

	test("a sale keeps its date after the server's clock went back to before the business began", async () => {
		const { server, push, inbox } = await openShop();
		server.env.pass(-3_000 * dayMs);
		const at = new Date(server.env.now() - 2 * dayMs).toISOString();
		await push([message("m-1", "sale.create", saleArgs("s-1"), { at })]);
		expect(await inbox()).toEqual([]);
	});
});

describe("refunds and voids", () => {
	test.each([
		["sale.void", { restock: true }],
		["sale.refund", { items: [{ id: "1", itemId: "1", quantity: 1 }] }],
	])(
		"a %s dated before its sale is dated by the server and raises an inbox item",
		async (name, more) => {
			const { push, inbox, dates } = await openShop();
			const made = message("m-1", "sale.create", saleArgs("s-1"));
			const args = { id: "r-1", saleId: "s-1", reason: "Sour", ...more };
			const at = "2026-11-20T07:00:00.000Z";
			const taken = message("m-2", name, args, { at });
			expect(await push([made, taken])).toEqual(["applied", "applied"]);
			expect(await dates("refunds")).toEqual([
				{ business_day: today, created_at: now },
			]);
			expect(await inbox()).toEqual([clockItem]);
		},
	);

	test("a refund counts on a day of the reports, whatever day its till names", async () => {
		const { push, inbox, dates } = await openShop();
		const made = message("m-1", "sale.create", saleArgs("s-1"));
		const args = { id: "r-1", saleId: "s-1", reason: "Sour" };
		const day = { businessDay: "9999-12-31" };
		await push([made, message("m-2", "sale.void", { ...args, ...day })]);
		expect(await dates("refunds")).toMatchObject([{ business_day: today }]);
		expect(await inbox()).toEqual([clockItem]);
	});

	test("a refund a few minutes before its sale by another till's clock raises no inbox item", async () => {
		const { push, inbox } = await openShop();
		const made = message("m-1", "sale.create", saleArgs("s-1"));
		const args = { id: "r-1", saleId: "s-1", reason: "Sour" };
		const at = "2026-11-20T07:58:00.000Z";
		await push([made, message("m-2", "sale.void", args, { at })]);
		expect(await inbox()).toEqual([]);
	});
});

test("a price set by a clock in 1970 counts as set now", async () => {
	const { server, push } = await openShop();
	const set = { id: "milk", set: { sellingPrice: 61 } };
	const at = "1970-01-01T00:00:00.000Z";
	await push([message("m-1", "product.update", set, { at })]);
	expect(await server.rows("SELECT selling_price FROM products")).toEqual([
		{ selling_price: 61_000_000 },
	]);
});
