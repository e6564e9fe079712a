import { expect, test } from "vitest";
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
