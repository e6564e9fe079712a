import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testDir } from "../sync/testing/shop.ts";

const analyze = "/usr/bin/systemd-analyze";
const checkout = join(import.meta.dirname, "..");
const docs = join(checkout, "docs");
const unit = readFileSync(join(docs, "counterfoil.service"), "utf8");

test("the systemd unit uses the directories that the installation guide creates", () => {
	const recipe = readFileSync(join(docs, "install.md"), "utf8");
	expect(recipe).toContain("cp docs/counterfoil.service /etc/systemd/system/");
	expect(unit).toContain("\nReadWritePaths=/srv/shop/data\n");
	for (const made of [
		"-m 700 /srv/shop/data",
		"--system --home-dir /srv/shop shop",
	])
		expect(recipe).toContain(made);
	const program = /^ExecStart=\/srv\/shop\/counterfoil\/(\S+) serve$/m.exec(
		unit,
	);
	expect(existsSync(join(checkout, program?.[1] ?? "none"))).toBe(true);
});

test.skipIf(!existsSync(analyze))(
	"systemd accepts the unit (skipped without systemd)",
	() => {
		const file = join(testDir(), "counterfoil.service");
		const verify = (text: string) => {
			writeFileSync(file, text.replaceAll("/srv/shop/counterfoil", checkout));
			return spawnSync(analyze, ["verify", file], { encoding: "utf8" });
		};
		expect(verify(unit)).toMatchObject({ status: 0, stdout: "", stderr: "" });
		// systemd-analyze does detect errors.
		expect(
			verify(unit.replace("ProtectClock=yes", "ProtectClock=perhaps")).stderr,
		).toContain("perhaps");
	},
);
