import { join } from "node:path";
import { expect, test } from "vitest";
import { newestVersion } from "../../sync/store/migrate.ts";
import { olderVersions } from "../../sync/testing/older-schema.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { lookUp, makeOldShop, schemaOf } from "../testing/old-shop.ts";
import { inFile, openTestServer } from "../testing/server.ts";

test.each(olderVersions)(
	"a server starts on a database of schema %i, takes a sale, and keeps a copy of the old one",
	async (version) => {
		const dataDir = join(testDir(), "data");
		const file = makeOldShop(dataDir, version);
		const server = await openTestServer({ ...inFile, DATA_DIR: dataDir });
		expect(await server.ask("GET", "/readyz")).toMatchObject({
			status: 200,
			body: { schema: newestVersion() },
		});
		const njeri = await server.addUser("Njeri", {
			...{ businessId: "shop-1", role: "OWNER" },
		});
		const items = [{ name: "Milk", quantity: 2, price: 65, cost: 58 }];
		expect(
			await server.ask("POST", "/api/sales", { as: njeri, body: { items } }),
		).toMatchObject({ status: 201, body: { total: 130 } });
		await server.close();
		const copy = join(
			dataDir,
			`counterfoil-before-schema-${newestVersion()}.db`,
		);
		expect([
			schemaOf(copy),
			lookUp(copy, "SELECT name FROM businesses"),
		]).toEqual([version, "Duka"]);
		expect(lookUp(file, "SELECT count(*) FROM sales")).toBe(1);
	},
);
