import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { _electron } from "playwright-core";

/*
 * `npm run test:electron`: the till in the real Electron, wherever there is one, with a private display where there is
 * none. All that the other tests know of Electron is a stand-in.
 */

const root = join(import.meta.dirname, "../..");
const program = {
	darwin: "Electron.app/Contents/MacOS/Electron",
	win32: "electron.exe",
}[process.platform as string];

function findElectron(): string | undefined {
	const dist =
		process.env.ELECTRON_OVERRIDE_DIST_PATH ??
		join(root, "node_modules/electron/dist");
	const file = join(dist, program ?? "electron");
	return existsSync(file) ? file : undefined;
}

function expect(what: string, isSo: boolean): void {
	if (!isSo) throw new Error(`Not so: ${what}`);
	console.log(`ok: ${what}`);
}

async function trySmoke(executablePath: string): Promise<void> {
	const home = mkdtempSync(join(tmpdir(), "counterfoil-electron-"));
	const hasDisplay =
		process.platform !== "linux" ||
		process.env.DISPLAY !== undefined ||
		process.env.WAYLAND_DISPLAY !== undefined;
	const till = await _electron.launch({
		executablePath,
		args: [
			root,
			`--user-data-dir=${home}`,
			...(hasDisplay ? [] : ["--ozone-platform=headless"]),
			...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
		],
		env: { ...process.env, DATA_DIR: join(home, "shop") } as Record<
			string,
			string
		>,
	});
	try {
		const page = await till.firstWindow();
		await page.getByText("Open your shop").waitFor({ timeout: 60_000 });
		expect("the window shows the shop", true);
		const { origin } = new URL(page.url());
		expect(
			"the shop answers nobody but its window",
			(await fetch(origin)).status === 403,
		);
		const versions = await page.evaluate<{ electron: string }>(
			"window.till.versions()",
		);
		expect("the preload's calls are answered", versions.electron !== "none");
		expect(
			"the page has no Node",
			(await page.evaluate("typeof process + typeof require")) ===
				"undefinedundefined",
		);
		await page.evaluate("void window.open('https://example.com/')");
		await page.evaluate("void (location.href = 'https://example.com/')");
		await page.waitForTimeout(1_000);
		expect("no new window opens", till.windows().length === 1);
		expect("no page leads away", new URL(page.url()).origin === origin);
		const ended = new Promise((resolve) =>
			till.process().once("exit", resolve),
		);
		await page.close();
		expect("it ends with its window", (await ended) === 0);
		const isGone = await fetch(origin).then(
			() => false,
			() => true,
		);
		expect("its shop ends with it", isGone);
	} finally {
		till.process().kill();
		rmSync(home, { recursive: true, force: true });
	}
}

const found = findElectron();
if (!found)
	console.log(
		"Skipped: there is no Electron here. `npx install-electron` fetches one; ELECTRON_OVERRIDE_DIST_PATH names the folder of another.",
	);
else if (
	process.platform === "linux" &&
	process.env.DISPLAY === undefined &&
	spawnSync("xvfb-run", ["--help"]).status === 0
) {
	const { status } = spawnSync(
		"xvfb-run",
		["-a", process.execPath, import.meta.filename],
		{ stdio: "inherit" },
	);
	process.exitCode = status ?? 1;
} else await trySmoke(found);
