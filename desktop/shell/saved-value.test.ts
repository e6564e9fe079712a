import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SafeStorage } from "electron";
import { expect, test } from "vitest";
import * as z from "zod";
import { openLogger } from "../../server/operations/logger.ts";
import { mountSmallDisk, noSmallDisk } from "../../sync/testing/disk.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { openTokenFile } from "../shop/token-store.ts";
import { openKeychainToken } from "./keychain-token.ts";
import { openLogFile } from "./log-file.ts";
import { openSavedValue } from "./saved-value.ts";

const log = openLogger("silent");
const token = "a token of the server's";

/** An OS keychain with one key. */
function keeper(key: number, backend = "gnome_libsecret", isAvailable = true) {
	const turn = (bytes: Uint8Array) =>
		Buffer.from(bytes.map((byte) => byte ^ key));
	return {
		isEncryptionAvailable: () => isAvailable,
		getSelectedStorageBackend: () => backend,
		encryptString: (text: string) => turn(Buffer.from(`sealed:${text}`)),
		decryptString(sealed: Buffer) {
			const text = String(turn(sealed));
			if (!text.startsWith("sealed:")) throw new Error("Another key");
			return text.slice(7);
		},
	} as unknown as SafeStorage;
}

test("a token is stored encrypted, and is lost without an error if the keychain's key changes", () => {
	const file = join(testDir(), "token.json");
	const vault = openKeychainToken(file, keeper(7), log, "linux");
	expect(vault.read()).toBeUndefined();
	vault.write(token);
	expect(readFileSync(file, "utf8")).not.toContain(token);
	expect(openKeychainToken(file, keeper(7), log, "linux").read()).toBe(token);
	expect(
		openKeychainToken(file, keeper(9), log, "linux").read(),
	).toBeUndefined();
});

test.each([
	["nothing keeps secrets", "linux", keeper(7, "unknown", false), false],
	["the key is no secret", "linux", keeper(7, "basic_text"), false],
	["the backend is not asked for", "darwin", keeper(7, "basic_text"), true],
] as const)(
	"a token is in a file that only this user can read if %s",
	(_why, platform, storage, isSealed) => {
		const file = join(testDir(), "token.json");
		openKeychainToken(file, storage, log, platform).write(token);
		expect(readFileSync(file, "utf8").includes(token)).toBe(!isSealed);
		expect(statSync(file).mode & 0o077).toBe(0);
		expect(openKeychainToken(file, storage, log, platform).read()).toBe(token);
	},
);

test("a saved value that can't be read counts as missing", () => {
	const file = join(testDir(), "port.json");
	const lines: string[] = [];
	const kept = openSavedValue(
		file,
		z.int(),
		openLogger("warn", { write: (line) => lines.push(line) }),
	);
	kept.write(4780);
	expect(kept.read()).toBe(4780);
	for (const broken of ["", '"4780"', "{"]) {
		writeFileSync(file, broken);
		expect(kept.read()).toBeUndefined();
	}
	expect(lines).toHaveLength(3);
});

test("a log keeps its newest lines within its limit", () => {
	const dir = testDir();
	const file = join(dir, "counterfoil.log");
	const limits = { bytesMax: 100, filesMax: 3 };
	for (let n = 1; n <= 60; n += 1)
		// As after a restart, with existing files counted.
		openLogFile(file, limits).write(`line ${String(n).padStart(3, "0")}\n`);
	const files = readdirSync(dir).sort();
	expect(files).toEqual([
		"counterfoil.log",
		"counterfoil.log.1",
		"counterfoil.log.2",
	]);
	for (const name of files)
		expect(statSync(join(dir, name)).size).toBeLessThanOrEqual(100);
	const all = files
		.toReversed()
		.map((name) => readFileSync(join(dir, name), "utf8"));
	const kept = all.join("").trim().split("\n");
	expect(kept.at(-1)).toBe("line 060");
	expect(kept).toEqual([...kept].sort());
	expect(kept.length).toBeGreaterThanOrEqual(22);
});

const onFullDisk = (what: string) =>
	noSmallDisk ? `${what} (skipped: ${noSmallDisk})` : what;

test.skipIf(noSmallDisk)(
	onFullDisk("a full disk takes nothing away of what was kept before"),
	() => {
		const disk = mountSmallDisk(1);
		const file = join(disk.dir, "till.json");
		const kept = openSavedValue(file, z.string(), log);
		const vault = openTokenFile(disk.dir);
		kept.write("first");
		vault.write(token);
		// Room for a part of the value.
		disk.fill(20_000);
		expect(() => kept.write("x".repeat(100_000))).toThrow("ENOSPC");
		disk.clear();
		disk.fill();
		expect(() => vault.write("another token")).toThrow("ENOSPC");
		expect([kept.read(), vault.read()]).toEqual(["first", token]);
		expect(readdirSync(disk.dir).sort()).toEqual(["server-token", "till.json"]);
	},
);
