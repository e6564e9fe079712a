import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestServer } from "../../server/test-server.ts";
import { testDir } from "../../sync/test-shop.ts";

const main = join(import.meta.dirname, "../main.js");

test("import products takes another till's file by its columns, and those that are named", async () => {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	const run = (lines: string[], ...args: string[]) => {
		const file = join(testDir(), "products.csv");
		writeFileSync(file, lines.join("\n"));
		const { status, stdout, stderr } = spawnSync(
			process.execPath,
			[main, "import", "products", file, ...args],
			{
				env: { PATH: process.env.PATH, DATA_DIR: server.settings.dataDir },
				encoding: "utf8",
			},
		);
		return { status, out: stdout, err: stderr };
	};
	const names = async () => {
		const { body } = await server.ask("GET", "/api/products", { as: asha });
		return (body as { name: string; sku: string }[]).map(
			({ name, sku }) => `${sku} ${name}`,
		);
	};
	const shopify = [
		"Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Barcode",
		"tee,Tee,Size,S,TEE-S,1200,111",
		"tee,,,M,TEE-M,cheap,112",
		"tee,,,L,TEE-L,1300,113",
	];
	const dry = run(shopify, "--dry-run", "--json");
	expect(dry.status).toBe(1);
	expect(JSON.parse(dry.out)).toEqual({
		dryRun: true,
		created: 2,
		updated: 0,
		unchanged: 0,
		refused: [{ line: 3, reason: expect.stringContaining("cheap") }],
	});
	expect(await names()).toEqual([]);

	const mapped = run(shopify, "--map", "sku=Variant Barcode");
	expect(mapped).toMatchObject({
		status: 1,
		out: "created 2, updated 0, unchanged 0, refused 1\n",
	});
	expect(mapped.err).toContain("It is a file of Shopify\n");
	expect(mapped.err).toMatch(/^line 3: sellingPrice: .*cheap/m);
	expect(await names()).toEqual(["113 Tee - L", "111 Tee - S"]);

	const woo = [
		'"Art. No, old",Artikel,"GTIN, UPC, EAN, or ISBN",VK',
		"7,Milch,222,1.5",
	];
	const map = "sku=GTIN, UPC, EAN, or ISBN,name=Artikel,sellingPrice=VK";
	expect(run(woo, "--map", map).status).toBe(0);
	expect(await names()).toContain("222 Milch");

	for (const wrong of ["price=VK", "name="])
		expect(run(woo, "--map", wrong)).toMatchObject({
			status: 2,
			err: expect.stringContaining("must be like name=Column"),
		});
	expect(run(woo, "--map", "name=Titel")).toMatchObject({
		status: 1,
		err: expect.stringMatching(/^The header has no column Titel\. .+\n$/),
	});
});
