import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { oneIn } from "../../sync/testing/lane.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { whereabouts } from "../testing/process.ts";
import { authSecret } from "../testing/server.ts";

const test = oneIn(6);

const root = join(import.meta.dirname, "../..");

/** Copies the checkout, so that a test can remove its packages. */
function makeCheckout(): string {
	const checkout = join(testDir(), "Ma boutique é ñ");
	for (const name of ["server", "sync", "schema.sql", "package.json"])
		cpSync(join(root, name), join(checkout, name), { recursive: true });
	symlinkSync(join(root, "node_modules"), join(checkout, "node_modules"));
	return checkout;
}

test("a running server still signs people in while its packages are reinstalled", async () => {
	const checkout = makeCheckout();
	const child = spawn(process.execPath, [join(checkout, "server/main.js")], {
		cwd: checkout,
		env: { PATH: process.env.PATH, PORT: "0", AUTH_SECRET: authSecret },
		stdio: ["ignore", "pipe", "ignore"],
	});
	onTestFinished(async () => {
		child.kill();
		await once(child, "exit");
	});
	const url = await whereabouts(child);
	const ask = async (path: string, init: RequestInit = {}) => {
		const response = await fetch(new URL(path, url), init);
		return { status: response.status, text: await response.text() };
	};
	rmSync(join(checkout, "node_modules"));
	const signIn = {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ email: "njeri@example.com", password: "wrong" }),
	};
	expect(await ask("/api/auth/mobile-login", signIn)).toEqual({
		status: 401,
		text: '{"error":"Invalid email or password"}',
	});
	const page = await ask("/");
	expect(page).toMatchObject({
		status: 503,
		text: expect.stringContaining("not built yet"),
	});
});
