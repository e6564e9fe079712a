import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import { oneIn } from "../../sync/testing/lane.ts";
import {
	hasPostgres,
	makeDatabase,
	wherePostgres,
} from "../../sync/testing/postgres.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { checkServerDatabase } from "../doctor/database.ts";
import { runCommand, startCommand } from "../testing/command.ts";

describe.skipIf(!hasPostgres)(
	`counterfoil with DATABASE_URL ${wherePostgres}`,
	() => {
		oneIn(3)(
			"a server fills an empty PostgreSQL database, which the next server and the commands can use",
			async () => {
				const env = {
					DATA_DIR: join(testDir(), "data"),
					DATABASE_URL: await makeDatabase("empty"),
					PORT: "0",
					AUTH_SECRET: "a secret of a test, long enough to be one",
				};
				const account = {
					email: "njeri@example.com",
					password: "correct horse",
				};
				const first = await serve(env);
				const made = await post(first.url, "/api/auth/register", {
					...account,
					name: "Njeri",
					businessName: "Duka",
				});
				expect(made.status).toBe(201);
				await first.end();
				const second = await serve(env);
				const signedIn = await post(
					second.url,
					"/api/auth/mobile-login",
					account,
				);
				expect(signedIn.status).toBe(200);
				const stats = await runCommand(["stats", "--json"], env);
				expect(JSON.parse(stats.out)).toMatchObject({
					installation: { businesses: 1, users: 1 },
					businesses: [{ name: "Duka", firstSale: null }],
				});
				await second.end();
			},
		);

		test.each([
			[["backup", "--out", "somewhere"], /pg_dump/],
			[["restore", "some.db"], /pg_restore/],
		])(
			"%j on PostgreSQL points to the right tool in one line",
			async (args, what) => {
				const { status, out, err } = await runCommand(args, {
					DATA_DIR: testDir(),
					DATABASE_URL: "postgres://shop:hunter2@db/shop",
				});
				expect({ status, out }).toEqual({ status: 1, out: "" });
				expect(err).toMatch(what);
				expect(err.trim().split("\n")).toHaveLength(1);
				expect(err).not.toContain("hunter2");
			},
		);

		test("restore without a file starts a new epoch in a database restored by pg_restore", async () => {
			const url = await makeDatabase();
			const { openPostgres } = await import("../../sync/store/postgres.ts");
			const epoch = async () => {
				const store = await openPostgres(url);
				const row = await store.read((tx) =>
					tx.get("SELECT value FROM meta WHERE key = 'epoch'"),
				);
				await store.close();
				return row?.value;
			};
			const before = await epoch();
			const env = { DATA_DIR: testDir(), DATABASE_URL: url };
			expect(await runCommand(["restore"], env)).toMatchObject({ status: 0 });
			expect(await epoch()).not.toBe(before);
		});

		test("doctor checks a PostgreSQL server without changing it or printing its password", async () => {
			const now = Date.parse("2026-11-20T09:00:00.000Z");
			const url = await makeDatabase();
			const found = await checkServerDatabase(url, "postgres://db/shop", now);
			// The test server runs with fsync off.
			expect(found.find(({ name }) => name === "database")).toMatchObject({
				state: "problem",
				found: expect.stringMatching(/PostgreSQL \d+; it confirms/),
			});
			expect(found.find(({ name }) => name === "schema")?.state).toBe("ok");
			const empty = await makeDatabase("empty");
			for (const _look of [1, 2])
				expect(
					(await checkServerDatabase(empty, "db", now)).find(
						({ name }) => name === "schema",
					)?.found,
				).toBe("the database is empty");
			const [, away] = await checkServerDatabase(
				"postgres://shop:hunter2@127.0.0.1:1/shop",
				"postgres://127.0.0.1:1/shop",
				now,
			);
			expect(away).toMatchObject({ name: "database", state: "problem" });
			expect(JSON.stringify(away)).not.toContain("hunter2");
		});
	},
);

async function serve(env: NodeJS.ProcessEnv) {
	const child = startCommand(["serve"], env);
	const lines = createInterface({ input: child.stdout });
	const [line] = (await once(lines, "line")) as [string];
	return {
		url: /http:\/\/\S+/.exec(line)?.[0] as string,
		async end() {
			child.kill("SIGTERM");
			await once(child, "exit");
		},
	};
}

function post(url: string, path: string, body: object) {
	return fetch(new URL(path, url), {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify(body),
	});
}
