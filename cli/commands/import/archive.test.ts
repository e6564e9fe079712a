import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { twoShops } from "../../../server/test-server.ts";
import { testDir } from "../../../sync/test-shop.ts";

const main = join(import.meta.dirname, "../../main.js");

test("a shop moves to another machine as one file, beside a server that runs", async () => {
	const { server, asha } = await twoShops();
	const run = (dataDir: string, ...args: string[]) => {
		const { status, stdout, stderr } = spawnSync(
			process.execPath,
			[main, ...args],
			{ env: { PATH: process.env.PATH, DATA_DIR: dataDir }, encoding: "utf8" },
		);
		return { status, out: stdout, err: stderr };
	};
	const here = server.settings.dataDir;
	const there = join(testDir(), "new/data");
	const file = join(testDir(), "shop.zip");
	const out = ["--out", file, "--business", asha.businessId];
	const made = run(here, "export", "all", ...out, "--json");
	expect(made).toMatchObject({ status: 0, err: "" });
	const { digest } = await server.shop.digest(asha.caller);
	expect(JSON.parse(made.out)).toMatchObject({ digest });
	// It holds the hashes of passwords.
	expect(statSync(file).mode & 0o777).toBe(0o600);

	const read = run(there, "import", "archive", file);
	expect(read).toMatchObject({ status: 0, err: "" });
	expect(read.out).toMatch(/^FILE +RECORDS\n/);
	expect(read.out).toContain(`digest ${digest}`);
	const stock = run(there, "export", "stock", "--json");
	expect(JSON.parse(stock.out)).toMatchObject({ name: "Milk", quantity: 10 });

	expect(run(there, "import", "archive", file)).toMatchObject({
		status: 1,
		err: expect.stringMatching(/Its shop is here already: Asha's shop.*\n$/),
	});
	expect(run(there, "import", "archive", "none.zip")).toMatchObject({
		status: 1,
		err: expect.stringMatching(/^none\.zip can't be read\. .+\n$/),
	});
});
