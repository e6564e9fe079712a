import { execFileSync } from "node:child_process";
import {
	lstatSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { twoShops } from "../../../server/testing/server.ts";
import { oneIn } from "../../../sync/testing/lane.ts";
import { testDir } from "../../../sync/testing/shop.ts";
import { runCommand } from "../../testing/command.ts";
import { writeOut } from "./output.ts";

test("a new file replaces an older one only when it is complete", async () => {
	const dir = testDir();
	const file = join(dir, "sales.csv");
	writeFileSync(file, "kept");
	async function* half() {
		yield "half";
		throw new Error("The database went away");
	}
	await expect(writeOut(file, half())).rejects.toThrow("went away");
	expect(readFileSync(file, "utf8")).toBe("kept");
	async function* whole() {
		yield "who";
		expect(readFileSync(file, "utf8")).toBe("kept");
		yield "le";
	}
	await writeOut(file, whole());
	expect(readFileSync(file, "utf8")).toBe("whole");
	expect(readdirSync(dir)).toEqual(["sales.csv"]);
});

test("what a killed program of the same id left is written over", async () => {
	const dir = testDir();
	const file = join(dir, "sales.csv");
	writeFileSync(`${file}.part-${process.pid}`, "half");
	await writeOut(file, lines());
	expect(readFileSync(file, "utf8")).toBe("one\ntwo\n");
	expect(readdirSync(dir)).toEqual(["sales.csv"]);
});

test("stopping a write keeps the existing file and says that nothing was written", async () => {
	const dir = testDir();
	const file = join(dir, "sales.csv");
	writeFileSync(file, "kept");
	async function* endless() {
		for (;;) {
			yield "more\n";
			process.emit("SIGINT");
		}
	}
	await expect(writeOut(file, endless())).rejects.toThrow(
		`Stopped; ${file} was not written`,
	);
	expect(readFileSync(file, "utf8")).toBe("kept");
	expect(readdirSync(dir)).toEqual(["sales.csv"]);
});

async function* lines() {
	yield "one\n";
	yield "two\n";
}

test("writing through a symbolic link replaces or creates its target and keeps the link", async () => {
	const dir = testDir();
	const file = join(dir, "sales.csv");
	const link = join(dir, "latest.csv");
	symlinkSync("sales.csv", link);
	for (const before of [undefined, "older"]) {
		if (before) writeFileSync(file, before);
		await writeOut(link, lines());
		expect(readFileSync(file, "utf8")).toBe("one\ntwo\n");
		expect(readlinkSync(link)).toBe("sales.csv");
		expect(readdirSync(dir)).toEqual(["latest.csv", "sales.csv"]);
	}
});

test.skipIf(process.platform === "win32")(
	"a pipe is written to and stays a pipe (skipped on Windows)",
	async () => {
		const dir = testDir();
		const pipe = join(dir, "pipe");
		execFileSync("mkfifo", [pipe]);
		const [text] = await Promise.all([
			readFile(pipe, "utf8"),
			writeOut(pipe, lines()),
		]);
		expect(text).toBe("one\ntwo\n");
		expect(lstatSync(pipe).isFIFO()).toBe(true);
		expect(readdirSync(dir)).toEqual(["pipe"]);
	},
);

test.skipIf(process.platform !== "linux")(
	"a device stays a device after a write to it (skipped without /dev/full)",
	async () => {
		const { server, asha } = await twoShops();
		const dir = testDir();
		const env = { DATA_DIR: server.settings.dataDir };
		const exportTo = (target: string) => {
			// Through a symbolic link, so that a bug can't replace the machine's device.
			const link = join(dir, target.replaceAll("/", "-"));
			symlinkSync(target, link);
			const shop = ["--business", asha.businessId];
			return runCommand(["export", "stock", "--out", link, ...shop], env);
		};
		expect(await exportTo("/dev/null")).toEqual({
			status: 0,
			out: "",
			err: "",
		});
		expect(await exportTo("/dev/full")).toMatchObject({
			status: 1,
			err: expect.stringMatching(/^Can't write .+: ENOSPC.*\n$/),
		});
		for (const name of readdirSync(dir))
			expect(lstatSync(join(dir, name)).isSymbolicLink()).toBe(true);
		expect(readdirSync(dir)).toHaveLength(2);
	},
);

oneIn(3).skipIf(process.platform === "win32")(
	"an export in a pipeline exits with 0, even with standard output as its --out file (skipped on Windows)",
	async () => {
		const { server, asha } = await twoShops();
		const main = join(import.meta.dirname, "../../main.js");
		const link = join(testDir(), "stdout");
		symlinkSync("/dev/stdout", link);
		const script = `set -eo pipefail
export_stock() { "$NODE" "$MAIN" export stock --json --business "$SHOP" "$@"; }
for n in 1 2 3 4; do export_stock | (sleep 0.2; cat); done
export_stock --out "$LINK" | cat
{ echo before; export_stock --out "$LINK"; } > "$LINK.txt"; cat "$LINK.txt"`;
		const said = execFileSync("bash", ["-c", script], {
			encoding: "utf8",
			env: {
				PATH: process.env.PATH,
				NODE: process.execPath,
				MAIN: main,
				SHOP: asha.businessId,
				DATA_DIR: server.settings.dataDir,
				LINK: link,
			},
		});
		expect(said.match(/Milk|before/g)).toEqual([
			...Array(5).fill("Milk"),
			"before",
			"Milk",
		]);
		expect(readlinkSync(link)).toBe("/dev/stdout");
	},
);
