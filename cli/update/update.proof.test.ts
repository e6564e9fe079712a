import { execFileSync, spawn } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import {
	copyFileSync,
	existsSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { lookUp, schemaOf } from "../../server/testing/old-shop.ts";
import { authSecret, inFile } from "../../server/testing/server.ts";
import { openMilkShop, openTestTill } from "../../server/testing/tills.ts";
import { newestVersion } from "../../sync/store/migrate.ts";
import { ownPort } from "../../sync/testing/own-port.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { isReady } from "./release.ts";

/*
 * The releases are this checkout's sources, compiled, with its packages and its Node. Their launcher runs them as a service
 * does, while a till sells.
 */

const root = join(import.meta.dirname, "../..");
const nextSchema = newestVersion() + 1;
const nextMigration = `sync/store/migrations/${String(nextSchema).padStart(4, "0")}-stars.sql`;
const addStars = "ALTER TABLE reviews ADD COLUMN stars BIGINT;";

/** Packs a release in the form of a tarball, with its checksum beside it. @param changed texts of files, by path */
function pack(
	version: string,
	changed: Record<string, (text: string) => string> = {},
): string {
	const dir = testDir();
	const home = join(dir, "counterfoil");
	const program = join(home, "versions", version);
	const compile = join(root, "desktop/packaging/compile.ts");
	execFileSync(process.execPath, [
		...["--no-warnings", compile, "server", program],
	]);
	const { name, type } = JSON.parse(
		readFileSync(join(root, "package.json"), "utf8"),
	);
	const own = JSON.stringify({ name, type, version });
	writeFileSync(join(program, "package.json"), own);
	for (const [path, change] of Object.entries(changed)) {
		const file = join(program, path);
		const before = existsSync(file) ? readFileSync(file, "utf8") : "";
		expect(change(before)).not.toBe(before);
		writeFileSync(file, change(before));
	}
	symlinkSync(join(root, "node_modules"), join(program, "node_modules"));
	symlinkSync(process.execPath, join(program, "node"));
	symlinkSync(join("versions", version), join(home, "current"));
	copyFileSync(
		join(root, "cli/dev/release/counterfoil"),
		join(home, "counterfoil"),
	);
	const file = join(dir, `counterfoil-${version}.tar.gz`);
	execFileSync("tar", ["-czf", file, "-C", dir, "counterfoil"]);
	const sum = hash("sha256", readFileSync(file));
	writeFileSync(
		join(dir, "SHA256SUMS"),
		`${sum}  counterfoil-${version}.tar.gz\n`,
	);
	return file;
}

/** A shop that a release serves, with a till. */
async function openShopOfRelease() {
	const dir = testDir();
	const dataDir = join(dir, "data");
	const milkShop = await openMilkShop({ ...inFile, DATA_DIR: dataDir }, 1_000);
	await milkShop.server.close();
	execFileSync("tar", ["-xzf", pack("0.9.1"), "-C", dir]);
	const home = join(dir, "counterfoil");
	const port = await ownPort();
	const env = {
		...{ PATH: process.env.PATH, DATA_DIR: dataDir },
		...{ PORT: String(port), AUTH_SECRET: authSecret, LOG_LEVEL: "error" },
	};
	const launcher = spawn(join(home, "counterfoil"), ["serve"], {
		env,
		stdio: ["ignore", "ignore", "inherit"],
	});
	const stop = async () => {
		const ended = once(launcher, "exit");
		if (launcher.exitCode === null && launcher.kill("SIGTERM")) await ended;
	};
	onTestFinished(stop);
	const url = `http://localhost:${port}`;
	const serves = (version: string) => isReady(url, version);
	await expect.poll(() => serves("0.9.1")).toBe(true);
	const line = { url };
	const { till, sell } = await openTestTill(milkShop.asha, line);
	const update = async (file: string, ...args: string[]) => {
		const child = spawn(
			join(home, "counterfoil"),
			["update", "--from", file, ...args],
			{ env: { PATH: process.env.PATH, DATA_DIR: dataDir } },
		);
		child.stdin.end();
		const [out, err, [status]] = await Promise.all([
			text(child.stdout),
			text(child.stderr),
			once(child, "close"),
		]);
		return { status, out, err };
	};
	const database = join(dataDir, "counterfoil.db");
	const salesOnServer = () =>
		lookUp(database, "SELECT count(*) FROM sales") as number;
	return {
		...{ home, dataDir, database, url, till, sell, update, serves, stop },
		salesOnServer,
		current: () => readlinkSync(join(home, "current")),
	};
}

/** Sells and syncs, as a till does by itself, while `work` runs. @returns the number of sales, and of failed syncs */
async function sellDuring<T>(
	{
		till,
		sell,
	}: Pick<Awaited<ReturnType<typeof openShopOfRelease>>, "till" | "sell">,
	work: Promise<T>,
) {
	let isDone = false;
	const done = work.finally(() => {
		isDone = true;
	});
	let sold = 0;
	let unreachable = 0;
	while (!isDone) {
		await sell(1);
		sold++;
		await till.sync().catch(() => unreachable++);
		await sleep(50);
	}
	return { result: await done, sold, unreachable };
}

test("an update switches to the new release and its schema, while a till sells", async () => {
	const shop = await openShopOfRelease();
	const file = pack("0.9.2", { [nextMigration]: () => addStars });
	const { result, sold, unreachable } = await sellDuring(
		shop,
		shop.update(file),
	);
	expect(result).toEqual({
		status: 0,
		out: "Updated 0.9.1 to 0.9.2\n",
		err: "",
	});
	expect(await shop.serves("0.9.2")).toBe(true);
	expect(shop.current()).toBe("versions/0.9.2");
	expect(schemaOf(shop.database)).toBe(nextSchema);
	expect(readdirSync(join(shop.home, "versions"))).toEqual(["0.9.1", "0.9.2"]);
	expect(unreachable).toBeGreaterThan(0);
	await shop.sell(1);
	await shop.till.sync();
	expect(shop.salesOnServer()).toBe(sold + 1);

	// The folder of the last release but one goes.
	const { status } = await shop.update(
		pack("0.9.3", { [nextMigration]: () => addStars }),
	);
	expect(status).toBe(0);
	expect(readdirSync(join(shop.home, "versions"))).toEqual(["0.9.2", "0.9.3"]);
	expect(readdirSync(shop.home).sort()).toEqual([
		...["counterfoil", "current", "versions"],
	]);
	expect(existsSync(join(shop.dataDir, ".update-trial"))).toBe(false);
});

test("a release that doesn't come up is rolled back, and the database with it", async () => {
	const shop = await openShopOfRelease();
	await shop.sell(1);
	await shop.till.sync();
	const file = pack("0.9.2", {
		[nextMigration]: () => addStars,
		// It works on the copy and never gets ready on the shop's own database, which it has migrated.
		"server/http/health.js": (before) =>
			before.replace(
				"if (closing.aborted)",
				"if (!dataDir.includes('.update-trial')) return 'It is broken';\n\tif (closing.aborted)",
			),
	});
	const { result, sold } = await sellDuring(
		shop,
		shop.update(file, "--wait", "15"),
	);
	expect(result.err).toBe(
		"0.9.2 did not come up; 0.9.1 serves the shop again, and the log says why\n",
	);
	expect(result.status).toBe(1);
	expect(await shop.serves("0.9.1")).toBe(true);
	expect(shop.current()).toBe("versions/0.9.1");
	expect(schemaOf(shop.database)).toBe(newestVersion());
	const replaced = readdirSync(shop.dataDir).filter((name) =>
		/^counterfoil-replaced-\w+\.db$/.test(name),
	);
	expect(replaced.map((name) => schemaOf(join(shop.dataDir, name)))).toEqual([
		nextSchema,
	]);
	expect(readdirSync(join(shop.home, "versions"))).toEqual(["0.9.1"]);
	await shop.till.sync();
	expect(shop.salesOnServer()).toBe(sold + 1);
});

test("a release that crashes when it starts is rolled back", async () => {
	const shop = await openShopOfRelease();
	const file = pack("0.9.2", {
		// The trial is not run by the launcher.
		"server/serve.js": (before) =>
			before.replace(
				/function serve\(\) *\{/,
				"$& if (process.env.COUNTERFOIL_HOME) process.exit(3);",
			),
	});
	const { result, sold } = await sellDuring(
		shop,
		shop.update(file, "--wait", "15"),
	);
	expect(result).toMatchObject({
		status: 1,
		err: expect.stringContaining("0.9.1 serves the shop again"),
	});
	await shop.till.sync();
	expect(shop.salesOnServer()).toBe(sold);
});

test("a release that fails on the copy of the database changes nothing", async () => {
	const shop = await openShopOfRelease();
	await shop.sell(1);
	await shop.till.sync();
	const lossy = pack("0.9.2", {
		[nextMigration]: () => "UPDATE products SET deleted = 1;",
	});
	expect(await shop.update(lossy)).toEqual({
		status: 1,
		out: "",
		err: expect.stringMatching(
			/^0\.9\.2 failed on a copy of the database, so nothing was changed: it reads the shop differently: businesses\.0\.products: 1 became 0/,
		),
	});
	const broken = pack("0.9.2", { [nextMigration]: () => "Not SQL;" });
	expect(await shop.update(broken)).toMatchObject({
		status: 1,
		err: expect.stringMatching(
			/nothing was changed: Counterfoil can't start: .*syntax error\n$/,
		),
	});
	const current = pack("0.9.1");
	expect(await shop.update(current)).toMatchObject({
		status: 1,
		err: "0.9.1 is the current release already\n",
	});
	expect(await shop.update(current, "--sha256", "0".repeat(64))).toMatchObject({
		status: 1,
		err: `${current} is not the file of this checksum; download it again\n`,
	});
	expect(await shop.serves("0.9.1")).toBe(true);
	expect(schemaOf(shop.database)).toBe(newestVersion());
	expect(readdirSync(join(shop.home, "versions"))).toEqual(["0.9.1"]);
	expect(shop.salesOnServer()).toBe(1);
});

test("an update of a shop whose server was stopped or killed leaves other processes alone", async () => {
	const shop = await openShopOfRelease();
	await shop.stop();
	const other = spawn("sleep", ["600"]);
	onTestFinished(() => void other.kill("SIGKILL"));
	const note = { pid: other.pid, version: "0.9.1", home: shop.home };
	writeFileSync(
		join(shop.dataDir, "running.json"),
		JSON.stringify({ ...note, url: shop.url }),
	);
	expect(await shop.update(pack("0.9.2"))).toEqual({
		status: 0,
		out: "Updated 0.9.1 to 0.9.2\n",
		err: "No server was running; start it\n",
	});
	expect([other.exitCode, other.signalCode]).toEqual([null, null]);
	const db = new Database(shop.database);
	onTestFinished(() => void db.close());
	db.pragma("journal_mode = WAL");
	db.prepare("SELECT count(*) FROM meta").get();
	expect(await shop.update(pack("0.9.3"))).toMatchObject({
		status: 1,
		err: expect.stringMatching(/counterfoil\.db is in use, but no server/),
	});
});
