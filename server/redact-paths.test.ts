import { expect, onTestFinished, test } from "vitest";
import { redactPaths } from "./redact-paths.ts";

test.each([
	[
		"unable to open /var/lib/shop/counterfoil.db",
		"unable to open counterfoil.db",
	],
	["ENOENT: open '/data/auth-secret'", "ENOENT: open 'auth-secret'"],
	[
		"at run (file:///home/me/app/server/routes.ts:9:1)",
		"at run (routes.ts:9:1)",
	],
	["at C:\\Shops\\duka\\main.js:3:4", "at main.js:3:4"],
	[
		"ENOENT: rename '/srv/Ma boutique é ñ/a b.db' -> '/srv/Ma boutique/c.db'",
		"ENOENT: rename 'a b.db' -> 'c.db'",
	],
	["at run (/srv/Ma boutique/server/routes.ts:9:1)", "at run (routes.ts:9:1)"],
	["it's /a/b or 'it' at 1/2", "it's b or 'it' at 1/2"],
	[
		"https://api.example.com/repos/a/b failed",
		"https://api.example.com/repos/a/b failed",
	],
	[
		"7 and/or 8/9 of node:internal/process/task_queues:103:5",
		"7 and/or 8/9 of node:internal/process/task_queues:103:5",
	],
])("%s is shown as %s", (text, told) => {
	expect(redactPaths(text)).toBe(told);
});

test("a message leaves out the program's directory, whatever characters are in its name", () => {
	const { DATA_DIR } = process.env;
	onTestFinished(() => {
		if (DATA_DIR === undefined) delete process.env.DATA_DIR;
		else process.env.DATA_DIR = DATA_DIR;
	});
	process.env.DATA_DIR = "/srv/Ma boutique é ñ";
	expect(
		redactPaths(
			"Cannot find package 'bcryptjs' imported from /srv/Ma boutique é ñ/server/auth/password-worker.ts",
		),
	).toBe("Cannot find package 'bcryptjs' imported from password-worker.ts");
});
