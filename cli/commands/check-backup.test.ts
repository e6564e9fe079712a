import { describe, expect, test } from "vitest";
import { databaseFile } from "../../server/operations/database.ts";
import {
	inFile,
	openTestServer,
	testDatabase,
} from "../../server/testing/server.ts";
import { openMilkShop, openTestTill } from "../../server/testing/tills.ts";
import { productCreate } from "../../sync/entities/product.ts";
import { openPostgres } from "../../sync/store/postgres.ts";
import { oneIn } from "../../sync/testing/lane.ts";
import {
	hasPostgres,
	makeDatabase,
	wherePostgres,
} from "../../sync/testing/postgres.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { copyTestStore, urlOfFile } from "../../sync/testing/store.ts";
import { checkServerDatabase } from "../doctor/database.ts";
import { runCommand } from "../testing/command.ts";

/** A shop on PostgreSQL that sells milk, with functions to dump and restore its database. */
async function open() {
	const dataDir = testDir();
	const env = await testDatabase(dataDir, "postgres");
	const { server, asha } = await openMilkShop({ DATA_DIR: dataDir, ...env });
	return {
		server,
		asha,
		url: env.DATABASE_URL as string,
		/** @returns the address of the restored database */
		async restored(): Promise<string> {
			const file = databaseFile({ dataDir: testDir() });
			await copyTestStore(server.shop.store, databaseFile({ dataDir }), file);
			return urlOfFile(file);
		},
		check: (url: string, ...more: string[]) =>
			runCommand(["check-backup", url, ...more], { DATA_DIR: dataDir, ...env }),
		reach: () => server.rows("SELECT backed_up_to FROM businesses"),
	};
}

async function change(url: string, sql: string): Promise<void> {
	const store = await openPostgres(url);
	await store.write((tx) => tx.run(sql));
	await store.close();
}

const refusal = (err: RegExp) => ({
	status: 1,
	out: "",
	err: expect.stringMatching(err),
});

describe.skipIf(!hasPostgres)(
	`counterfoil check-backup ${wherePostgres}`,
	() => {
		oneIn(3)(
			"an intact restored backup lets tills delete the mutations that it covers, while they keep selling",
			async () => {
				const { server, asha, url, restored, check, reach } = await open();
				const { till, store, sell } = await openTestTill(asha, {
					url: server.url,
				});
				await sell(1);
				await till.sync();
				const backup = await restored();
				const [{ head } = {}] = await server.rows(
					"SELECT head FROM businesses",
				);
				await sell(1);
				await till.sync();
				const doctor = async () =>
					(await checkServerDatabase(url, "db", server.shop.env.now())).find(
						({ name }) => name === "backups",
					);
				expect(await doctor()).toMatchObject({
					state: "warning",
					found: "there are none",
				});

				const done = await check(backup, "--json");
				expect(done).toMatchObject({ status: 0, err: "" });
				expect(JSON.parse(done.out)).toMatchObject({
					at: expect.stringMatching(/Z$/),
					businesses: [{ businessId: asha.businessId, head }],
				});
				expect(await reach()).toEqual([{ backed_up_to: head }]);
				expect(await doctor()).toMatchObject({
					state: "ok",
					found: expect.stringMatching(/, 1 changes behind$/),
				});

				// A month later the till deletes the mutations that the backup covers and keeps the later ones.
				const kept = () =>
					store.read((tx) =>
						tx.all(
							"SELECT server_version > ? AS after FROM outbox",
							Number(head),
						),
					);
				expect(await kept()).toHaveLength(2);
				await store.write((tx) =>
					tx.run("UPDATE outbox SET answered_at = '2020-01-01T00:00:00.000Z'"),
				);
				await till.sync();
				expect(await kept()).toEqual([{ after: 1 }]);
			},
		);

		oneIn(3)(
			"a database that is not an intact backup of the shop is refused, and tills keep all mutations",
			async () => {
				const { server, asha, url, restored, check, reach } = await open();
				expect(await check(url)).toMatchObject(
					refusal(/^This is the shop's own database/),
				);
				expect(await check(await makeDatabase())).toMatchObject(
					refusal(/^This is not a backup of this shop/),
				);
				const empty = await makeDatabase("empty");
				expect(await check(empty)).toMatchObject(
					refusal(/^This database has schema none/),
				);
				const altered = await restored();
				await change(altered, "UPDATE products SET quantity = 1");
				expect(await check(altered)).toMatchObject(
					refusal(/differs from the shop at version 2; make another one\n$/),
				);
				// Rows changed since the backup can't be compared, but the log still can.
				const older = await restored();
				await server.shop.mutate(asha.caller, productCreate, {
					id: "bread",
					name: "Bread",
					buyingPrice: 1,
					sellingPrice: 2,
				});
				await change(older, "DELETE FROM stored_mutations");
				expect(await check(older)).toMatchObject(
					refusal(/differs from the shop/),
				);
				expect(await check("mysql://shop:hunter2@db/shop")).toMatchObject(
					refusal(/^The backup must be a postgres:/),
				);
				expect(await reach()).toEqual([{ backed_up_to: 0 }]);
			},
		);

		test("check-backup refuses a shop in a file and points to counterfoil backup", async () => {
			const { settings } = await openTestServer(inFile);
			const env = { DATA_DIR: settings.dataDir };
			expect(
				await runCommand(["check-backup", "postgres://db/shop"], env),
			).toMatchObject(
				refusal(/"counterfoil backup" makes and checks its backups\n$/),
			);
		});
	},
);
