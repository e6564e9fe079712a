import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { extractAll, listPackage } from "@electron/asar";
import { expect, onTestFinished } from "vitest";
import { oneIn } from "../../sync/testing/lane.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { secretHeader } from "../shop/guard.ts";
import { compile } from "./compile.ts";

const root = join(import.meta.dirname, "../..");
/** Marks Electron's fuses in its binary; a version, their number and a character for each follow. */
const fuseMark = "dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX";
const fusesOfElectron = "101100011";

/** The parts of an Electron that the packager looks at. */
function standIn(dir: string): string {
	mkdirSync(join(dir, "resources"), { recursive: true });
	const { version } = JSON.parse(
		readFileSync(join(root, "node_modules/electron/package.json"), "utf8"),
	);
	writeFileSync(join(dir, "version"), version);
	writeFileSync(
		join(dir, "electron"),
		`${fuseMark}\u0001${String.fromCharCode(fusesOfElectron.length)}${fusesOfElectron} and a browser`,
		{ mode: 0o755 },
	);
	return dir;
}

oneIn(6).skipIf(process.platform !== "linux")(
	"a package holds only what a till runs, with Electron's unneeded features turned off",
	async () => {
		const dir = testDir();
		compile("till");
		await promisify(execFile)(
			process.execPath,
			[
				join(root, "node_modules/electron-builder/cli.js"),
				"--config=desktop/packaging/electron-builder.json",
				"--linux",
				`--${process.arch}`,
				"--dir",
				`-c.electronDist=${standIn(join(dir, "electron"))}`,
				`-c.directories.output=${join(dir, "out")}`,
			],
			{ cwd: root },
		);
		const suffix = process.arch === "x64" ? "" : `-${process.arch}`;
		const packaged = join(dir, `out/linux${suffix}-unpacked`);

		const binary = readFileSync(join(packaged, "counterfoil"), "latin1");
		const at = binary.indexOf(fuseMark) + fuseMark.length + 2;
		// Node's options and inspector are off, and only the verified archive is loaded.
		expect(binary.slice(at, at + 6)).toBe("010011");

		const archive = join(packaged, "resources/app.asar");
		const files = listPackage(archive, { isPack: false });
		for (const file of [
			"/desktop/main.js",
			"/desktop/preload.cjs",
			"/desktop/dist/index.html",
			"/schema.sql",
			"/server/accounts/password-worker.js",
		])
			expect(files).toContain(file);
		const native = files.filter((file) => file.endsWith(".node"));
		expect(native).toEqual([
			`/node_modules/better-sqlite3/prebuilds/linux-${process.arch}.node`,
		]);
		// A till has no PostgreSQL: its database is a file.
		expect(files.filter((file) => /\/node_modules\/pg/.test(file))).toEqual([]);
		const tops = new Set(files.map((file) => file.split("/")[1]));
		expect([...tops].sort()).toEqual([
			"desktop",
			"node_modules",
			"package.json",
			"schema.sql",
			"server",
			"sync",
		]);
		expect(
			files.filter((file) =>
				/\.tsx?$|\.test\.|\.c(pp)?$|\/(vitest|vite|react|typescript|electron|playwright-core)\//.test(
					file,
				),
			),
		).toEqual([]);

		const app = join(dir, "app");
		extractAll(archive, app);
		expect(
			JSON.parse(readFileSync(join(app, "package.json"), "utf8")),
		).toMatchObject({ main: "desktop/main.js", type: "module" });
		await expectShell(join(app, "desktop/main.js"), dir);
		await expectShop(
			join(app, "desktop/shop/shop-process.js"),
			join(dir, "data"),
		);
	},
);

/** Checks that everything the packaged shell imports is there; as a second instance it exits at once. */
async function expectShell(program: string, home: string): Promise<void> {
	const hooks = join(import.meta.dirname, "../shell/testing/electron-hooks.ts");
	await promisify(execFile)(process.execPath, ["--import", hooks, program], {
		env: { ...process.env, TEST_SECOND: "1", TEST_HOME: home },
	});
}

/** Checks that the packaged shop opens and creates an account, with its database, page and worker thread. */
async function expectShop(program: string, dataDir: string): Promise<void> {
	const secret = "s".repeat(43);
	const child = fork(program, {
		env: { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: "silent" },
		execArgv: ["--no-strip-types"],
	});
	const ended = once(child, "exit");
	onTestFinished(async () => {
		if (child.connected) child.send({ kind: "stop" });
		await ended;
	});
	child.send({ kind: "start", secret });
	const [report] = await once(child, "message");
	expect(report).toMatchObject({ kind: "started" });
	const headers = {
		[secretHeader]: secret,
		"content-type": "application/json",
	};
	const page = await fetch(report.url, { headers });
	expect(await page.text()).toContain('<div id="app">');
	const made = await fetch(`${report.url}/api/setup`, {
		method: "POST",
		headers,
		body: JSON.stringify({
			name: "Njeri",
			email: "njeri@example.com",
			password: "correct horse",
		}),
	});
	expect(made.status).toBe(201);
}
