import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openTestServer } from "../../server/testing/server.ts";
import { runCommand } from "../testing/command.ts";

/** Runs commands while a server runs on the same data. */
async function open() {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	const { dataDir } = server.settings;
	const run = (...args: string[]) =>
		runCommand(["key", ...args], { DATA_DIR: dataDir });
	return { server, asha, run };
}

const asked = (key: string) => ({
	headers: { authorization: `Bearer ${key}` },
});

test("a new key works at once, is listed without its secret, and stops working within a second of being revoked", async () => {
	const { server, run } = await open();
	const made = await run(
		"create",
		"--name",
		"Report",
		"--monthly-budget",
		"0.5",
	);
	expect(made.status).toBe(0);
	const key = made.out.trim();
	expect(key).toMatch(/^cfk_[\w-]{43}$/);
	expect((await server.ask("GET", "/v1/models", asked(key))).status).toBe(200);

	const [listed] = JSON.parse((await run("list", "--json")).out);
	expect(listed).toMatchObject({ name: "Report", monthlyBudget: 0.5 });
	const table = await run("list");
	expect(table.out).toMatch(/^ID +NAME +HINT/);
	expect(table.out).not.toContain(key);

	expect((await run("revoke", listed.id)).status).toBe(0);
	// A server may not notice for so long what another process changed.
	await sleep(1_000);
	expect((await server.ask("GET", "/v1/models", asked(key))).status).toBe(401);
	expect(await run("revoke", listed.id)).toMatchObject({
		status: 1,
		err: expect.stringContaining("There is no active key"),
	});
});

test("an invalid key request is explained in one line and creates nothing", async () => {
	const { server, run } = await open();
	expect((await run("create")).err).toContain("--name");
	expect((await run("create", "--name", " ")).status).toBe(1);
	for (const budget of ["-1", "much", ""])
		expect(
			(await run("create", "--name", "x", "--monthly-budget", budget)).status,
		).toBe(2);
	expect(await run("list")).toMatchObject({
		status: 0,
		out: "",
		err: "There are no keys yet\n",
	});
	expect(await server.rows("SELECT * FROM api_keys")).toEqual([]);
});
