import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startProcess } from "./server-process.ts";

test("a program that exits before it prints its address is reported at once", async () => {
	await expect(startProcess(["-e", "process.exit(3)"])).rejects.toThrow(
		"ended (3) before it printed its address",
	);
});

test("a started server ends with the program that started it, even if that fails", () => {
	const listening =
		"console.log('Here: http://127.0.0.1:1/'); setTimeout(() => {}, 20_000)";
	const program = `
		import { startProcess } from ${JSON.stringify(join(import.meta.dirname, "server-process.ts"))};
		await startProcess(["-e", ${JSON.stringify(listening)}]);
		throw new Error("on purpose");
	`;
	// The child inherits standard error, which stays open as long as the child runs.
	const { error, stderr, status } = spawnSync(
		process.execPath,
		["--input-type=module", "-e", program],
		{ encoding: "utf8", timeout: 15_000 },
	);
	expect(error).toBeUndefined();
	expect(stderr).toContain("on purpose");
	expect(status).toBe(1);
});
