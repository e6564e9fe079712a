import { expect, test } from "vitest";
import { productUpdate } from "../entities/product.ts";
import { saleCreate } from "../entities/sale.ts";
import {
	addBusiness,
	addMember,
	addMilk,
	message,
	openTestShop,
	openTestTill,
	saleArgs,
	type TestShop,
	testLine,
} from "../testing/shop.ts";
import type { Caller } from "./log.ts";

/** A shop with an owner, two cashiers and a former member. */
async function openStaffedShop() {
	const server = await openTestShop();
	await addMilk(server);
	await server.store.write(async (tx) => {
		for (const [id, role] of [
			["owner", "OWNER"],
			["asha", "CASHIER"],
			["juma", "CASHIER"],
		] as const)
			await addMember(tx, "shop-1", id, role);
		await addBusiness(tx, "shop-2");
		await addMember(tx, "shop-2", "baraka", "OWNER");
		await tx.run(
			"INSERT INTO former_members (business_id, user_id, left_at) VALUES ('shop-1', 'left', '2026-11-01T00:00:00.000Z'), ('shop-2', 'left-them', '2026-11-01T00:00:00.000Z')",
		);
	});
	const as = (userId: string, role: Caller["role"] = "CASHIER"): Caller => ({
		...server.caller,
		userId,
		role,
	});
	return { server, as };
}

async function push({ shop }: TestShop, caller: Caller, item: unknown) {
	const { results } = await shop.push(caller, { mutations: [item] });
	return results[0];
}

const setPrice = (sellingPrice: number) => ({
	id: "milk",
	set: { sellingPrice },
});

test.each([
	["a colleague", "asha", "asha", "juma"],
	["a removed member", "left", "left", "juma"],
	["an id that was never a member's", "invented", "juma", null],
	["another shop's member", "baraka", "juma", null],
	["another shop's removed member", "left-them", "juma", null],
	["the caller", "juma", "juma", null],
	["nobody", undefined, "juma", null],
	["a malformed id", 7, "juma", null],
])(
	"a sale that names %s as its maker gets the right author and carrier [PERM-2]",
	async (_who, by, maker, carrier) => {
		const { server, as } = await openStaffedShop();
		const item = message("m-1", "sale.create", saleArgs("s-1"), { by });
		expect(await push(server, as("juma"), item)).toMatchObject({
			status: "applied",
		});
		expect(
			await server.rows(
				"SELECT user_id, carrier_id FROM mutations WHERE id = 'm-1'",
			),
		).toEqual([{ user_id: maker, carrier_id: carrier }]);
		expect(await server.rows("SELECT user_id FROM sales")).toEqual([
			{ user_id: maker },
		]);
	},
);

test("a cashier's own price change is rejected, and one that a cashier carries waits for an owner [PERM-1] [PERM-3]", async () => {
	const { server, as } = await openStaffedShop();
	const own = message("m-1", productUpdate.name, setPrice(60));
	expect(await push(server, as("juma"), own)).toMatchObject({
		status: "rejected",
		error: { code: "forbidden" },
	});
	const carried = message("m-2", productUpdate.name, setPrice(70), {
		by: "owner",
	});
	expect(await push(server, as("juma"), carried)).toMatchObject({
		status: "deferred",
		error: { code: "awaits_permission" },
	});
	expect(await push(server, as("boss", "MANAGER"), carried)).toMatchObject({
		status: "applied",
	});
	expect(
		await server.rows(
			"SELECT user_id, carrier_id FROM mutations WHERE id = 'm-2'",
		),
	).toEqual([{ user_id: "owner", carrier_id: "boss" }]);
});

test("a till sends each mutation's maker, whichever member is signed in [PERM-2]", async () => {
	const { server, as } = await openStaffedShop();
	const till = await openTestTill(server, {
		line: testLine(server.shop, as("juma")),
	});
	await till.till.sync();
	await till.till.mutate(as("asha"), saleCreate, saleArgs("s-1"));
	await till.till.mutate(as("owner", "OWNER"), productUpdate, setPrice(70));
	await till.till.mutate(as("juma"), saleCreate, saleArgs("s-2"));
	await till.till.sync();
	expect(
		await server.rows("SELECT id, user_id FROM sales ORDER BY id"),
	).toEqual([
		{ id: "s-1", user_id: "asha" },
		{ id: "s-2", user_id: "juma" },
	]);
	expect(await till.till.status()).toMatchObject({ pending: 1, rejected: 0 });
	expect(await till.till.rejected()).toEqual([]);
});
