import { join } from "node:path";
import { expect } from "vitest";
import { openTestServer } from "../../server/testing/server.ts";
import { oneIn } from "../../sync/testing/lane.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { runCommand } from "../testing/command.ts";

const test = oneIn(6);

test("a demo shop is created in an empty directory only, and its owner can sign in", async () => {
	const dataDir = join(testDir(), "demo");
	const env = { DATA_DIR: dataDir };
	const made = await runCommand(["demo"], env);
	expect(made.status).toBe(0);
	const [, email, password] =
		/sign in as (\S+) with the password (\S+)\n$/.exec(made.out) ?? [];
	const server = await openTestServer({ DATA_DIR: dataDir });
	const answer = await server.ask("POST", "/api/auth/mobile-login", {
		body: { email, password },
	});
	expect(answer.status).toBe(200);
	const [count] = await server.rows("SELECT count(*) AS sales FROM sales");
	expect(count?.sales).toBeGreaterThan(2_000);
	expect(await runCommand(["demo"], env)).toMatchObject({
		status: 1,
		out: "",
		err: expect.stringMatching(/^.+ already has an account; .+\n$/),
	});
	expect(await server.rows("SELECT count(*) AS sales FROM sales")).toEqual([
		count,
	]);
});
