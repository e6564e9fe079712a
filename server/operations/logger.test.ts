import { expect, test } from "vitest";
import { toLogText } from "./log-text.ts";
import { openLogger } from "./logger.ts";

test("an error is logged with its stack and causes, but without file paths", () => {
	const lines: string[] = [];
	const log = openLogger("info", { write: (line) => lines.push(line) });
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
			stack: expect.stringContaining("logger.test.ts"),
			cause: { message: "EIO: counterfoil.db" },
		},
	});
	expect(lines[0]).not.toContain(import.meta.dirname);
	expect(bare.msg).toBe("EIO: counterfoil.db");
	expect(text.err).toEqual({ message: "thrown text" });
});

test("a terminal gets the same lines as text: time, level, message, fields, and a stack below", () => {
	const lines: string[] = [];
	const log = openLogger("info", { write: (line) => lines.push(line) });
	log.info({ port: 4780, host: "127.0.0.1", said: "two words\n" }, "Started");
	log.error({ err: new Error("EIO") }, "A fault");
	const [started = "", fault = ""] = lines.map(toLogText);
	expect(started).toMatch(
		/^\d\d:\d\d:\d\d INFO {2}Started port=4780 host=127\.0\.0\.1 said="two words\\n"\n$/,
	);
	expect(fault).toMatch(/^\S+ ERROR A fault\n {4}Error: EIO\n {4}at .+\n/);
});
