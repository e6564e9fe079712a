import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testDir } from "../../../sync/test-shop.ts";
import { writeOut } from "./output.ts";

test("a file takes the place of an older one when it is whole, and not before", async () => {
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

test("a person who stops it keeps what was there, and is told", async () => {
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
		`Stopped: ${file} was not written`,
	);
	expect(readFileSync(file, "utf8")).toBe("kept");
	expect(readdirSync(dir)).toEqual(["sales.csv"]);
});
