import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openLogger } from "../../server/operations/logger.ts";
import { secretHeader } from "../shop/guard.ts";
import { lockDown, safePreferences } from "./lock-down.ts";

const origin = "http://127.0.0.1:4781";
const secret = "secret of this run";

/** Records the handlers that are given to Electron. */
function openLocked(isOpen = true) {
	const app = Object.assign(new EventEmitter(), {
		getPath: () => "/documents",
	});
	const session = Object.assign(new EventEmitter(), {
		webRequest: { onBeforeSendHeaders: vi.fn() },
		setPermissionRequestHandler: vi.fn(),
		setPermissionCheckHandler: vi.fn(),
		setDevicePermissionHandler: vi.fn(),
	});
	const contents = Object.assign(new EventEmitter(), {
		setWindowOpenHandler: vi.fn(),
	});
	const openInBrowser = vi.fn(async () => {});
	lockDown({
		app: app as never,
		session: session as never,
		door: () => (isOpen ? { origin, secret } : undefined) as never,
		openInBrowser,
		log: openLogger("silent"),
	});
	app.emit("web-contents-created", {}, contents);
	const given = (fn: { mock: { calls: unknown[][] } }) =>
		fn.mock.calls[0]?.[0] as (...args: unknown[]) => unknown;
	return { session, contents, given, openInBrowser };
}

/** Addresses that don't belong to the shop, whatever they look like. */
const elsewhere = [
	"https://example.com/",
	"http://127.0.0.1:4782/",
	"http://localhost:4781/",
	"https://127.0.0.1:4781/",
	`http://127.0.0.1:4781@example.com/`,
	`https://example.com/${origin}`,
	"file:///etc/passwd",
	"javascript:alert(1)",
	"data:text/html,<b>x",
	"about:blank",
	"devtools://devtools/bundled/inspector.html",
	"not an address",
	"",
];

test("a page has no Node and is isolated from the preload script", () => {
	expect(safePreferences).toEqual({
		contextIsolation: true,
		sandbox: true,
		nodeIntegration: false,
		nodeIntegrationInWorker: false,
		nodeIntegrationInSubFrames: false,
		webSecurity: true,
		webviewTag: false,
		spellcheck: false,
	});
	// The preload script exposes a few named calls, never the IPC channel itself.
	const preload = readFileSync(
		join(import.meta.dirname, "../preload.cjs"),
		"utf8",
	);
	expect(preload.match(/exposeInMainWorld/g)).toHaveLength(1);
	expect(preload).not.toMatch(/: ipcRenderer|ipcRenderer\.(on|send)\b/);
});

test("a page can't navigate elsewhere, opens only receipts, and embeds no foreign page", () => {
	const { contents, given } = openLocked();
	const isStopped = (event: string, url: string) => {
		const preventDefault = vi.fn();
		contents.emit(event, { url, preventDefault });
		return preventDefault.mock.calls.length > 0;
	};
	for (const event of [
		"will-navigate",
		"will-frame-navigate",
		"will-redirect",
	]) {
		expect(isStopped(event, `${origin}/sales`)).toBe(false);
		for (const url of elsewhere)
			expect(`${event} ${url} ${isStopped(event, url)}`).toBe(
				`${event} ${url} true`,
			);
	}
	expect(isStopped("will-attach-webview", origin)).toBe(true);

	const opened = given(contents.setWindowOpenHandler);
	for (const url of [
		...elsewhere,
		`${origin}/`,
		`${origin}/api/receipts/../products`,
		`${origin}/api/receipts/1/2`,
		"https://example.com/api/receipts/1",
	])
		expect({ url, opens: opened({ url }) }).toEqual({
			url,
			opens: { action: "deny" },
		});
	expect(opened({ url: `${origin}/api/receipts/1?format=html` })).toMatchObject(
		{
			action: "allow",
			overrideBrowserWindowOptions: { webPreferences: safePreferences },
		},
	);
});

test("a receipt opens in WhatsApp by the computer's browser, and no other address does", () => {
	const { contents, given, openInBrowser } = openLocked();
	const opened = given(contents.setWindowOpenHandler);
	for (const url of [
		...elsewhere,
		"https://wa.me.example.com/",
		"http://wa.me/",
		"https://x@wa.me/",
	])
		opened({ url });
	expect(openInBrowser).not.toHaveBeenCalled();
	const url = "https://wa.me/254722000111?text=Receipt";
	expect(opened({ url })).toEqual({ action: "deny" });
	expect(openInBrowser).toHaveBeenCalledExactlyOnceWith(url);
});

test("only the shop's page gets the till's permissions, and no page gets a device", () => {
	const { session, given } = openLocked();
	const check = given(session.setPermissionCheckHandler);
	const ask = given(session.setPermissionRequestHandler);
	const asked = (permission: string, requestingUrl: string) => {
		const answer = vi.fn();
		ask({}, permission, answer, { requestingUrl });
		return answer.mock.calls[0]?.[0];
	};
	for (const permission of [
		...["media", "geolocation", "notifications", "midi", "openExternal"],
		...["clipboard-read", "display-capture", "hid", "serial", "usb"],
	]) {
		expect(`${permission} ${asked(permission, origin)}`).toBe(
			`${permission} false`,
		);
		expect(`${permission} ${check({}, permission, origin)}`).toBe(
			`${permission} false`,
		);
	}
	expect(asked("fullscreen", `${origin}/`)).toBe(true);
	for (const url of elsewhere) {
		expect(`${url} ${asked("fullscreen", url)}`).toBe(`${url} false`);
		expect(`${url} ${check({}, "fullscreen", url)}`).toBe(`${url} false`);
	}
	expect(given(session.setDevicePermissionHandler)()).toBe(false);
});

test("only requests to the shop carry the secret, also after a redirect", () => {
	for (const isOpen of [true, false]) {
		const { session, given } = openLocked(isOpen);
		const before = given(session.webRequest.onBeforeSendHeaders);
		const sent = (url: string, requestHeaders = {}) => {
			const callback = vi.fn();
			before({ url, requestHeaders }, callback);
			return callback.mock.calls[0]?.[0].requestHeaders;
		};
		expect(sent(`${origin}/api/till`)).toEqual(
			isOpen ? { [secretHeader]: secret } : {},
		);
		for (const url of elsewhere)
			expect(
				sent(url, { Accept: "*/*", [secretHeader.toUpperCase()]: secret }),
			).toEqual({ Accept: "*/*" });
	}
});

test("nothing is downloaded from elsewhere, and no file name leads out of the folder", () => {
	const { session } = openLocked();
	const download = (url: string, name: string) => {
		const preventDefault = vi.fn();
		const setSaveDialogOptions = vi.fn();
		session.emit(
			"will-download",
			{ preventDefault },
			{ getURL: () => url, getFilename: () => name, setSaveDialogOptions },
		);
		return preventDefault.mock.calls.length > 0
			? undefined
			: setSaveDialogOptions.mock.calls[0]?.[0];
	};
	for (const url of elsewhere) expect(download(url, "x.csv")).toBeUndefined();
	expect(download(`${origin}/api/products.csv`, "../../etc/x.csv")).toEqual({
		defaultPath: join("/documents", "x.csv"),
	});
});
