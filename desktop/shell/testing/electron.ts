import { fork as forkNode } from "node:child_process";
import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
	type Browser,
	type BrowserContext,
	chromium,
	type Frame,
	type Page,
} from "playwright-core";

/*
 * The parts of Electron that the shell uses, on Chromium: a window is a real page, the shop a real process of plain Node.
 * It runs as the till's main process, controlled by the test through messages. It doesn't prove Electron's own order of
 * events, sandbox, single-instance lock, menus or printers.
 */

type Listener = (...given: never[]) => unknown;
type Headers = Record<string, string>;
/** A call to a stand-in that only records it. */
const noted: { what: string; given: unknown[] }[] = [];
const note = (what: string, ...given: unknown[]) => {
	noted.push({ what, given });
};

let browser: Promise<Browser> | undefined;
let context: Promise<BrowserContext> | undefined;

async function openPage(): Promise<Page> {
	browser ??= chromium.launch({
		executablePath: process.env.CHROMIUM_PATH as string,
		args: ["--no-sandbox", "--disable-gpu", "--renderer-process-limit=1"],
	});
	context ??= (await browser).newContext({
		locale: "en-GB",
		// Playwright sees a page's requests, but not a service worker's.
		serviceWorkers: "block",
	});
	return (await context).newPage();
}

const handlers = new Map<string, Listener>();
const rules: Record<string, Listener> = {};
const windows: BrowserWindow[] = [];

class App extends EventEmitter {
	isPackaged = false;
	requestSingleInstanceLock = () => process.env.TEST_SECOND !== "1";
	enableSandbox = () => note("enableSandbox");
	whenReady = () => Promise.resolve();
	getPath = (name: string) => join(process.env.TEST_HOME as string, name);
	exit = (status: number) => process.exit(status);
	quit(): void {
		let isPrevented = false;
		this.emit("will-quit", {
			preventDefault: () => {
				isPrevented = true;
			},
		});
		if (!isPrevented) void this.#end();
	}

	async #end(): Promise<void> {
		await (await browser)?.close();
		process.exit(0);
	}
}
export const app = new App();

class WebContents extends EventEmitter {
	readonly opened: Promise<Page>;
	openHandler: Listener = () => ({ action: "allow" });
	getPrintersAsync = async () => [{ name: "Star TSP100" }];
	constructor(preload: string | undefined) {
		super();
		this.opened = this.#open(preload);
	}

	async #open(preload: string | undefined): Promise<Page> {
		const page = await openPage();
		await page.exposeBinding(
			"invokeMain",
			({ frame }: { frame: Frame }, channel: string, given: unknown[]) =>
				invoke(
					channel,
					given,
					new URL(frame.url()).origin,
					frame !== page.mainFrame(),
				),
		);
		if (preload)
			await page.addInitScript(`{
				const require = () => ({
					contextBridge: { exposeInMainWorld: (name, api) => { window[name] = api; } },
					ipcRenderer: { invoke: (channel, ...given) => window.invokeMain(channel, given) },
				});
				${readFileSync(preload, "utf8")}
			}`);
		await page.route("**/*", async (route) => {
			const request = route.request();
			if (
				request.isNavigationRequest() &&
				request.frame() === page.mainFrame()
			) {
				if (this.emitStoppable("will-navigate", request.url()) && !this.isOwn)
					return route.fulfill({ status: 204 });
			}
			return route.continue({
				headers: await headersFor(request.url(), await request.allHeaders()),
			});
		});
		page.on("popup", async (popup) => {
			const { action } = this.openHandler({ url: popup.url() } as never) as {
				action: string;
			};
			note("popup", popup.url(), action);
			if (action === "deny") await popup.close();
		});
		return page;
	}

	/** A page that the shell itself loads isn't a navigation by the page. */
	isOwn = false;
	emitStoppable(name: string, url: string): boolean {
		let isStopped = false;
		this.emit(name, {
			url,
			preventDefault: () => {
				isStopped = true;
			},
		});
		return isStopped;
	}

	setWindowOpenHandler(handler: Listener): void {
		this.openHandler = handler;
	}

	print(
		options: object,
		done: (isDone: boolean, reason: string) => void,
	): void {
		void this.opened
			.then((page) => page.innerText("body"))
			.then((text) => {
				note("print", options, text);
				done(true, "");
			});
	}
}

export class BrowserWindow extends EventEmitter {
	readonly webContents: WebContents;
	#isFullScreen: boolean;
	constructor(options: {
		fullscreen?: boolean;
		webPreferences: { preload?: string };
	}) {
		super();
		note("window", options);
		this.#isFullScreen = options.fullscreen ?? false;
		this.webContents = new WebContents(options.webPreferences.preload);
		app.emit("web-contents-created", {}, this.webContents);
		windows.push(this);
	}
	async loadURL(url: string): Promise<void> {
		const page = await this.webContents.opened;
		this.webContents.isOwn = true;
		await page.goto(url).finally(() => {
			this.webContents.isOwn = false;
		});
	}
	getNormalBounds = () => ({ x: 10, y: 20, width: 1000, height: 700 });
	isMaximized = () => false;
	isMinimized = () => true;
	maximize = () => note("maximize");
	restore = () => note("restore");
	focus = () => note("focus");
	isFullScreen = () => this.#isFullScreen;
	setFullScreen(on: boolean): void {
		this.#isFullScreen = on;
		this.emit(on ? "enter-full-screen" : "leave-full-screen");
	}
	setMenuBarVisibility = (on: boolean) => note("menuBar", on);
	destroy(): void {
		windows.splice(windows.indexOf(this), 1);
		void this.webContents.opened.then((page) => page.close());
	}
	close(): void {
		this.emit("close");
		this.destroy();
		this.emit("closed");
		app.emit("window-all-closed");
	}
}

class DefaultSession extends EventEmitter {
	webRequest = {
		onBeforeSendHeaders: (listener: Listener) => {
			rules.headers = listener;
		},
	};
	setPermissionRequestHandler = (handler: Listener) => {
		rules.permission = handler;
	};
	setPermissionCheckHandler = () => undefined;
	setDevicePermissionHandler = () => undefined;
}
export const session = { defaultSession: new DefaultSession() };

function headersFor(url: string, requestHeaders: Headers): Promise<Headers> {
	return new Promise((resolve) =>
		rules.headers?.(
			{ url, requestHeaders } as never,
			((changed: { requestHeaders: Headers }) =>
				resolve(changed.requestHeaders)) as never,
		),
	);
}

async function invoke(
	channel: string,
	given: unknown[],
	origin: string,
	isFramed: boolean,
) {
	const event = { senderFrame: { origin, parent: isFramed ? {} : null } };
	return handlers.get(channel)?.(event as never, ...(given as never[]));
}

export const ipcMain = {
	handle: (channel: string, handler: Listener) =>
		handlers.set(channel, handler),
};
export const utilityProcess = {
	fork(
		file: string,
		args: string[],
		{ env = process.env, execArgv = [] as string[] } = {},
	) {
		const child = forkNode(file, args, { env, silent: true, execArgv });
		shopPids.push(child.pid as number);
		const process_ = Object.assign(new EventEmitter(), {
			stdout: child.stdout,
			stderr: child.stderr,
			pid: child.pid,
			postMessage: (message: object) => child.send(message),
			kill: () => child.kill("SIGKILL"),
		});
		for (const name of ["spawn", "message", "exit"])
			child.on(name, (value) => process_.emit(name, value));
		return process_;
	},
};
const shopPids: number[] = [];

export const Menu = {
	buildFromTemplate: (template: unknown) => template,
	setApplicationMenu: (template: { label?: string }[]) =>
		note(
			"menu",
			template.map(({ label }) => label),
		),
};
export const dialog = {
	showErrorBox: (...given: unknown[]) => note("errorBox", ...given),
	showMessageBox: async (_window: unknown, options: object) =>
		note("messageBox", options),
	showOpenDialog: async () => ({
		canceled: false,
		filePaths: [join(process.env.TEST_HOME as string, "copies")],
	}),
};
export const safeStorage = {
	isEncryptionAvailable: () => true,
	getSelectedStorageBackend: () => "gnome_libsecret",
	encryptString: (text: string) => Buffer.from(`sealed ${text}`),
	decryptString: (sealed: Buffer) => String(sealed).slice(7),
};
export const screen = {
	getAllDisplays: () => [
		{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } },
	],
};
export const nativeImage = {
	createFromDataURL: () => ({ isEmpty: () => true }),
};
export const shell = {
	openExternal: async (url: string) => note("openExternal", url),
	openPath: async (path: string) => note("openPath", path),
};

/** The commands of a test. */
const answers: Record<string, (...given: string[]) => unknown> = {
	evaluate: async (script = "") =>
		(await windows[0]?.webContents.opened)?.evaluate(script),
	text: async () => (await windows[0]?.webContents.opened)?.innerText("body"),
	url: async () => (await windows[0]?.webContents.opened)?.url(),
	noted: () => noted,
	shopPids: () => shopPids,
	headers: (url = "") => headersFor(url, { accept: "*/*" }),
	invoke: (channel = "", origin = "", isFramed = "") =>
		invoke(channel, [], origin, isFramed === "framed"),
	permission: (permission = "", requestingUrl = "") =>
		new Promise((resolve) =>
			rules.permission?.(
				{} as never,
				permission as never,
				resolve as never,
				{ requestingUrl } as never,
			),
		),
	secondStart: () => app.emit("second-instance"),
	close: () => windows[0]?.close(),
};
process.on(
	"message",
	async ({
		id,
		what,
		given,
	}: {
		id: number;
		what: string;
		given: string[];
	}) => {
		try {
			process.send?.({ id, value: (await answers[what]?.(...given)) ?? null });
		} catch (error) {
			process.send?.({ id, problem: String(error) });
		}
	},
);
