import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { oneIn } from "../../../sync/testing/lane.ts";
import { openOwnAttempts } from "../../accounts/attempts.ts";
import { openSetupGuard } from "../../accounts/setup-guard.ts";
import { setupInvitation } from "../../accounts/setup-invitation.ts";
import { stopClocks } from "../../testing/clocks.ts";
import { openTestServer, type TestServer } from "../../testing/server.ts";
import { compareQuickly } from "./testing/attacks.ts";
import { rawRequest, sendRaw } from "./testing/raw-request.ts";

const account = {
	name: "Mallory",
	email: "mallory@example.com",
	password: "correct horse",
};
const required = { error: "Setup code required" };
const wrong = { error: "Wrong setup code" };
const closed = { error: "This server already has a shop" };
const paths = ["/api/setup", "/api/setup/demo"];

/** Sends a request with any Host header, which `fetch` doesn't allow. */
async function ask(
	server: TestServer,
	path: string,
	headers: Record<string, string>,
	more: object = {},
) {
	const body = JSON.stringify({ ...account, ...more });
	const request = rawRequest(`POST ${path}`, {
		"Content-Type": "application/json",
		"Content-Length": String(body.length),
		...headers,
	});
	return sendRaw(server, `${request}${body}`);
}

const elsewhere: Record<string, Record<string, string>> = {
	"a name that points here (DNS rebinding)": {
		Host: "rebind.evil.example:4780",
		Origin: "http://rebind.evil.example:4780",
		"Sec-Fetch-Site": "same-origin",
	},
	"a name that looks local": { Host: "localhost.evil.example" },
	"a name that begins like an address": { Host: "127.0.0.1.evil.example" },
	"the address of all networks": { Host: "0.0.0.0:4780" },
	"an address of the network": { Host: "192.168.1.5:4780" },
	"a proxy on this machine": {
		Host: "localhost:4780",
		"X-Forwarded-For": "203.0.113.5",
	},
	"a proxy that speaks the standard": {
		Host: "localhost:4780",
		Forwarded: "for=203.0.113.5",
	},
};

test.each(Object.entries(elsewhere))(
	"an empty server can't be claimed by %s",
	async (_what, headers) => {
		const server = await openTestServer();
		compareQuickly("");
		for (const path of paths) {
			const refused = await ask(server, path, headers);
			expect([refused.status, refused.body]).toEqual([403, required]);
			const guessed = await ask(server, path, headers, {
				setupCode: "0000-0000-0000",
			});
			expect([guessed.status, guessed.body]).toEqual([403, wrong]);
		}
		expect(await server.rows("SELECT 1 AS one FROM users")).toEqual([]);
		// The code works in lower case and without hyphens.
		const setupCode = server.setupCode?.toLowerCase().replaceAll("-", " ");
		const made = await ask(server, "/api/setup", headers, { setupCode });
		expect(made.status).toBe(201);
		for (const path of paths) {
			const late = await ask(server, path, headers, { setupCode });
			expect([late.status, late.body]).toEqual([409, closed]);
		}
	},
);

test.each([
	"localhost",
	"localhost:80",
	"LOCALHOST:4780",
	"127.0.0.1:4780",
	"127.1.2.3",
	"[::1]:4780",
])(
	"a person at the machine creates the first shop at the host name %s",
	async (host) => {
		const server = await openTestServer();
		compareQuickly("");
		const made = await ask(server, "/api/setup", { Host: host });
		expect(made.status).toBe(201);
	},
);

const address = Object.values(networkInterfaces())
	.flat()
	.find((it) => it?.family === "IPv4" && !it.internal)?.address;

test.skipIf(address === undefined)(
	"a caller from the network needs the code, whatever host it names (skipped on a machine without a network)",
	async () => {
		const server = await openTestServer({ HOST: "0.0.0.0" });
		compareQuickly("");
		const url = `http://${address}:${server.port}/api/setup`;
		const state = await fetch(url);
		expect(await state.json()).toEqual({ isEmpty: true, needsCode: true });
		const post = (setupCode?: string) =>
			fetch(url, {
				method: "POST",
				headers: { "content-type": "application/json" },
				body: JSON.stringify({ ...account, setupCode }),
			});
		expect((await post()).status).toBe(403);
		expect((await post(server.setupCode)).status).toBe(201);
	},
);

test("after twenty wrong setup codes, an address is blocked even with the right one, but others aren't", async () => {
	const server = await openTestServer();
	compareQuickly("");
	stopClocks();
	const from = (address: string, setupCode = "WRONG") =>
		ask(
			server,
			"/api/setup",
			{ Host: "shop.example", "X-Forwarded-For": address },
			{ setupCode },
		);
	for (let i = 0; i < 20; i += 1)
		expect((await from("203.0.113.5")).status).toBe(403);
	const refused = await from("203.0.113.5", server.setupCode);
	expect([refused.status, refused.body]).toEqual([
		429,
		{ error: "Too many wrong setup codes, try again later" },
	]);
	expect((await from("203.0.113.6", server.setupCode)).status).toBe(201);
});

oneIn(4)(
	"a demo shop opens beside a shop only for its signed-in owner, and only once",
	async () => {
		const server = await openTestServer();
		const asha = await server.addUser("Asha");
		const { businessId } = asha;
		const cashier = await server.addUser("Chege", {
			businessId,
			role: "CASHIER",
		});
		const open = (headers: Record<string, string>) =>
			server.ask("POST", "/api/setup/demo", { body: {}, headers });
		for (const headers of [
			{},
			{ cookie: cashier.cookie },
			{ authorization: asha.bearer },
		] as Record<string, string>[]) {
			const refused = await open(headers);
			expect([refused.status, refused.body]).toEqual([409, closed]);
		}
		const crossSite = { cookie: asha.cookie, "sec-fetch-site": "cross-site" };
		expect((await open(crossSite)).status).toBe(403);
		const made = await open({ cookie: asha.cookie });
		expect(made.status).toBe(201);
		expect(made.body).toMatchObject({ user: { email: "demo@example.com" } });
		expect((await open({ cookie: asha.cookie })).status).toBe(409);
		expect(
			await server.rows(
				"SELECT 1 AS one FROM products WHERE business_id = ?",
				businessId,
			),
		).toEqual([]);
	},
);

test("registration needs no setup code from any address", async () => {
	const server = await openTestServer();
	compareQuickly("");
	const made = await ask(server, "/api/auth/register", {
		Host: "shop.example",
		"X-Forwarded-For": "203.0.113.5",
	});
	expect(made.status).toBe(201);
});

test("the setup code depends on the secret, is never logged, and ends with the first shop", async () => {
	const server = await openTestServer();
	compareQuickly("");
	const code = server.setupCode as string;
	expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/);
	const other = openSetupGuard(new Uint8Array(32).fill(7), openOwnAttempts());
	expect(other.code).not.toBe(code);
	expect(
		openSetupGuard(server.settings.authSecret, openOwnAttempts()).code,
	).toBe(code);
	await ask(server, "/api/setup", { Host: "x.example" }, { setupCode: code });
	expect(server.logged()).not.toContain(code);
	const { dataDir } = server.settings;
	await server.close();
	const again = await openTestServer({ DATA_DIR: dataDir });
	expect(again.setupCode).toBeUndefined();
});

test("an empty server prints the setup code, and a link with a QR code if it is reachable on the network", () => {
	const code = "7KQF-3M9P-X2TD";
	const of = (host: string, isTerminal: boolean) =>
		setupInvitation({ host, port: 4780, code }, { isTerminal }).split("\n");
	expect(of("127.0.0.1", true)).toEqual([
		`There is no shop yet: create one on this machine, or on another with the setup code ${code}`,
	]);
	const [, link, ...qr] = of("192.168.1.5", true);
	expect(link).toBe(`http://192.168.1.5:4780/setup#${code}`);
	expect(qr.length).toBeGreaterThan(10);
	expect(of("192.168.1.5", false)).toHaveLength(2);
	expect(of("fd00::5", false)[1]).toBe(`http://[fd00::5]:4780/setup#${code}`);
});
