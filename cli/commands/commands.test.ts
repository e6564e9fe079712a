import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, vi } from "vitest";
import { databaseFile } from "../../server/operations/database.ts";
import { openShop } from "../../sync/shop.ts";
import { openSqlite } from "../../sync/store/sqlite.ts";
import type { Value } from "../../sync/store/store.ts";
import { isSample, oneIn } from "../../sync/testing/lane.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { runCommand, startCommand } from "../testing/command.ts";

const foods = join(
	import.meta.dirname,
	"../../../shared/data/open-food-facts/off-barcodes.csv",
);

/** Enough for several transactions. */
const lineCount = isSample ? 10_000 : 50_000;

let dataDir: string;

beforeEach(() => {
	dataDir = join(testDir(), "data");
});

const env = () => ({ DATA_DIR: dataDir, ADMIN_EMAILS: "root@example.com" });
const run = (args: string[], input = "") => runCommand(args, env(), input);

const createUser = (email: string, ...more: string[]) =>
	run(
		[
			"user",
			"create",
			"--email",
			email,
			"--name",
			"Asha",
			"--password-stdin",
			...more,
		],
		"correct horse\n",
	);

async function openOwnShop() {
	const made = await createUser("asha@example.com", "--business-name", "Duka");
	expect(made.status).toBe(0);
	return made;
}

async function rows(sql: string, ...params: Value[]) {
	const store = await openSqlite(databaseFile({ dataDir }));
	try {
		return await store.read((tx) => tx.all(sql, ...params));
	} finally {
		await store.close();
	}
}

async function digest() {
	const store = await openSqlite(databaseFile({ dataDir }));
	try {
		const [row] = await store.read((tx) =>
			tx.all("SELECT business_id FROM businesses"),
		);
		const businessId = row?.business_id as string;
		const caller = {
			businessId,
			userId: null,
			role: "OWNER",
			deviceId: null,
		} as const;
		return (await openShop({ store }).digest(caller)).digest;
	} finally {
		await store.close();
	}
}

function csv(...lines: string[]): string {
	const file = join(testDir(), "products.csv");
	writeFileSync(file, `${lines.join("\n")}\n`);
	return file;
}

describe("counterfoil import products", () => {
	oneIn(3)(
		"an import creates new products, updates known ones by SKU, and leaves equal ones unchanged",
		async () => {
			await openOwnShop();
			const file = csv(
				"name,sku,price,cost,stock,category",
				"Milk,001,65,58,10,Dairy",
				"Airtime,,1,0.94,,",
				"Mala,002,70,,4,Dairy",
			);
			const first = await run(["import", "products", file]);
			expect(first).toMatchObject({
				status: 0,
				out: "created 3, updated 0, unchanged 0, refused 0\n",
			});
			const before = await digest();
			const same = await run(["import", "products", file]);
			expect(same).toMatchObject({
				status: 0,
				out: "created 0, updated 0, unchanged 3, refused 0\n",
			});
			expect(await digest()).toBe(before);
			const next = csv(
				"name,sku,price,stock",
				"Fresh milk,001,68,",
				"Airtime,,1,",
				"Mala,002,70,6",
			);
			expect((await run(["import", "products", next])).out).toBe(
				"created 0, updated 2, unchanged 1, refused 0\n",
			);
			expect(
				await rows(
					"SELECT name, sku, selling_price, buying_price, quantity FROM products ORDER BY name",
				),
			).toEqual([
				{
					name: "Airtime",
					sku: null,
					selling_price: 1_000_000,
					buying_price: 940_000,
					quantity: 0,
				},
				{
					name: "Fresh milk",
					sku: "001",
					selling_price: 68_000_000,
					buying_price: 58_000_000,
					quantity: 10_000_000,
				},
				{
					name: "Mala",
					sku: "002",
					selling_price: 70_000_000,
					buying_price: null,
					quantity: 6_000_000,
				},
			]);
			expect(await rows("SELECT name FROM categories")).toEqual([
				{ name: "Dairy" },
			]);
		},
	);

	oneIn(3)(
		"an import reports refused lines and imports the others",
		async () => {
			await openOwnShop();
			const file = csv(
				"name,sku,price",
				"Milk,001,65",
				"Tea,002,cheap",
				"Milk again,001,66",
				",003,5",
				"Sugar,004,-5",
				"Salt,005,20",
			);
			const refused = join(testDir(), "refused.csv");
			const result = await run([
				"import",
				"products",
				file,
				"--refused",
				refused,
			]);
			expect(result).toMatchObject({
				status: 1,
				out: "created 2, updated 0, unchanged 0, refused 4\n",
			});
			expect(result.err.split("\n").slice(0, 4)).toEqual([
				expect.stringMatching(/^line 3: sellingPrice: .*cheap/),
				expect.stringMatching(/^line 4: The same product is on line 2/),
				expect.stringMatching(/^line 5: name: /),
				expect.stringMatching(/^line 6: sellingPrice: /),
			]);
			expect(readFileSync(refused, "utf8").split("\r\n")[1]).toBe(
				'"Tea","002","cheap","3","sellingPrice: ""cheap"" is not a number like 1250.5"',
			);
			const dry = await run([
				"import",
				"products",
				csv("name", "New"),
				"--dry-run",
			]);
			expect(dry.out).toBe(
				"Would have created 1, updated 0, unchanged 0, refused 0\n",
			);
			expect(await rows("SELECT name FROM products")).toHaveLength(2);
		},
	);

	oneIn(3)(
		"a file that can't be imported is explained in one line",
		async () => {
			expect(await run(["import", "products", "none.csv"])).toMatchObject({
				status: 1,
				err: expect.stringMatching(/^Can't read \S*none\.csv/),
			});
			const file = csv("name", "Milk");
			expect(await run(["import", "products", file])).toMatchObject({
				status: 1,
				err: expect.stringMatching(/^There is no shop in .+\n$/),
			});
			await openOwnShop();
			expect(
				await run(["import", "products", csv("price", "5")]),
			).toMatchObject({
				status: 1,
				err: "The header has no column for the product name. Its columns are: price\n",
			});
			await createUser("b@example.com", "--business-name", "Second");
			expect(await run(["import", "products", file])).toMatchObject({
				status: 1,
				err: expect.stringMatching(
					/choose one with --business ID:\n {2}\S+ {2}Duka\n {2}\S+ {2}Second\n$/,
				),
			});
		},
	);

	oneIn(6)(
		`an import of ${lineCount} lines that was killed resumes with the same file and creates each product once`,
		async () => {
			await openOwnShop();
			const lines = Array.from(
				{ length: lineCount },
				(_, i) => `Product ${i},${String(i).padStart(8, "0")},${i / 100}`,
			);
			const file = csv("name,sku,price", ...lines);
			const child = startCommand(["import", "products", file], env());
			const countOf = async () =>
				Number((await rows("SELECT count(*) AS n FROM products"))[0]?.n);
			await vi.waitUntil(async () => (await countOf()) > 0, {
				...{ timeout: 60_000, interval: 5 },
			});
			child.kill("SIGKILL");
			await once(child, "exit");
			const made = await countOf();
			expect(made).toBeLessThan(lineCount);
			const whole = await run(["import", "products", file]);
			expect(whole.out).toBe(
				`created ${lineCount - made}, updated 0, unchanged ${made}, refused 0\n`,
			);
			expect(await rows("SELECT count(*) AS count FROM products")).toEqual([
				{ count: lineCount },
			]);
		},
	);

	oneIn(3).skipIf(!existsSync(foods))(
		"10,220 real names and barcodes are imported verbatim (skipped without the data set)",
		async () => {
			await openOwnShop();
			expect((await run(["import", "products", foods])).out).toBe(
				"created 10220, updated 0, unchanged 0, refused 0\n",
			);
			const before = await digest();
			expect((await run(["import", "products", foods])).out).toBe(
				"created 0, updated 0, unchanged 10220, refused 0\n",
			);
			expect(await digest()).toBe(before);
			const zeros = await rows(
				"SELECT count(*) AS count FROM products WHERE sku LIKE '0%'",
			);
			const expected = readFileSync(foods, "utf8")
				.split("\n")
				.filter((line) => line.startsWith("0")).length;
			expect(zeros).toEqual([{ count: expected }]);
		},
	);
});
