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
