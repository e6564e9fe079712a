import { once } from "node:events";
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openTestServer } from "../../server/testing/server.ts";
import { openMilkShop, openTestTill } from "../../server/testing/tills.ts";
import { oneIn } from "../../sync/testing/lane.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { writeMembership, writeName } from "../../sync/till/local-members.ts";
import { runningFirst, startCommand, testCommand } from "../testing/command.ts";

/**
 * A till with an unsent sale, which knows a cashier by name.
 *
 * @param windowDay the first day of its window
 */
async function openTillFile(windowDay: string | null = null): Promise<string> {
	const { asha, line } = await openMilkShop();
	const { till, store, file, sell } = await openTestTill(asha, line);
	await sell(1);
	await till.sync();
	await sell(2);
	await store.write(async (tx) => {
		const at = "2026-01-01T00:00:00.000Z";
		await writeName(tx, { id: "chege-1", name: "Chege" }, at);
		const chege = { id: "chege-1", role: "CASHIER" as const };
		await writeMembership(tx, asha.businessId, chege, at);
		await tx.run("UPDATE replica SET window_day = ?", windowDay);
	});
	return file;
}

const owner = ["--email", "asha@example.com", "--name", "Asha"];
const argsFor = (file: string) => [
	...["restore", "--from-till", file, ...owner, "--password-stdin"],
];

describe("counterfoil restore --from-till", () => {
	test("a server built from a till has its sales, a sound log and an owner, and replaces no other shop", async () => {
		const file = await openTillFile();
		const dataDir = testDir();
		// All that is left of the lost server.
		writeFileSync(join(dataDir, "auth-secret"), "s".repeat(64));
		const run = testCommand({ dataDir });
		const built = await run(argsFor(file), "correct horse\n");
		expect(built).toMatchObject({
			status: 0,
			out: expect.stringMatching(
				/^Built a server in \S+ for Asha's shop from \S+, which last synced at \S+Z: 2 sales\n$/,
			),
			err: [
				"Start the server and sign in as asha@example.com on every till: each sends what is missing here",
				'Chege (CASHIER) needs an email and a password: "counterfoil user email chege-1 EMAIL", "counterfoil user password EMAIL"',
				"",
			].join("\n"),
		});
		expect(readdirSync(dataDir)).toEqual(["auth-secret", "counterfoil.db"]);
		expect((await run(["log", "verify"])).status).toBe(0);

		const root = testCommand({ dataDir, env: { ADMIN_EMAILS: owner[1] } });
		expect(await root(argsFor(file), "correct horse\n")).toMatchObject({
			status: 1,
			err: expect.stringContaining("asha@example.com is in ADMIN_EMAILS"),
		});
		const again = await run(argsFor(file), "correct horse\n");
		expect([again.status, again.err]).toEqual([
			1,
			expect.stringMatching(/^There is already a shop in .+ use --force/),
		]);
	});

	test("a server built from a till with a window names the first day of its sales", async () => {
		const file = await openTillFile("2026-08-19");
		const run = testCommand({ dataDir: testDir() });
		const built = await run(argsFor(file), "correct horse\n");
		expect(built).toMatchObject({
			status: 0,
			err: expect.stringMatching(
				/^\S+ lacks sales from before 2026-08-19\. Stock and debts count them; /,
			),
		});
	});

	oneIn(3)(
		"a member of whom the till knows no email gets one, and a password, and can sign in",
		async () => {
			const file = await openTillFile();
			const dataDir = testDir();
			const run = testCommand({ dataDir });
			await run(argsFor(file), "correct horse\n");
			const taken = await run(["user", "email", "chege-1", "asha@example.com"]);
			expect([taken.status, taken.err]).toEqual([
				1,
				"An account with that email already exists\n",
			]);
			expect(
				await run(["user", "email", "chege-1", "no address"]),
			).toMatchObject({
				status: 1,
				err: expect.stringContaining("Enter a valid email address"),
			});
			const named = await run([
				"user",
				"email",
				"chege-1",
				"Chege@example.com",
			]);
			expect(named).toMatchObject({
				status: 0,
				err: "Chege signs in as chege@example.com now\n",
			});
			await run(
				["user", "password", "chege@example.com", "--password-stdin"],
				"battery staple",
			);
			const server = await openTestServer({
				DATABASE_URL: "",
				DATA_DIR: dataDir,
			});
			for (const [email, password] of [
				["asha@example.com", "correct horse"],
				["chege@example.com", "battery staple"],
			]) {
				const { status } = await server.ask("POST", "/api/auth/mobile-login", {
					body: { email, password },
				});
				expect(status).toBe(200);
			}
		},
	);

	oneIn(3)(
		"a restore from a till that is killed leaves no shop, and a later one succeeds",
		async () => {
			const file = await openTillFile();
			const dataDir = join(testDir(), "data");
			const diesBeforeTheEnd = `import fs from "node:fs/promises";
				import { syncBuiltinESMExports } from "node:module";
				fs.rename = () => process.kill(process.pid, "SIGKILL");
				syncBuiltinESMExports();`;
			const child = startCommand(argsFor(file), {
				...{ DATA_DIR: dataDir, ...runningFirst(diesBeforeTheEnd) },
			});
			child.stdin.end("correct horse\n");
			expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
			const left = readdirSync(dataDir);
			expect(left).toContain(".restoring.db");
			expect(left).not.toContain("counterfoil.db");
			for (const name of left) utimesSync(join(dataDir, name), 1, 1);
			const run = testCommand({ dataDir });
			expect((await run(argsFor(file), "correct horse\n")).status).toBe(0);
			expect(readdirSync(dataDir)).toEqual(["counterfoil.db"]);
		},
	);

	test("wrong usage of restore --from-till exits with 2 and says what is missing", async () => {
		const run = testCommand();
		for (const [args, reason] of [
			[["--from-till", "till.db"], /needs --email and --name/],
			[["backup.db", "--from-till", "till.db", ...owner], /Name either/],
			[["backup.db", ...owner], /belong to --from-till/],
		] as const) {
			const { status, err } = await run(["restore", ...args]);
			expect([status, err]).toEqual([2, expect.stringMatching(reason)]);
		}
	});
});
