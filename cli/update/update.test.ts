import { spawn } from "node:child_process";
import { once } from "node:events";
import {
	chmodSync,
	copyFileSync,
	mkdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { testDir } from "../../sync/testing/shop.ts";
import { differencesOf } from "./facts.ts";
import { sumIn } from "./release-file.ts";

test("a file's checksum is read from a list by the file's whole name", () => {
	const [one, two] = ["a".repeat(64), "B".repeat(64)];
	const list = `${one}  x-1.tar.gz\r\n${two} *1.tar.gz\nrubbish\n`;
	expect(sumIn(list, "x-1.tar.gz")).toBe(one);
	expect(sumIn(list, "1.tar.gz")).toBe(two);
	expect(sumIn(list, "tar.gz")).toBeUndefined();
});

test("two releases differ in what both say, and not in what only one knows", () => {
	const before = {
		installation: { dataDir: "/a", databaseBytes: 1, users: 2 },
		businesses: [{ head: 7, sales: 12, reviews: 1 }],
		revenue: { b1: [{ day: "2026-11-26", taken: 300 }] },
	};
	const after = structuredClone(before);
	Object.assign(after.installation, { dataDir: "/b", databaseBytes: 9 });
	Object.assign(after.businesses[0] ?? {}, { head: 8, couriers: 0 });
	expect(differencesOf(before, after)).toEqual([]);
	Object.assign(after.businesses[0] ?? {}, { sales: 11 });
	after.revenue.b1 = [];
	expect(differencesOf(before, after)).toEqual([
		"businesses.0.sales: 12 became 11",
		"revenue.b1: 1 entries became 0",
	]);
});

const onUnix = test.skipIf(process.platform === "win32");

/** The launcher of a release whose server notes each start, and ends as the next line of a file says. */
function openLauncher() {
	const home = testDir();
	const file = (name: string) => join(home, name);
	copyFileSync(
		join(import.meta.dirname, "../dev/release/counterfoil"),
		file("counterfoil"),
	);
	mkdirSync(file("current"));
	// Stands for Node.
	writeFileSync(
		file("current/node"),
		[
			"#!/bin/sh",
			'echo "$2" >> "$COUNTERFOIL_HOME/starts"',
			'read -r status < "$COUNTERFOIL_HOME/statuses"',
			'sed -i 1d "$COUNTERFOIL_HOME/statuses"',
			'[ "$status" != sleep ] || exec sleep 60',
			'exit "$status"',
		].join("\n"),
	);
	chmodSync(file("current/node"), 0o755);
	const starts = () =>
		readFileSync(file("starts"), { encoding: "utf8", flag: "a+" })
			.split("\n")
			.filter(Boolean);
	return {
		file,
		async run(statuses: string, stopAtStart = 0) {
			writeFileSync(file("statuses"), statuses);
			rmSync(file("starts"), { force: true });
			const child = spawn(file("counterfoil"), ["serve"]);
			onTestFinished(() => void child.kill("SIGKILL"));
			const ended = once(child, "exit");
			if (stopAtStart > 0) {
				await expect.poll(() => starts().length).toBe(stopAtStart);
				child.kill("SIGTERM");
			}
			const [status] = await ended;
			return { status, starts: starts().length };
		},
	};
}

onUnix(
	"the launcher starts a server again when it asks for it, and when it fails during an update",
	async () => {
		const { file, run } = openLauncher();
		expect(await run("75\n75\n3\n")).toEqual({ status: 3, starts: 3 });
		writeFileSync(file("updating"), String(process.pid));
		// 143: it was stopped by SIGTERM, as its launcher was.
		expect(await run("1\nsleep\n", 2)).toEqual({ status: 143, starts: 2 });
		// An update that was killed leaves its file. No process has this id.
		writeFileSync(file("updating"), "9999999");
		expect(await run("1\n0\n")).toEqual({ status: 1, starts: 1 });
	},
);

onUnix(
	"a signal that comes just when the launcher starts a server stops the server too",
	async () => {
		const { file, run } = openLauncher();
		const launcher = readFileSync(file("counterfoil"), "utf8");
		const [before, after] = launcher.split("server=$!");
		writeFileSync(
			file("counterfoil"),
			`${before}kill -TERM $$; server=$!${after}`,
		);
		expect(await run("sleep\n")).toMatchObject({ status: 143 });
	},
);
