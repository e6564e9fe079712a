import { expect, test } from "vitest";
import { twoShops } from "../../testing/server.ts";
import { readProductCsv } from "./product-file.ts";
import { importProducts } from "./products.ts";

async function openShop() {
	const { server, asha } = await twoShops();
	const load = async (lines: string[]) => {
		const csv = readProductCsv(Buffer.from(`${lines.join("\n")}\n`));
		const plan = await importProducts(server.shop, asha.caller, csv);
		const { created, updated, unchanged, refused } = plan;
		return { created, updated, unchanged, refused: refused.length };
	};
	const products = () =>
		server.rows(
			"SELECT name, sku, is_active FROM products WHERE business_id = ? AND name <> 'Milk' ORDER BY name",
			asha.businessId,
		);
	return { load, products };
}

test("products that the other system doesn't sell are imported as inactive, and activated when that changes", async () => {
	const { load, products } = await openShop();
	const file = (available: string) => [
		"Handle,SKU,Name,Sold by weight,Default price,Available for sale [Duka]",
		"cup,C1,Cup,N,6,Y",
		`tea,T1,Tea,N,5,${available}`,
	];
	expect(await load(file("N"))).toMatchObject({ created: 2, refused: 0 });
	const cup = { name: "Cup", sku: "C1", is_active: 1 };
	const tea = { name: "Tea", sku: "T1", is_active: 0 };
	expect(await products()).toEqual([cup, tea]);
	expect(await load(file("N"))).toMatchObject({ unchanged: 2 });
	expect(await load(file("Y"))).toMatchObject({ updated: 1, unchanged: 1 });
	expect(await products()).toEqual([cup, { ...tea, is_active: 1 }]);
	expect(await load(file("N"))).toMatchObject({ updated: 1, unchanged: 1 });
	expect(await products()).toEqual([cup, tea]);
});

test("a refused line carries a code, so that the app can word it in the user's language", async () => {
	const { server, asha } = await twoShops();
	const refusedOf = async (lines: string[]) => {
		const csv = readProductCsv(Buffer.from(`${lines.join("\n")}\n`));
		const plan = await importProducts(server.shop, asha.caller, csv);
		return plan.refused.map(({ record, ...refusal }) => refusal);
	};
	expect(
		await refusedOf([
			"name,sku,price",
			"Tea,T1,5",
			"Other tea,T1,6",
			`Long,${"9".repeat(101)},5`,
			",N1,5",
		]),
	).toMatchObject([
		{ line: 3, code: "same_product", value: "2" },
		{ line: 4, code: "invalid_args", field: "sku" },
		{ line: 5, code: "invalid_args", field: "name" },
	]);
	for (const sku of ["A1", "A2"])
		await refusedOf(["name,sku,price", `Alike,${sku},5`]);
	expect(await refusedOf(["name,price", "Alike,7"])).toMatchObject([
		{ line: 2, code: "several_products", field: "name" },
	]);
});

test("a product imported by SKU is found again by it and gets its barcode", async () => {
	const { load, products } = await openShop();
	const header = "name,sku,barcode,price";
	expect(await load(["name,sku,price", "Tea,T1,5"])).toMatchObject({
		created: 1,
	});
	const withBarcode = [header, "Tea,T1,0600000000001,5"];
	expect(await load(withBarcode)).toMatchObject({ created: 0, updated: 1 });
	expect(await products()).toEqual([
		{ name: "Tea", sku: "0600000000001", is_active: 1 },
	]);
	expect(await load(withBarcode)).toMatchObject({ unchanged: 1 });
});

test("a file gives products their tax classes, and a file without the column leaves them", async () => {
	const { server, asha } = await twoShops();
	const load = async (lines: string[]) => {
		const csv = readProductCsv(Buffer.from(`${lines.join("\n")}\n`));
		return await importProducts(server.shop, asha.caller, csv);
	};
	const header = "name,price,tax class";
	expect(
		await load([header, "Tea,5,b", "Flour,6,", "Oil,7,not a class"]),
	).toMatchObject({
		created: 2,
		refused: [{ line: 4, code: "invalid_args", field: "taxClass" }],
	});
	expect(await load(["name,price", "Tea,6"])).toMatchObject({ updated: 1 });
	expect(await load([header, "Tea,6,B"])).toMatchObject({ unchanged: 1 });
	expect(
		await server.rows(
			"SELECT name, tax_class FROM products WHERE business_id = ? AND name <> 'Milk' ORDER BY name",
			asha.businessId,
		),
	).toEqual([
		{ name: "Flour", tax_class: null },
		{ name: "Tea", tax_class: "B" },
	]);
});
