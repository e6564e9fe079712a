import { once } from "node:events";
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
		startCommand(["backup", "--out", dir], { DATA_DIR: dataDir });
	const begun = performance.now();
	await once(start(), "exit");
	const wholeMs = performance.now() - begun;
	expect(listBackups(dir)).toHaveLength(1);
	let cut = 0;
	for (let i = 0; i < 5 * countOf("KILL_ROUNDS"); i += 1) {
		const before = listBackups(dir).length;
		const child = start();
		const end = once(child, "exit");
		await Promise.race([end, sleep((0.3 + 0.8 * random.next()) * wholeMs)]);
		child.kill("SIGKILL");
		await end;
		if (listBackups(dir).length === before) cut += 1;
		const [newest] = listBackups(dir);
		expect(await proveBackup(join(dir, newest?.name ?? ""))).toBeUndefined();
	}
	expect(cut).toBeGreaterThan(0);
}, 3_600_000);
