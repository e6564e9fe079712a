import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openTestServer } from "../../server/testing/server.ts";
import { businessUpdate } from "../../sync/entities/business.ts";
import { oneIn } from "../../sync/testing/lane.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { testCommand } from "../testing/command.ts";

const main = join(import.meta.dirname, "../main.js");
const terminal = "/usr/bin/script";

function open() {
	const run = testCommand({ env: { ADMIN_EMAILS: "root@example.com" } });
	const create = (email: string, ...more: string[]) =>
		run(
			[
				"user",
				"create",
				...["--email", email, "--name", "Asha", "--password-stdin"],
				...more,
			],
			"correct horse\n",
		);
	return { run, create };
}

/** Runs commands while a server runs on the same data. */
async function openBesideServer() {
	const server = await openTestServer();
	const run = testCommand({ dataDir: server.settings.dataDir });
	const signIn = async (email: string, password: string) =>
		(
			await server.ask("POST", "/api/auth/mobile-login", {
				body: { email, password },
			})
		).status;
	return { server, run, signIn };
}

describe("counterfoil user create", () => {
	test("user create refuses options of a new business without its name, and both a new one and an existing one", async () => {
		const { create } = open();
		const made = await create("asha@example.com", "--business-name", "Duka");
		const businessId = made.out.trim().split(" ").at(-1) ?? "";
		for (const more of [
			["--time-zone", "Europe/Paris"],
			["--currency", "EUR"],
			["--business", businessId, "--business-name", "Duka"],
		])
			expect([more, await create("chege@example.com", ...more)]).toMatchObject([
				more,
				{ status: 2, out: "", err: expect.stringContaining("--business") },
			]);
	});

	test("user create makes an owner with a business, and then other users in it", async () => {
		const { run, create } = open();
		const made = await create("asha@example.com", "--business-name", "Duka");
		expect(made.out).toMatch(
			/^Created asha@example.com, OWNER of business \S+\n$/,
		);
		const cashier = await create("Chege@example.com", "--json");
		const { id } = JSON.parse(cashier.out);
		expect(JSON.parse(cashier.out)).toMatchObject({
			email: "chege@example.com",
			role: "CASHIER",
		});
		const { out } = await run(["user", "list", "--json"]);
		expect(JSON.parse(out)).toMatchObject([
			{
				email: "asha@example.com",
				disabledAt: null,
				memberships: [{ businessName: "Duka", role: "OWNER" }],
			},
			{ id, memberships: [{ businessName: "Duka", role: "CASHIER" }] },
		]);
		expect(out).not.toMatch(/password|\$2[aby]\$/i);
	});

	oneIn(4)("a refused user create is explained in one line", async () => {
		const { run, create } = open();
		expect(await create("asha@example.com")).toMatchObject({
			status: 1,
			err: expect.stringMatching(/^There are no businesses yet.*\n$/),
		});
		expect(
			await run(["user", "create", "--email", "a@b.co", "--name", "A"]),
		).toMatchObject({
			status: 1,
			err: "Give the password with --password-stdin\n",
		});
		expect(
			await create("root@example.com", "--business-name", "X"),
		).toMatchObject({
			status: 1,
			err: expect.stringContaining('"counterfoil admin create"'),
		});
		await create("asha@example.com", "--business-name", "Duka");
		expect(await create("asha@example.com")).toMatchObject({
			status: 1,
			err: "An account with that email already exists\n",
		});
		expect(await create("b@example.com", "--business", "none")).toMatchObject({
			status: 1,
			err: expect.stringContaining(
				"There is no business none. The businesses are:",
			),
		});
		expect(await create("c@example.com", "--role", "KING")).toMatchObject({
			status: 2,
			err: expect.stringMatching(/^error: .*KING.*--help.*\n$/),
		});
	});
});

oneIn(3)(
	"a new password works at once on a running server, and the old one no longer does",
	async () => {
		const { server, run, signIn } = await openBesideServer();
		await server.addUser("Asha");
		const set = (email: string, password: string) =>
			run(["user", "password", email, "--password-stdin"], `${password}\n`);
		expect(await set("ASHA@example.com", "first password")).toMatchObject({
			status: 0,
			out: "",
		});
		expect(await signIn("asha@example.com", "first password")).toBe(200);
		expect((await set("asha@example.com", "second password")).status).toBe(0);
		expect(await signIn("asha@example.com", "first password")).toBe(401);
		expect(await set("asha@example.com", "short")).toMatchObject({
			status: 1,
			err: "Password must be at least 8 characters\n",
		});
		expect(await signIn("asha@example.com", "second password")).toBe(200);
		expect(await set("nobody@example.com", "long enough")).toMatchObject({
			status: 1,
			err: expect.stringContaining("There is no account nobody@example.com"),
		});
	},
);

test("a disabled user is signed out at once and can return when enabled; the last owner can't be disabled", async () => {
	const { server, run } = await openBesideServer();
	const asha = await server.addUser("Asha");
	const { businessId } = asha;
	const chege = await server.addUser("Chege", { businessId, role: "CASHIER" });
	const status = async () =>
		(await server.ask("GET", "/api/products", { as: chege })).status;
	expect(await status()).toBe(200);
	expect((await run(["user", "disable", "chege@example.com"])).status).toBe(0);
	expect(await status()).toBe(401);
	const [{ disabled_at: first } = {}] = await server.rows(
		"SELECT disabled_at FROM users WHERE id = ?",
		chege.id,
	);
	expect((await run(["user", "disable", "chege@example.com"])).status).toBe(0);
	expect(
		await server.rows("SELECT disabled_at FROM users WHERE id = ?", chege.id),
	).toEqual([{ disabled_at: first }]);
	expect((await run(["user", "enable", "chege@example.com"])).status).toBe(0);
	expect(await status()).toBe(200);
	expect(await run(["user", "disable", "asha@example.com"])).toMatchObject({
		status: 1,
		err: "A business needs an owner who can sign in\n",
	});
	expect(
		await server.rows("SELECT 1 FROM users WHERE disabled_at IS NOT NULL"),
	).toEqual([]);
});

oneIn(3).skipIf(!existsSync(terminal))(
	"a terminal asks for a new password twice without echoing it (skipped without script)",
	async () => {
		const { server, signIn } = await openBesideServer();
		await server.addUser("Asha");
		/** Types an answer at each prompt. @returns everything that the terminal showed */
		const answer = async (...answers: string[]) => {
			const command = `${process.execPath} ${main} user password asha@example.com`;
			const child = spawn(terminal, ["-qc", command, "/dev/null"], {
				env: { PATH: process.env.PATH, DATA_DIR: server.settings.dataDir },
			});
			let shown = "";
			child.stdout.on("data", (chunk) => {
				shown += chunk;
				if (/: $/.test(shown)) child.stdin.write(`${answers.shift()}\n`);
			});
			await once(child, "close");
			return shown;
		};
		expect(await answer("battery staple", "battery staple")).toMatch(
			/^Password: \s+Repeat password: \s+asha@example.com has a new password\s+$/,
		);
		expect(await signIn("asha@example.com", "battery staple")).toBe(200);
		expect(await answer("one password", "two passwords")).toContain(
			"The passwords don't match",
		);
		expect(await answer("\x04")).toContain("Cancelled");
		expect(await signIn("asha@example.com", "battery staple")).toBe(200);
	},
);

test("what others have typed can't control the terminal, in whatever a command says", async () => {
	const { server, run } = await openBesideServer();
	const asha = await server.addUser("Asha");
	await server.addUser("Chege");
	const name = "Duka\u001b]0;mine\u0007\u001b[2J\u009bm";
	const { shop } = server;
	await shop.mutate(asha.caller, businessUpdate, { set: { name } });
	const { businessId } = asha;
	const { body } = await server.ask("POST", "/api/keys", {
		...{ as: asha, body: { name } },
	});
	const { id } = body as { id: string };
	const file = join(testDir(), "list.csv");
	writeFileSync(file, `name,price\n${name},many\n`);
	for (const args of [
		["business", "show"],
		["business", "list"],
		["ai", "allow", businessId, "--key", id, "--budget", "5"],
		["key", "list", "--business", businessId],
		["import", "products", file, "--business", businessId],
	]) {
		const { out, err } = await run(args);
		expect([args, out + err]).toEqual([args, expect.stringContaining("Duka")]);
		expect([args, /[^\P{Cc}\n]/u.exec(out + err)]).toEqual([args, null]);
	}
});
