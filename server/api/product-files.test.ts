import { describe, expect, test } from "vitest";
import { expectScenario, type Scenario, twoShops } from "../test-server.ts";

const path = "/api/imports/products";
const csv =
	"name,sku,sellingPrice,quantity,colour\nTea,222,30,5,red\nMilk,111,55,,\nBad,333,ten,,\n";

const scenarios: Scenario[] = [
	{
		what: "asks for credentials",
		as: "nobody",
		method: "POST",
		path,
		body: csv,
		status: 401,
		exactly: { error: "Unauthorized" },
	},
	{
		what: "names what is missing in a header",
		method: "POST",
		path,
		body: "a,b\n1,2\n",
		status: 400,
		answer: { error: expect.stringContaining("no column for the name") },
	},
	{
		what: "names the line that is not UTF-8",
		method: "POST",
		path,
		body: new Uint8Array([0x6e, 0x61, 0x6d, 0x65, 0x0a, 0xff, 0x0a]),
		status: 400,
		answer: { error: expect.stringContaining("line 2") },
	},
];

describe(path, () => {
	test.each(scenarios)("$what", expectScenario);

	test("says what would happen, then does it, and reports what it refused", async () => {
		const { server, asha } = await twoShops();
		const ask = (query = "") =>
			server.ask("POST", path + query, { as: asha, body: csv });
		const plan = {
			created: 1,
			updated: 1,
			unchanged: 0,
			refused: [{ line: 4, reason: expect.stringContaining("ten") }],
			ignored: ["colour"],
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

	test("is for those who manage", async () => {
		const { server, asha } = await twoShops();
		const cashier = await server.addUser("Chege", {
			businessId: asha.businessId,
			role: "CASHIER",
		});
		expect(
			await server.ask("POST", path, { as: cashier, body: csv }),
		).toMatchObject({ status: 403, body: { error: "Forbidden" } });
	});

	test("what is exported is imported again without a change", async () => {
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
});
