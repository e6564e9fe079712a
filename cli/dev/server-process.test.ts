import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startProcess } from "./server-process.ts";

test("a program that ends without saying where it listens is told of, and not waited for", async () => {
	await expect(startProcess(["-e", "process.exit(3)"])).rejects.toThrow(
		"ended (3) before it said where it listens",
	);
});

test("what was started ends with the program that started it, though that fails", () => {
	const listening =
		"console.log('Here: http://127.0.0.1:1/'); setTimeout(() => {}, 20_000)";
	const program = `
		import { startProcess } from ${JSON.stringify(join(import.meta.dirname, "server-process.ts"))};
		await startProcess(["-e", ${JSON.stringify(listening)}]);
		throw new Error("on purpose");
	`;
	// What was started writes to the same standard error, which is open for as long as that runs.
	const { error, stderr, status } = spawnSync(
		process.execPath,
		["--input-type=module", "-e", program],
		{ encoding: "utf8", timeout: 15_000 },
	);
	expect(error).toBeUndefined();
	expect(stderr).toContain("on purpose");
	expect(status).toBe(1);
});
