import { once } from "node:events";
import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import {
	listBackups,
	proveBackup,
} from "../../server/operations/backup/own-backups.ts";
import { openMilkShop } from "../../server/testing/tills.ts";
import { openRandom } from "../../sync/simulation/random.ts";
import { setMeta } from "../../sync/store/meta.ts";
import { countOf, testSeed } from "../../sync/testing/lane.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { startCommand } from "../testing/command.ts";

test("a backup that is killed at any moment leaves no file that looks whole and is not", async () => {
	const { server } = await openMilkShop();
	// A copy that takes a while.
	await server.shop.store.write((tx) =>
		setMeta(tx, "ballast", "0123456789".repeat(5_000_000)),
	);
	const { dataDir } = server.settings;
	const dir = join(testDir(), "made");
	const random = openRandom(testSeed, "killed backups");
	const start = () =>
		// All copies of a thousand rounds would fill the disk.
		startCommand(["backup", "--out", dir, "--keep", "2"], {
			DATA_DIR: dataDir,
		});
	const begun = performance.now();
	await once(start(), "exit");
	const wholeMs = performance.now() - begun;
	expect(listBackups(dir)).toHaveLength(1);
	const newestName = () => listBackups(dir)[0]?.name ?? "";
	const whole = new Set([newestName()]);
	let cut = 0;
	for (let i = 0; i < 5 * countOf("KILL_ROUNDS"); i += 1) {
		const child = start();
		const end = once(child, "exit");
		await Promise.race([end, sleep((0.3 + 0.8 * random.next()) * wholeMs)]);
		child.kill("SIGKILL");
		await end;
		const newest = newestName();
		if (whole.has(newest)) cut += 1;
		whole.add(newest);
		expect(await proveBackup(join(dir, newest))).toBeUndefined();
		age(dir);
	}
	expect(cut).toBeGreaterThan(0);
	// Two whole ones and one that was killed before it deleted the third, with what the last one left.
	expect(readdirSync(dir).length).toBeLessThan(10);
}, 3_600_000);

/** The next backup takes what the killed one left for abandoned, and removes it. */
function age(dir: string): void {
	for (const name of readdirSync(dir)) utimesSync(join(dir, name), 0, 0);
}
