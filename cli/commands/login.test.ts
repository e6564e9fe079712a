import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTestServer } from "../../server/testing/server.ts";
import { openTestTill } from "../../server/testing/tills.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { runCommand } from "../testing/command.ts";

const account = { email: "njeri@example.com", password: "correct horse" };

function login(server: string, config: string, password = account.password) {
	const { email } = account;
	return runCommand(
		["login", "--server", server, "--email", email, "--password-stdin"],
		{ XDG_CONFIG_HOME: config },
		`${password}\n`,
	);
}

test("a login's token is readable only by its owner and lets a till's database sync", async () => {
	const server = await openTestServer();
	const made = await server.ask("POST", "/api/setup", {
		body: { ...account, name: "Njeri" },
	});
	const { user } = made.body as { user: { businessId: string } };
	const config = testDir();
	const done = await login(`${server.url}/`, config);
	const file = join(config, "counterfoil", "logins.json");
	expect(done).toEqual({
		status: 0,
		out: `Signed in to ${server.url} as ${account.email}; the token is in ${file}\n`,
		err: "",
	});
	expect(statSync(file).mode & 0o777).toBe(0o600);
	const token = JSON.parse(readFileSync(file, "utf8"))[server.url];
	expect(done.out).not.toContain(token);

	const caller = {
		businessId: user.businessId,
		userId: null,
		role: "OWNER",
		deviceId: null,
	} as const;
	const till = await openTestTill(
		{ ...caller, id: "", caller, bearer: `Bearer ${token}`, cookie: "" },
		server,
	);
	const verified = await runCommand(
		["sync", "verify", "--database", till.file, "--server", server.url],
		{ XDG_CONFIG_HOME: config },
	);
	expect(verified).toMatchObject({ status: 0, err: "" });
	// The token is never sent to another server.
	const elsewhere = await runCommand(
		["sync", "pull", "--database", till.file, "--server", "http://localhost:1"],
		{ XDG_CONFIG_HOME: config },
	);
	expect(elsewhere.err).toMatch(
		/^You are not signed in to http:\/\/localhost:1/,
	);

	expect(await login(server.url, config, "wrong")).toMatchObject({
		status: 1,
		err: "The email or the password is wrong\n",
	});
	expect(JSON.parse(readFileSync(file, "utf8"))[server.url]).toBe(token);
});

test("a login follows no redirect with the password, and reports a server that doesn't answer", async () => {
	const asked: string[] = [];
	const portal = createServer((request, response) => {
		asked.push(request.url ?? "");
		response.writeHead(307, { location: "/elsewhere" }).end("Sign in here");
	}).listen(0, "127.0.0.1");
	await once(portal, "listening");
	onTestFinished(() => {
		portal.close();
	});
	const { port } = portal.address() as AddressInfo;
	const config = testDir();
	expect(await login(`http://127.0.0.1:${port}`, config)).toMatchObject({
		status: 1,
		err: expect.stringContaining(
			"is not a Counterfoil server (it answered with status 307)",
		),
	});
	expect(asked).toEqual(["/api/auth/mobile-login"]);
	expect((await login("http://localhost:1", config)).err).toContain(
		"Can't reach",
	);
});
