import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { databaseFile } from "../../server/operations/database.ts";
import {
	inFile,
	openTestServer,
	type TestServer,
	type TestUser,
} from "../../server/testing/server.ts";
import { productCreate } from "../../sync/entities/product.ts";
import { saleCreate } from "../../sync/entities/sale.ts";
import { readDigest } from "../../sync/feed/feed.ts";
import { newId } from "../../sync/protocol/ids.ts";
import type { PushResponse } from "../../sync/protocol/protocol.ts";
import { httpTransport } from "../../sync/replica/http.ts";
import { openReplica } from "../../sync/replica/replica.ts";
import { openSqlite } from "../../sync/store/sqlite.ts";
import { oneIn } from "../../sync/testing/lane.ts";
import {
	hasPostgres,
	makeDatabase,
	wherePostgres,
} from "../../sync/testing/postgres.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { runCommand } from "../testing/command.ts";

/** A till that records the pages it receives. */
async function openTill(asha: TestUser, line: { url: string }) {
	const store = await openSqlite(join(testDir(), "till.db"));
	onTestFinished(() => store.close());
	const answers: PushResponse[] = [];
	const wire = (baseUrl: string) =>
		httpTransport({
			baseUrl,
			businessId: asha.businessId,
			token: () => asha.bearer.replace("Bearer ", ""),
		});
	// It joins by the feed, whose rows are counted.
	const {
		snapshot: _,
		olderFacts: __,
		...feed
	} = wire("http://server.example");
	const till = await openReplica({
		store,
		businessId: asha.businessId,
		transport: {
			...feed,
			push: async (request) => {
				const answer = await wire(line.url).push(request);
				answers.push(answer);
				return answer;
			},
			pull: (cursor, limit) => wire(line.url).pull(cursor, limit),
		},
	});
	return {
		till,
		async sell() {
			const item = { id: "1", name: "Milk", productId: "milk" };
			await till.mutate(asha.caller, saleCreate, {
				id: newId(till.env),
				items: [{ ...item, quantity: 1, price: 100, cost: 60 }],
			});
		},
		/** @returns the number of rows received since the last call, and whether the feed was reset */
		fetched() {
			const came = answers.splice(0);
			return {
				rows: came.flatMap(({ changes }) => changes ?? []).length,
				reset: came.some(({ reset }) => reset),
			};
		},
	};
}

/** The digest that a move compares: unlike a till's, it counts every column. */
const everyColumnOf = ({ shop }: TestServer, { caller }: TestUser) =>
	shop.store.read((tx) => readDigest(tx, caller.businessId));

describe.skipIf(!hasPostgres)(
	`counterfoil migrate-store ${wherePostgres}`,
	() => {
		oneIn(3)(
			"a shop moves to PostgreSQL and back, and its tills fetch only new changes",
			async () => {
				const file = await openTestServer(inFile);
				const { dataDir } = file.settings;
				const asha = await file.addUser("Asha");
				for (let i = 0; i < 40; i += 1)
					await file.shop.mutate(asha.caller, productCreate, {
						id: i === 0 ? "milk" : `p${i}`,
						name: `Product ${i}`,
						buyingPrice: 60,
						sellingPrice: 100,
						quantity: 100,
					});
				const line = { url: file.url };
				const tills = [await openTill(asha, line), await openTill(asha, line)];
				const sync = async () => {
					for (const { till } of [...tills, ...tills]) await till.sync();
				};
				await sync();
				for (const { sell } of tills) await sell();
				await sync();
				for (const { fetched } of tills) fetched();

				const move = async (from: string, to: string, ...more: string[]) => {
					const args = ["migrate-store", "--from", from, "--to", to, ...more];
					return runCommand(args, { DATA_DIR: dataDir });
				};
				const goOn = async (env: NodeJS.ProcessEnv) => {
					// Sold offline during the move.
					for (const { sell } of tills) await sell();
					const server = await openTestServer({ DATA_DIR: dataDir, ...env });
					line.url = server.url;
					await sync();
					const { digest } = await server.shop.digest(asha.caller);
					const whole = await everyColumnOf(server, asha);
					for (const { till, fetched } of tills) {
						expect(await till.digest()).toBe(digest);
						expect(await till.status()).toMatchObject({
							pending: 0,
							rejected: 0,
						});
						// The two sales, and no product.
						expect(fetched()).toMatchObject({ rows: 2, reset: false });
					}
					return { server, whole };
				};

				const sqlite = `sqlite:${databaseFile({ dataDir })}`;
				const postgres = await makeDatabase("empty");
				expect(await move(sqlite, postgres)).toMatchObject({
					status: 1,
					out: "",
					err: expect.stringMatching(
						/^A server or another program is using .*counterfoil\.db; stop it first\n$/,
					),
				});
				const held = await everyColumnOf(file, asha);
				await file.close();
				const there = await move(sqlite, postgres);
				expect(there).toMatchObject({
					status: 0,
					err: expect.stringMatching(
						/^Start the server with DATABASE_URL.*\n$/,
					),
					out: expect.stringContaining(`${held}\nMoved `),
				});
				const moved = await goOn({ DATABASE_URL: postgres });
				await moved.server.close();

				const folder = testDir();
				const back = await move(
					postgres,
					`sqlite:${databaseFile({ dataDir: folder })}`,
					"--json",
				);
				const { businesses } = JSON.parse(back.out);
				expect(businesses).toEqual([
					{
						businessId: asha.businessId,
						name: "Asha's shop",
						head: expect.any(Number),
						digest: moved.whole,
					},
				]);
				await goOn({ ...inFile, DATA_DIR: folder });
			},
		);

		test("a refused move is explained in one line that contains no password", async () => {
			const secret = "postgres://shop:hunter2@127.0.0.1:1/shop";
			const run = (from: string, to: string) =>
				runCommand(["migrate-store", "--from", from, "--to", to], {});
			const ended = [
				await run(secret, "sqlite:a.db"),
				await run("mysql://shop:hunter2@db/shop", secret),
			];
			expect(ended.map(({ status }) => status)).toEqual([1, 2]);
			for (const { out, err } of ended) {
				expect(out).toBe("");
				expect(err).toMatch(/^.+\n$/);
				expect(err).not.toContain("hunter2");
			}
			expect(ended[0]?.err).toContain(
				"postgres://127.0.0.1:1/shop: The database can't be reached",
			);
			expect(ended[1]?.err).toContain(
				"--from must be sqlite:FILE or postgres://",
			);
		});
	},
);
