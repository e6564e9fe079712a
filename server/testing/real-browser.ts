import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer, { type Browser } from "puppeteer-core";

export type BrowserKind = "chrome" | "firefox";

const places: Record<BrowserKind, (string | undefined)[]> = {
	chrome: [
		process.env.CHROMIUM_PATH,
		"/usr/bin/chromium",
		"/usr/bin/chromium-browser",
		"/usr/bin/google-chrome",
	],
	firefox: [
		process.env.FIREFOX_PATH,
		"/usr/bin/firefox-esr",
		"/usr/bin/firefox",
	],
};

const chromeArgs = [
	"--no-sandbox",
	"--disable-gpu",
	// Keeps background pages as fast as visible ones.
	"--disable-background-timer-throttling",
	"--disable-backgrounding-occluded-windows",
	"--disable-renderer-backgrounding",
];

/** Finds a browser on this machine; undefined if there is none. */
export function browserPath(kind: BrowserKind): string | undefined {
	return places[kind].find((path) => path && existsSync(path));
}

/**
 * Opens a browser with a profile on disk that outlives it.
 *
 * @throws Error if this machine has no such browser
 */
export async function openBrowser(
	kind: BrowserKind,
	profile = mkdtempSync(join(tmpdir(), "counterfoil-browser-")),
): Promise<Browser> {
	const executablePath = browserPath(kind);
	if (!executablePath)
		throw new Error(`No ${kind} found: set CHROMIUM_PATH or FIREFOX_PATH`);
	return puppeteer.launch({
		browser: kind,
		executablePath,
		userDataDir: profile,
		args: kind === "chrome" ? chromeArgs : [],
		// A first pull of 50,000 products exceeds the default timeout.
		protocolTimeout: 0,
		defaultViewport: { width: 1280, height: 800 },
	});
}

/** Kills all of a browser's processes at once. */
export async function killBrowser(browser: Browser): Promise<void> {
	const process_ = browser.process();
	if (!process_?.pid) return;
	const exited = once(process_, "exit");
	process.kill(-process_.pid, "SIGKILL");
	await exited;
}

/** Measures the private memory of a browser's largest page process, as its task manager does. @returns bytes */
export function pageMemoryOf(browser: Browser): number {
	const root = browser.process()?.pid ?? 0;
	const all = readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.flatMap((pid) => processOf(Number(pid)));
	const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
	const isOwn = (pid: number): boolean =>
		pid === root || (pid > 1 && isOwn(parents.get(pid) ?? 0));
	return Math.max(
		...all
			.filter(({ pid, isPage }) => isPage && isOwn(pid))
			.map(({ bytes }) => bytes),
	);
}

function processOf(pid: number) {
	try {
		const status = readFileSync(`/proc/${pid}/status`, "utf8");
		const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
		const numberOf = (name: string) =>
			Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
		const isPage = /--type=renderer|-isForBrowser/.test(command);
		const bytes = (numberOf("RssAnon") + numberOf("VmSwap")) * 1024;
		return [{ pid, parent: numberOf("PPid"), isPage, bytes }];
	} catch (error) {
		// The process has ended meanwhile.
		if (["ENOENT", "ESRCH"].includes((error as { code?: string }).code ?? ""))
			return [];
		throw error;
	}
}
