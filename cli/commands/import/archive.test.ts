import { once } from "node:events";
import {
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { twoShops } from "../../../server/testing/server.ts";
import { productCreate } from "../../../sync/entities/product.ts";
import { readDigest } from "../../../sync/feed/feed.ts";
import { oneIn } from "../../../sync/testing/lane.ts";
import { testDir } from "../../../sync/testing/shop.ts";
import {
	runCommand,
	runningFirst,
	startCommand,
} from "../../testing/command.ts";

test("an archive exported while the server runs moves a shop to another machine", async () => {
	const { server, asha } = await twoShops();
	const run = (dataDir: string, ...args: string[]) =>
		runCommand(args, { DATA_DIR: dataDir });
	const here = server.settings.dataDir;
	const there = join(testDir(), "new/data");
	const file = join(testDir(), "shop.zip");
	const out = ["--out", file, "--business", asha.businessId];
	const made = await run(here, "export", "all", ...out, "--json");
	expect(made).toMatchObject({ status: 0, err: "" });
	const digest = await server.shop.store.read((tx) =>
		readDigest(tx, asha.businessId),
	);
	expect(JSON.parse(made.out)).toMatchObject({ digest });
	// The archive contains password hashes.
	expect(statSync(file).mode & 0o777).toBe(0o600);

	const read = await run(there, "import", "archive", file);
	expect(read).toMatchObject({ status: 0, err: "" });
	expect(read.out).toMatch(/^FILE +RECORDS\n/);
	expect(read.out).toContain(`digest ${digest}`);
	const stock = await run(there, "export", "stock", "--json");
	expect(JSON.parse(stock.out)).toMatchObject({ name: "Milk", quantity: 10 });

	expect(await run(there, "import", "archive", file)).toMatchObject({
		status: 1,
		err: expect.stringMatching(/already has its shop: Asha's shop.*\n$/),
	});
	expect(await run(there, "import", "archive", "none.zip")).toMatchObject({
		status: 1,
		err: expect.stringMatching(/^Can't import none\.zip: .+\n$/),
	});
});

async function archiveOfShop(products: number): Promise<string> {
	const { server, asha } = await twoShops();
	for (let n = 0; n < products; n += 1)
		await server.shop.mutate(asha.caller, productCreate, {
			id: `p${n}`,
			name: `Product ${n}`,
			buyingPrice: 1,
			sellingPrice: 2,
		});
	const file = join(testDir(), "shop.zip");
	const out = ["--out", file, "--business", asha.businessId];
	const env = { DATA_DIR: server.settings.dataDir };
	const made = await runCommand(["export", "all", ...out], env);
	expect(made).toMatchObject({ status: 0, err: "" });
	return file;
}

describe("a failed import into a new installation", () => {
	test("a failed import removes what it created, whether DATA_DIR existed before or not", async () => {
		const file = await archiveOfShop(1);
		const damaged = join(testDir(), "damaged.zip");
		const bytes = readFileSync(file);
		const at = bytes.lastIndexOf(
			"members.jsonl",
			bytes.indexOf("manifest.json"),
		);
		bytes[at + 60] = (bytes[at + 60] as number) ^ 0xff;
		writeFileSync(damaged, bytes);
		for (const wrong of [join(testDir(), "none.zip"), damaged]) {
			const parent = testDir();
			const there = join(testDir(), "there");
			mkdirSync(there);
			for (const DATA_DIR of [join(parent, "new", "data"), there])
				expect(
					await runCommand(["import", "archive", wrong], { DATA_DIR }),
				).toMatchObject({
					status: 1,
					out: "",
					err: expect.stringMatching(/^Can't import .+: It is .+\n$/),
				});
			expect(readdirSync(parent)).toEqual([]);
			expect(readdirSync(there)).toEqual([]);
		}
		// An existing shop stays, with its secret.
		const DATA_DIR = join(testDir(), "kept");
		await runCommand(["import", "archive", file], { DATA_DIR });
		const kept = ["auth-secret", "counterfoil.db"];
		expect(readdirSync(DATA_DIR).sort()).toEqual(kept);
		const again = await runCommand(["import", "archive", file], { DATA_DIR });
		expect(again.status).toBe(1);
		expect(readdirSync(DATA_DIR).sort()).toEqual(kept);
	});

	oneIn(3)("a stopped import removes what it created", async () => {
		const file = await archiveOfShop(1);
		const parent = testDir();
		const DATA_DIR = join(parent, "data");
		const stopsOnceCreated = `import fs from "node:fs";
			import { syncBuiltinESMExports } from "node:module";
			const { openSync } = fs;
			fs.openSync = (path, ...more) => {
				if (String(path).endsWith("counterfoil.db")) process.kill(process.pid, "SIGINT");
				return openSync(path, ...more);
			};
			syncBuiltinESMExports();`;
		const child = startCommand(["import", "archive", file], {
			...{ DATA_DIR, ...runningFirst(stopsOnceCreated) },
		});
		const err = child.stderr.setEncoding("utf8").toArray();
		await once(child, "exit");
		expect((await err).join("")).toBe(`Stopped; ${file} was not imported\n`);
		expect(child.exitCode).toBe(1);
		expect(readdirSync(parent)).toEqual([]);
	});
});
