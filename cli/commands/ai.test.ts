import { expect, test } from "vitest";
import { openTestServer } from "../../server/testing/server.ts";
import { runCommand } from "../testing/command.ts";

test("an operator allows a second business to use AI up to a budget and denies it again, at once on a running server", async () => {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	const baraka = await server.addUser("Baraka");
	const { dataDir } = server.settings;
	const run = (...args: string[]) =>
		runCommand(["ai", ...args], { DATA_DIR: dataDir });
	/** An allowed business gets past the access check to the error that no provider is configured. */
	const call = async () => {
		const { status } = await server.ask("POST", "/v1/chat/completions", {
			as: baraka,
			body: {
				model: "gateway/auto",
				messages: [{ role: "user", content: "Habari?" }],
			},
		});
		return status;
	};
	const listed = async () =>
		JSON.parse((await run("list", "--json")).out).map(
			({ id, allowed, budget }: Record<string, unknown>) => [
				id,
				allowed,
				budget,
			],
		);
	expect(await listed()).toEqual([
		[asha.businessId, true, null],
		[baraka.businessId, false, null],
	]);
	expect(await call()).toBe(403);

	expect(await run("allow", baraka.businessId, "--budget", "20")).toMatchObject(
		{
			status: 0,
			err: expect.stringContaining("up to 20 USD a month"),
		},
	);
	expect(await call()).toBe(503);
	await run("allow", baraka.businessId);
	expect(await listed()).toContainEqual([baraka.businessId, true, 20]);
	expect(await run("allow", baraka.businessId, "--no-budget")).toMatchObject({
		err: expect.stringContaining("without a limit"),
	});
	expect(await listed()).toContainEqual([baraka.businessId, true, null]);

	expect(await run("deny", baraka.businessId)).toMatchObject({ status: 0 });
	expect(await call()).toBe(403);
	expect(await run("allow")).toMatchObject({
		err: expect.stringContaining("There are several businesses"),
	});
	expect(
		await run("allow", baraka.businessId, "--budget", "much"),
	).toMatchObject({ status: 2 });
});

test("an operator limits a member and a key, and lists who asked what for how much", async () => {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	const { dataDir } = server.settings;
	const run = (...args: string[]) => runCommand(args, { DATA_DIR: dataDir });
	const { body } = await server.ask("POST", "/api/keys", {
		as: asha,
		body: { name: "Report" },
	});
	const { id } = body as { id: string };
	const [user] = await server.rows("SELECT email FROM users");
	const email = String(user?.email);
	const allow = async (...args: string[]) =>
		(await run("ai", "allow", ...args)).err.trim();
	expect(
		await allow("--member", email, "--budget=2", "--requests-per-minute=9"),
	).toBe(
		`${email} may use AI for up to 2 USD a month, with 9 requests a minute`,
	);
	expect(await allow("--key", id, "--no-budget")).toContain(
		"Report may use AI up to the business's limits",
	);
	expect(await allow("--member", "nobody@example.com")).toContain(
		"nobody@example.com is not a member",
	);
	expect(
		await run("ai", "allow", "--member", email, "--key", id),
	).toMatchObject({
		status: 2,
		err: expect.stringContaining("cannot be used with"),
	});
	const of = { business_id: asha.businessId };
	expect(
		await server.rows("SELECT * FROM ai_limits ORDER BY monthly_budget"),
	).toEqual(
		expect.arrayContaining([
			{
				...{ ...of, account: asha.id },
				...{ monthly_budget: 2_000_000_000, requests_per_minute: 9 },
			},
			{ ...of, account: id, monthly_budget: null, requests_per_minute: null },
		]),
	);

	await server.shop.store.write((tx) =>
		tx.run(
			`INSERT INTO ai_calls (business_id, id, key_id, day, at, asked_model, route, cache, status, error, attempts, prompt_tokens,
         cached_tokens, completion_tokens, cost, duration_ms)
       VALUES (?, 'c1', ?, '2026-11-20', '2026-11-20T09:00:00.000Z', 'gpt-4o', 'named', 'off', 'failed', 'Habari?', 1, 11, 0, 7, 97500, 5)`,
			...[asha.businessId, id],
		),
	);
	const { out } = await run("ai", "calls", "--json");
	expect(JSON.parse(out)).toMatchObject([
		{ by: id, name: "Report", askedModel: "gpt-4o", cost: 0.0000975 },
	]);
	expect(out).not.toContain("Habari");
});
