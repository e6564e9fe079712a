import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { saleCreate } from "../../sync/entities/sale.ts";
import { newId } from "../../sync/protocol/ids.ts";
import { importLinesMax } from "../../sync/protocol/request-errors.ts";
import {
	expectScenario,
	type Scenario,
	type TestServer,
	type TestUser,
	twoShops,
} from "../testing/server.ts";

const path = "/api/imports/products";
const csv =
	"name,sku,sellingPrice,quantity,colour\nTea,222,30,5,red\nMilk,111,55,,\nBad,333,ten,,\n";

const scenarios: Scenario[] = [
	{
		what: "requires credentials",
		as: "nobody",
		method: "POST",
		path,
		body: csv,
		status: 401,
		exactly: { error: "Unauthorized" },
	},
	{
		what: "names the column missing from the header",
		method: "POST",
		path,
		body: "a,b\n1,2\n",
		status: 400,
		answer: {
			error: expect.stringContaining("no column for the product name"),
		},
	},
	{
		what: "names the line whose UTF-8 is damaged",
		method: "POST",
		path,
		body: Buffer.concat([Buffer.from("name,“é”\n"), Buffer.from([0xff, 0x0a])]),
		status: 400,
		answer: { error: expect.stringContaining("line 2") },
	},
	...["true", "yes", "", "2"].map((dryRun) => ({
		what: `imports nothing with dryRun "${dryRun}"`,
		method: "POST",
		path: `${path}?dryRun=${dryRun}`,
		body: csv,
		status: 400,
		exactly: { error: "dryRun must be 0 or 1" },
	})),
];

describe(path, () => {
	test.each(scenarios)("$method $path $what", expectScenario);

	test("an import with dryRun reports the changes, and one without makes them and reports refused lines", async () => {
		const { server, asha } = await twoShops();
		const ask = (query = "") =>
			server.ask("POST", path + query, { as: asha, body: csv });
		const plan = {
			created: 1,
			updated: 1,
			unchanged: 0,
			refused: [
				{
					line: 4,
					reason: expect.stringContaining("ten"),
					code: "not_a_number",
					field: "sellingPrice",
					value: "ten",
				},
			],
			system: null,
			ignored: ["colour"],
			notes: [],
			preview: [
				{ name: "Tea", sku: "222", sellingPrice: 30, quantity: 5 },
				{ name: "Milk", sku: "111", sellingPrice: 55 },
			],
		};
		const before = await server.shop.digest(asha.caller);
		expect((await ask("?dryRun=1")).body).toEqual(plan);
		expect(await server.shop.digest(asha.caller)).toEqual(before);
		expect((await ask()).body).toEqual(plan);
		const { body } = await server.ask("GET", "/api/products", { as: asha });
		expect(body).toMatchObject([
			{ name: "Milk", sellingPrice: 55, quantity: 10 },
			{ name: "Tea", sellingPrice: 30, quantity: 5 },
		]);
	});

	test("a person who maps columns gets the header and first rows, and the import reads the columns that they choose", async () => {
		const { server, asha } = await twoShops();
		const ask = (where: string, body: string) =>
			server.ask("POST", path + where, { as: asha, body });
		const list = "Thing,price,Retail,stock\nTea,20,30,5\nRice,50,65,\n";
		expect((await ask("/sample", list)).body).toEqual({
			header: ["Thing", "price", "Retail", "stock"],
			fields: [null, "sellingPrice", null, "quantity"],
			rows: [
				["Tea", "20", "30", "5"],
				["Rice", "50", "65", ""],
			],
		});
		const map = {
			name: "Thing",
			buyingPrice: "price",
			sellingPrice: "Retail",
			quantity: null,
		};
		const query = `?dryRun=1&map=${encodeURIComponent(JSON.stringify(map))}`;
		expect((await ask(query, list)).body).toMatchObject({
			created: 2,
			ignored: ["stock"],
			preview: [
				{ name: "Tea", buyingPrice: 20, sellingPrice: 30 },
				{ name: "Rice", buyingPrice: 50, sellingPrice: 65 },
			],
		});
		for (const wrong of ["{", '{"name":1}', '{"colour":"Thing"}'])
			expect(
				(await ask(`?map=${encodeURIComponent(wrong)}`, list)).status,
			).toBe(400);
	});

	test("a sample shows the columns of a file that needs a choice or has no name", async () => {
		const { server, asha } = await twoShops();
		const sample = async (body: string) =>
			(await server.ask("POST", `${path}/sample`, { as: asha, body })).body;
		const places = "Handle,Name,Sold by weight,SKU,Price [A],Price [B]\n";
		expect(await sample(places)).toMatchObject({
			fields: [null, "name", null, "sku", null, null],
			rows: [],
		});
		expect(await sample("a;b\n1;2\n")).toEqual({
			header: ["a", "b"],
			fields: [null, null],
			rows: [["1", "2"]],
		});
	});

	test("a file with more lines than the server imports is refused with the code file_too_long", async () => {
		const { server, asha } = await twoShops();
		const post = (lines: number) =>
			server.ask("POST", `${path}?dryRun=1`, {
				as: asha,
				body: `name\n${"\n".repeat(lines - 1)}`,
			});
		expect((await post(importLinesMax)).status).toBe(200);
		const { status, headers, body } = await post(importLinesMax + 2);
		expect([status, headers.get("x-error-code")]).toEqual([
			400,
			"file_too_long",
		]);
		expect(body).toEqual({
			error:
				"The file has more than 120000 lines. Split it and import the parts one by one.",
		});
	});

	test("a cashier can't import products", async () => {
		const { server, asha } = await twoShops();
		const cashier = await server.addUser("Chege", {
			businessId: asha.businessId,
			role: "CASHIER",
		});
		expect(
			await server.ask("POST", path, { as: cashier, body: csv }),
		).toMatchObject({ status: 403, body: { error: "Forbidden" } });
	});

	test("importing an export changes nothing", async () => {
		const { server, asha } = await twoShops();
		await server.ask("POST", path, {
			as: asha,
			body: 'name,sku,buyingPrice,sellingPrice,quantity,isService,category\n"Tea, ""black""",007,0.1,30.5,-2.25,0,Drinks\n+Plus,-a1,1,2,3,1,\n',
		});
		const exported = await server.ask("GET", "/api/products.csv", { as: asha });
		expect(exported.headers.get("content-type")).toContain("text/csv");
		expect(exported.text).toContain(
			'"Tea, ""black""",007,0.1,30.5,-2.25,5,0,Drinks,',
		);
		expect(exported.text).toContain("'+Plus,'-a1,");
		const again = await server.ask("POST", path, {
			as: asha,
			body: exported.text,
		});
		expect(again.body).toMatchObject({
			created: 0,
			updated: 0,
			unchanged: 3,
			refused: [],
		});
	});

	test("a file brings every field to another shop, categories' taxes too, and that shop's export changes nothing", async () => {
		const { server, asha, baraka } = await twoShops();
		const list =
			"name;sku;buyingPrice;sellingPrice;quantity;lowStock;isService;category;taxClass;categoryTaxClass;unit;codes;packs;imageUrl;isActive\n" +
			'Rice;R1;90,5;120,25;2,5;1;no;Dry goods;B;A;kg;4006381333931|RC-7;"Sack;50;5500;no;15449000000993;RS-1|Bag, small;2,5";https://example.com/r.jpg;yes\n' +
			"Beans;R2;1.090,50;1.120;;;no;Dry goods;;A;;;;;no\n" +
			"Peas;R3;1;2;;;no;Dry goods;;B;;;;;\n";
		const load = async (as: TestUser, body: string) =>
			(await server.ask("POST", path, { as, body })).body;
		expect(await load(asha, list)).toMatchObject({
			...{ created: 2, ignored: [] },
			notes: [{ code: "picture_skipped", lines: [2] }],
			refused: [{ line: 4, code: "other_category_tax", value: "2" }],
		});
		const show = async (as: TestUser) => {
			const products = await server.ask("GET", "/api/products.csv", { as });
			return products.text.replace(/,[^,]*(?=\r\n)/g, "");
		};
		const header = "name,sku,buyingPrice,sellingPrice,quantity,lowStock";
		const rice =
			'Rice,R1,90.5,120.25,2.5,1,0,Dry goods,B,A,kg,4006381333931|RC-7,"Bag, small;2.5;;yes|Sack;50;5500;no;15449000000993;RS-1",https://example.com/r.jpg,1';
		const text = await show(asha);
		expect(text).toContain(header);
		expect(text).toContain(rice);
		await load(baraka, text);
		expect(await show(baraka)).toContain(rice);
		expect(await load(baraka, await show(baraka))).toMatchObject({
			...{ created: 0, updated: 0, refused: [] },
		});
		const changed = list.replaceAll(";A;", ";B;");
		expect(await load(asha, changed)).toMatchObject({
			...{ created: 1, unchanged: 2, refused: [] },
		});
		expect(
			await server.rows(
				"SELECT tax_class FROM categories WHERE business_id = ?",
				asha.businessId,
			),
		).toEqual([{ tax_class: "B" }]);
	});

	test("a file's packs are added, or changed by name, and a code that the product has for something else refuses the line", async () => {
		const { server, asha } = await twoShops();
		const load = async (packs: string) =>
			(
				await server.ask("POST", path, {
					...{ as: asha, body: `name,sku,packs\nSoda,S1,${packs}\n` },
				})
			).body;
		const show = async () => {
			const { text } = await server.ask("GET", "/api/products.csv", {
				as: asha,
			});
			return /^Soda,.*?,([^,]*;[^,]*),/m.exec(text)?.[1];
		};
		expect(await load("Carton;24;1400;;S24|Six;6")).toMatchObject({
			...{ created: 1, refused: [] },
		});
		expect(await load("carton;10|Carton;20;;no;S20")).toMatchObject({
			...{ updated: 1, refused: [] },
		});
		const shown = "Six;6;;yes|carton;10;;yes|Carton;20;1400;no;S20;S24";
		expect(await show()).toBe(shown);
		expect(await load("Carton;20")).toMatchObject({ unchanged: 1 });
		const wrong = [
			["Six;6;;;S24", "other_pack_code", "S24"],
			["Six;6;;;S1", "other_pack_code", "S1"],
			["Six;6;;;111", "code_taken", "111"],
			["Six;6;;;6.00124E+12", "rounded_code", "6.00124E+12"],
			["Six;0", "invalid_args", undefined],
			["Six", "wrong_pack", "Six"],
			["Six;6;5;maybe", "wrong_pack", "Six;6;5;maybe"],
		] as const;
		for (const [packs, code, value] of wrong)
			expect(await load(packs)).toMatchObject({
				refused: [{ code, ...(value && { value }) }],
			});
		expect(await show()).toBe(shown);
	});

	/** Products whose keys are not unique, or change in a file. */
	const alike: [string, object[]][] = [
		[
			"equal names",
			[
				{ name: "Maji", sellingPrice: 65, quantity: 3 },
				{ name: "Maji", sellingPrice: 70, quantity: 10 },
			],
		],
		[
			"equal SKUs",
			[
				{ name: "A1", sku: "dup", sellingPrice: 1 },
				{ name: "B1", sku: "dup", sellingPrice: 2 },
			],
		],
		[
			"white space around names",
			[
				{ name: "Chai " },
				{ name: "Tea" },
				{ name: "S", sku: " s " },
				{ name: "\u00a0T\t", sku: "t\n" },
			],
		],
		[
			"apostrophes before what looks like a formula",
			[{ name: "'=x" }, { name: "=x" }, { name: "''-1", sku: "'-1" }],
		],
		[
			"a SKU that is blank or another product's name",
			[
				{ name: "A", sku: "  " },
				{ name: "B", sku: "A" },
				{ name: "C", sku: "" },
			],
		],
	];

	test.each(alike)(
		"importing an export changes no products with %s",
		async (_what, products) => {
			const { server, asha } = await twoShops();
			for (const body of products)
				expect(
					await server.ask("POST", "/api/products", { as: asha, body }),
				).toMatchObject({ status: 201 });
			await expectUnchanged(server, asha, products.length + 1);
		},
	);

	test("importing an export keeps products in their categories, even if two categories share a name", async () => {
		const { server, asha } = await twoShops();
		for (const name of ["Sp", "Sp", " Sp ", " Alone "]) {
			const { body } = await server.ask("POST", "/api/categories", {
				as: asha,
				body: { name },
			});
			const { id: categoryId } = body as { id: string };
			await server.ask("POST", "/api/products", {
				as: asha,
				body: { name: `In ${categoryId}`, categoryId },
			});
		}
		await expectUnchanged(server, asha, 5);
		await server.ask("POST", path, {
			as: asha,
			body: "name,category\nNew,Alone\n",
		});
		expect(
			await server.rows(
				"SELECT name FROM categories WHERE business_id = ? AND name LIKE '%Alone%'",
				asha.businessId,
			),
		).toEqual([{ name: " Alone " }]);
	});

	test("a product is found by the id in an export, even if all its other fields changed", async () => {
		const { server, asha } = await twoShops();
		const { text } = await server.ask("GET", "/api/products.csv", { as: asha });
		const { body } = await server.ask("POST", path, {
			as: asha,
			body: text.replace("Milk,111", "Milk,112"),
		});
		expect(body).toMatchObject({
			created: 0,
			updated: 1,
			refused: [],
			ignored: [],
			preview: [{ name: "Milk", sku: "112" }],
		});
		const products = await server.ask("GET", "/api/products", { as: asha });
		expect(products.body).toMatchObject([{ name: "Milk", sku: "112" }]);
	});

	test("importing another shop's export creates new products and never matches by id", async () => {
		const { server, asha, baraka } = await twoShops();
		const { text } = await server.ask("GET", "/api/products.csv", {
			as: baraka,
		});
		const before = await server.shop.digest(baraka.caller);
		const { body } = await server.ask("POST", path, { as: asha, body: text });
		expect(body).toMatchObject({ created: 1, updated: 0, refused: [] });
		expect(await server.shop.digest(baraka.caller)).toEqual(before);
	});

	test("importing a file reactivates an inactive product that it contains", async () => {
		const { server, asha } = await twoShops();
		const make = (body: object) =>
			server.ask("POST", "/api/products", { as: asha, body });
		const made = await make({ name: "Gone", sku: "gone", sellingPrice: 5 });
		const { id } = made.body as { id: string };
		const exported = await server.ask("GET", "/api/products.csv", { as: asha });
		const remove = () =>
			server.ask("DELETE", `/api/products/${id}`, { as: asha });
		const isActive = async () => {
			const { body } = await server.ask("GET", `/api/products/${id}`, {
				as: asha,
			});
			return (body as { isActive: boolean }).isActive;
		};
		const files = ["name,sku,sellingPrice\nGone,gone,5\n", exported.text];
		for (const body of files) {
			await remove();
			expect(await server.ask("POST", path, { as: asha, body })).toMatchObject({
				body: { created: 0, updated: 1, refused: [] },
			});
			expect(await isActive()).toBe(true);
		}
		await remove();
		const inactive = exported.text.replace(`1,${id}`, `0,${id}`);
		await server.ask("POST", path, { as: asha, body: inactive });
		expect(await isActive()).toBe(false);
	});

	test("a line matches an active product first, then the inactive one that changed last", async () => {
		const { server, asha } = await twoShops();
		const make = async (name: string) => {
			const { body } = await server.ask("POST", "/api/products", {
				as: asha,
				body: { name, sku: "one", sellingPrice: 5 },
			});
			return `/api/products/${(body as { id: string }).id}`;
		};
		const [sold, ...gone] = [
			await make("Sold"),
			await make("Gone"),
			await make("Gone later"),
		];
		for (const product of gone.toReversed()) {
			await server.ask("DELETE", product, { as: asha });
			await setTimeout(2);
		}
		const read = async (product = "") => {
			const { body } = await server.ask("GET", product, { as: asha });
			const { sellingPrice, isActive } = body as Record<string, unknown>;
			return [sellingPrice, isActive];
		};
		const give = (price: number) =>
			server.ask("POST", path, {
				as: asha,
				body: `name,sku,sellingPrice\n,one,${price}\n`,
			});
		await give(7);
		expect(await Promise.all([sold, ...gone].map(read))).toEqual([
			[7, true],
			[5, false],
			[5, false],
		]);
		await server.ask("DELETE", sold ?? "", { as: asha });
		await setTimeout(2);
		await server.ask("PATCH", gone[0] ?? "", {
			as: asha,
			body: { lowStock: 1 },
		});
		await give(8);
		expect(await Promise.all([sold, ...gone].map(read))).toEqual([
			[7, false],
			[8, true],
			[5, false],
		]);
	});

	test("a long file is imported in batches, and other shops sell in between", async () => {
		const { server, asha, baraka } = await twoShops();
		const names = Array.from({ length: 1_000 }, (_, i) => `New ${i}`);
		const body = `name,category\n${names.map((name) => `${name},Fresh\n`).join("")}New 7,Fresh\n`;
		let isDone = false;
		const imported = server
			.ask("POST", path, { as: asha, body })
			.finally(() => {
				isDone = true;
			});
		/** The number of imported products at each of the other shop's sales. */
		const seen = new Set<unknown>();
		while (!isDone) {
			await server.shop.mutate(baraka.caller, saleCreate, {
				id: newId(server.shop.env),
				items: [{ id: "1", name: "Tea", quantity: 1, price: 5, cost: 4 }],
			});
			const [row] = await server.rows(
				"SELECT count(*) AS count FROM products WHERE business_id = ?",
				asha.businessId,
			);
			seen.add(row?.count);
		}
		expect(seen.size).toBeGreaterThan(3);
		expect((await imported).body).toMatchObject({
			created: 1_000,
			refused: [{ line: 1_002, reason: "The same product is on line 9" }],
		});
		const again = await server.ask("POST", path, { as: asha, body });
		expect(again.body).toMatchObject({ created: 0, unchanged: 1_000 });
	});

	test("concurrent imports of a file create each product and category once", async () => {
		const { server, asha } = await twoShops();
		const names = Array.from({ length: 20 }, (_, i) => `New ${i}`);
		const body = `name,category\n${names.map((name) => `${name},Fresh\n`).join("")}`;
		const answers = await Promise.all(
			[1, 2, 3].map(() => server.ask("POST", path, { as: asha, body })),
		);
		const told = answers.map((answer) => answer.body) as {
			created: number;
			unchanged: number;
		}[];
		expect(told.map(({ created }) => created).toSorted()).toEqual([0, 0, 20]);
		expect(told.map(({ unchanged }) => unchanged).toSorted()).toEqual([
			0, 20, 20,
		]);
		for (const [table, count] of [
			["products", names.length],
			["categories", 1],
		])
			expect(
				await server.rows(
					`SELECT id FROM ${table} WHERE business_id = ? AND name <> 'Milk'`,
					asha.businessId,
				),
			).toHaveLength(Number(count));
	});

	test("a line that matches several products, or the same one as another line, is refused", async () => {
		const { server, asha } = await twoShops();
		for (const body of [
			{ name: "A1", sku: "dup" },
			{ name: "B1", sku: " dup" },
			{ name: "Maji" },
			{ name: "Maji " },
		])
			await server.ask("POST", "/api/products", { as: asha, body });
		const before = await server.shop.digest(asha.caller);
		const { body } = await server.ask("POST", path, {
			as: asha,
			body: "name,sku,sellingPrice\nA1,dup,7\nMaji,,7\nMilk,,\nMilk,111,7\n",
		});
		expect(body).toMatchObject({
			created: 0,
			updated: 0,
			unchanged: 1,
			refused: [
				{ line: 2, reason: "Several products have this SKU" },
				{ line: 3, reason: "Several products have this name" },
				{ line: 5, reason: "The same product is on line 4" },
			],
		});
		expect(await server.shop.digest(asha.caller)).toEqual(before);
	});
});

/** Imports the shop's export and expects every product to be unchanged. */
async function expectUnchanged(
	server: TestServer,
	as: TestUser,
	unchanged: number,
): Promise<void> {
	const before = await server.shop.digest(as.caller);
	const { text } = await server.ask("GET", "/api/products.csv", { as });
	const { body } = await server.ask("POST", path, { as, body: text });
	expect(body).toMatchObject({
		created: 0,
		updated: 0,
		unchanged,
		refused: [],
		ignored: [],
	});
	expect(await server.shop.digest(as.caller)).toEqual(before);
}
