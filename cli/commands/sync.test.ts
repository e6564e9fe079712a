import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import counterfoil from "../../package.json" with { type: "json" };
import { openMilkShop, openTestTill } from "../../server/testing/tills.ts";
import { productCreate } from "../../sync/entities/product.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { runCommand } from "../testing/command.ts";
import { serverAddress, tokenFor } from "./sign-in.ts";

/** A till's database for the commands to work on, and its server. */
async function open() {
	const shop = await openMilkShop();
	const till = await openTestTill(shop.asha, shop.line);
	const run = (what: string, env: NodeJS.ProcessEnv = {}) =>
		runCommand(["sync", ...what.split(" "), "--database", till.file], {
			XDG_CONFIG_HOME: testDir(),
			COUNTERFOIL_TOKEN: shop.asha.bearer.replace("Bearer ", ""),
			...env,
		});
	return { ...shop, till, run, to: `--server ${shop.server.url}` };
}

test("sync status shows a till's pending mutations, push sends them, and pull fetches changes", async () => {
	const { server, asha, till, run, to } = await open();
	const sale = await till.sell(2);
	await server.shop.mutate(asha.caller, productCreate, {
		id: "bread",
		name: "Bread",
		buyingPrice: 1,
		sellingPrice: 2,
	});
	const status = JSON.parse((await run("status --json")).out);
	expect(status).toMatchObject({
		businessId: asha.businessId,
		pending: 1,
		rejected: 0,
		refusals: [],
	});
	const pushed = await run(`push ${to} --json`);
	expect(pushed).toMatchObject({ status: 0, err: "" });
	expect(JSON.parse(pushed.out)).toMatchObject({ pending: 0, rejected: 0 });
	expect(await server.rows("SELECT id FROM sales")).toEqual([{ id: sale }]);
	expect(await server.rows("SELECT program FROM devices")).toEqual([
		{ program: counterfoil.version },
	]);
	const { digest } = await server.shop.digest(asha.caller);
	expect(await till.till.digest()).toBe(digest);
	expect((await run("status")).out).toMatch(/^prefix +[A-Z]{4}$/m);

	// The server's side of it.
	const { dataDir, databaseUrl = "" } = server.settings;
	const place = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
	const listed = await runCommand(["device", "list"], place);
	expect(listed.out).toMatch(
		/^TILL +ID +\w+ +VERSION +UNSENT +BEHIND .+\n[A-Z]{4} +\S+ +\d{4}-\S+Z +[\d.]+ +0 +0 /,
	);
});

test("sync verify reports that a till matches its server or lists the rows that differ [DIGEST-4]", async () => {
	const { server, asha, till, run, to } = await open();
	expect(await run(`verify ${to}`)).toMatchObject({
		status: 0,
		out: expect.stringMatching(/^The till matches /),
	});
	const sale = await till.sell(1);
	await server.shop.mutate(asha.caller, productCreate, {
		id: "bread",
		name: "Bread",
		buyingPrice: 1,
		sellingPrice: 2,
	});
	const before = await till.till.digest();
	const off = await run(`verify ${to} --json`);
	expect(off.status).toBe(1);
	const { differences, ...rest } = JSON.parse(off.out);
	expect(rest).toEqual({ inStep: false, pending: 1 });
	expect(differences).toEqual(
		expect.arrayContaining([
			{
				entity: "product",
				id: "milk",
				where: "both",
				// Each side's quantity is the sum of its ledger, whose facts are compared themselves.
				fields: ["updatedAt"],
			},
			{ entity: "product", id: "bread", where: "server", fields: [] },
			{ entity: "sale", id: sale, where: "here", fields: [] },
		]),
	);
	expect(differences).toHaveLength(3);
	const told = await run(`verify ${to}`);
	expect(told.out).toMatch(/^product +bread +server$/m);
	expect(told.err).toContain("1 pending mutations may be the only difference");
	expect(await till.till.digest()).toBe(before);
	expect((await till.till.status()).pending).toBe(1);
});

test("sync verify of a till whose older sales are still arriving says so and lists no difference [DIGEST-4]", async () => {
	const { till, run, to } = await open();
	await till.store.write((tx) =>
		tx.run("UPDATE replica SET history_version = 1"),
	);
	expect(await run(`verify ${to}`)).toMatchObject({
		status: 1,
		out: expect.stringMatching(/^The till's older sales are still arriving; /),
	});
	expect(JSON.parse((await run(`verify ${to} --json`)).out)).toEqual({
		...{ inStep: false, hasHistory: false, pending: 0, differences: [] },
	});
});

test("sync status says when rows were put right, and how many [HEAL-4]", async () => {
	const { till, run } = await open();
	expect((await run("status")).out).toMatch(/^healed +-$/m);
	await till.store.write((tx) => tx.run("UPDATE products SET name = 'Else'"));
	expect(await till.till.compare()).toBe("healed");
	expect((await run("status")).out).toMatch(
		/^healed +1 records differed from the server and were put right at 20\S+Z$/m,
	);
	expect(JSON.parse((await run("status --json")).out)).toMatchObject({
		healed: { rows: 1 },
	});
});

test("a sync that can't start explains why in one line", async () => {
	const { server, till, run, to } = await open();
	const baraka = await server.addUser("Baraka");
	const as = (token: string) => ({
		COUNTERFOIL_TOKEN: token.replace("Bearer ", ""),
	});
	const refusals: [string, NodeJS.ProcessEnv, RegExp][] = [
		[
			`verify ${to}`,
			as(baraka.bearer),
			/is not a member of this till.s shop.*sign in with an account of this shop/,
		],
		[`pull ${to}`, as("none"), /sign in again with "counterfoil login"/],
		[`push ${to}`, as(""), /^You are not signed in to http:\S+; run "counter/],
		["push --server http://localhost:1", {}, /nothing is lost; try again/],
	];
	await till.sell(1);
	for (const [what, env, reason] of refusals)
		expect(await run(what, env)).toMatchObject({
			status: 1,
			out: "",
			err: expect.stringMatching(reason),
		});
	expect((await till.till.status()).pending).toBe(1);
	// After a refused token, the next sync still tries the new one.
	expect((await run(`push ${to}`)).status).toBe(0);

	const { dataDir } = server.settings;
	expect(
		await runCommand(["sync", "status"], { DATA_DIR: dataDir }),
	).toMatchObject({
		status: 1,
		err: expect.stringContaining("is a server's database, not a till's"),
	});
	expect(await server.rows("SELECT * FROM replica")).toEqual([]);
});

test("an invalid server address and a damaged login file are reported", () => {
	expect(() => serverAddress("localhost")).toThrow("must be an address like");
	expect(() => serverAddress("http://me:pass@shop.example")).toThrow(
		"--server",
	);
	expect(serverAddress("https://shop.example/till")).toBe(
		"https://shop.example",
	);
	const config = testDir();
	vi.stubEnv("XDG_CONFIG_HOME", config);
	vi.stubEnv("COUNTERFOIL_TOKEN", "");
	onTestFinished(() => {
		vi.unstubAllEnvs();
	});
	mkdirSync(join(config, "counterfoil"));
	const file = join(config, "counterfoil", "logins.json");
	writeFileSync(file, "{");
	expect(() => tokenFor("https://shop.example")).toThrow(`${file} is damaged`);
	rmSync(file);
	mkdirSync(file);
	expect(() => tokenFor("https://shop.example")).toThrow("Can't read");
});
