import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { testDir } from "../../../sync/testing/shop.ts";

test.each(["SIGINT", "SIGTERM"] as const)(
	"a backup ended by %s leaves no partial copy behind",
	async (signal) => {
		const dir = testDir();
		const module = join(import.meta.dirname, "working-file.ts");
		const script = `
			import { writeFileSync } from "node:fs";
			import { withWorkingFile } from ${JSON.stringify(module)};
			const file = ${JSON.stringify(join(dir, "copy.partial"))};
			await withWorkingFile(file, "backup", async () => {
				for (const suffix of ["", "-wal", "-shm", "-journal"]) writeFileSync(file + suffix, "half");
				console.log("copying");
				await new Promise((resolve) => setTimeout(resolve, 600_000));
			});`;
		const child = spawn(process.execPath, [
			"--input-type=module",
			"--eval",
			script,
		]);
		onTestFinished(() => void child.kill("SIGKILL"));
		await once(child.stdout, "data");
		expect(readdirSync(dir)).toHaveLength(4);
		child.kill(signal);
		await once(child, "exit");
		expect(child.signalCode).toBe(signal);
		expect(readdirSync(dir)).toEqual([]);
	},
);
