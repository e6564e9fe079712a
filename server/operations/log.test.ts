import { expect, onTestFinished, test } from "vitest";
import { openLog, withoutPaths } from "./log.ts";

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
])("%s is told as %s", (text, told) => {
	expect(withoutPaths(text)).toBe(told);
});

test("an error is logged with its stack and its causes, and without a place on the disk", () => {
	const lines: string[] = [];
	const log = openLog("info", { write: (line) => lines.push(line) });
	const cause = new Error("EIO: /data/shop/counterfoil.db");
	log.error({ err: new Error("Could not write", { cause }) }, "A fault");
	log.error({ err: "thrown text" });
	log.error({ err: cause });
	const [fault, text, bare] = lines.map((line) => JSON.parse(line));
	expect(fault).toMatchObject({
		msg: "A fault",
		err: {
			type: "Error",
			message: "Could not write",
			stack: expect.stringContaining("log.test.ts"),
			cause: { message: "EIO: counterfoil.db" },
		},
	});
	expect(lines[0]).not.toContain(import.meta.dirname);
	expect(bare.msg).toBe("EIO: counterfoil.db");
	expect(text.err).toEqual({ message: "thrown text" });
});

test("a directory of the program is no part of a message, whatever is in its name", () => {
	const { DATA_DIR } = process.env;
	onTestFinished(() => {
		if (DATA_DIR === undefined) delete process.env.DATA_DIR;
		else process.env.DATA_DIR = DATA_DIR;
	});
	process.env.DATA_DIR = "/srv/Ma boutique é ñ";
	expect(
		withoutPaths(
			"Cannot find package 'bcryptjs' imported from /srv/Ma boutique é ñ/server/auth/password-worker.ts",
		),
	).toBe("Cannot find package 'bcryptjs' imported from password-worker.ts");
});
