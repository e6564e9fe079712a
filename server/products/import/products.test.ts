import { expect, test } from "vitest";
import { twoShops } from "../../testing/server.ts";
import { readProductCsv } from "./product-file.ts";
import { importProducts, planProductImport } from "./products.ts";

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

test("codes of a file are added to its products, and a line is refused whose code another product has", async () => {
	const { server, asha } = await twoShops();
	const load = async (lines: string[], misread: number[] = []) => {
		const csv = readProductCsv(
			Buffer.from(`name,sku,codes\n${lines.join("\n")}\n`),
		);
		const dry = await planProductImport(server.shop, asha.businessId, csv);
		const done = await importProducts(server.shop, asha.caller, csv);
		expect(done).toEqual(dry);
		expect(csv.notes.flatMap(({ lines }) => lines)).toEqual(misread);
		return [
			...[done.created, done.updated, done.unchanged],
			...done.refused.map(({ line, code, value }) => [line, code, value]),
		];
	};
	const codes = async () => {
		const rows = await server.rows(
			"SELECT sku, code FROM product_codes JOIN products ON products.business_id = product_codes.business_id AND products.id = product_id ORDER BY code",
		);
		return rows.map(({ sku, code }) => `${sku} ${code}`);
	};
	const lines = [
		"Tea,T1,4006381333931 | 036000291452",
		// Another form of the line's above, and the code of the one above it.
		"Coffee,C1,0036000291452",
		"Cocoa,K1,t1",
		"Sugar,S1,S1|5901234123457",
		"Salt,X1,6.00124E+12",
	];
	expect(await load(lines)).toEqual([
		...[2, 0, 0],
		[3, "code_taken", "0036000291452"],
		[4, "code_taken", "t1"],
		[6, "rounded_code", "6.00124E+12"],
	]);
	const kept = ["T1 036000291452", "T1 4006381333931", "S1 5901234123457"];
	expect(await codes()).toEqual(kept);
	const [tea, , , sugar] = lines as [string, string, string, string];
	expect(await load([tea, sugar])).toEqual([0, 0, 2]);
	expect(
		await load(
			["Tea,T1,T-9", "Coffee,C1,5901234123457", "Jam,4006381333932,"],
			[4],
		),
	).toEqual([...[1, 1, 0], [3, "code_taken", "5901234123457"]]);
	expect(await codes()).toEqual([...kept, "T1 T-9"]);
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
