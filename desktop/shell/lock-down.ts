import { basename, join } from "node:path";
import type { App, Session, WebContents } from "electron";
import type { Logger } from "pino";
import { secretHeader } from "../shop/guard.ts";
import type { ShopAddress } from "./shop-supervisor.ts";

/** The permissions that the web app needs; all others are denied. */
const granted = new Set([
	"fullscreen",
	"clipboard-sanitized-write",
	"persistent-storage",
]);
/** The only page that opens in a new window: a receipt to read and print. */
const ownWindows = /^\/api\/receipts\/[^/]+$/;
/** The only address that opens in the computer's browser: a receipt as a draft in WhatsApp. */
const whatsApp = "https://wa.me/";

interface LockDownOptions {
	app: App;
	session: Session;
	door(): ShopAddress | undefined;
	openInBrowser(url: string): Promise<void>;
	log: Logger;
}

/** Sends the secret only to the shop, and restricts a page to the shop. */
export function lockDown({
	app,
	session,
	door,
	openInBrowser,
	log,
}: LockDownOptions): void {
	const isShops = (url: string) => {
		const at = door();
		return at !== undefined && originOf(url) === at.origin;
	};

	session.webRequest.onBeforeSendHeaders((details, callback) => {
		const headers = withoutSecret(details.requestHeaders);
		const at = door();
		if (at && originOf(details.url) === at.origin)
			headers[secretHeader] = at.secret;
		callback({ requestHeaders: headers });
	});
	session.setPermissionRequestHandler(
		(_contents, permission, callback, { requestingUrl }) =>
			callback(granted.has(permission) && isShops(requestingUrl)),
	);
	session.setPermissionCheckHandler(
		(_contents, permission, origin) =>
			granted.has(permission) && isShops(origin),
	);
	session.setDevicePermissionHandler(() => false);
	session.on("will-download", (event, item) => {
		if (!isShops(item.getURL())) {
			log.warn("Refused a download from elsewhere");
			event.preventDefault();
			return;
		}
		// Without a path, Electron asks for one.
		item.setSaveDialogOptions({
			defaultPath: join(app.getPath("documents"), basename(item.getFilename())),
		});
	});
	app.on("web-contents-created", (_event, contents) => keepAtHome(contents));

	function keepAtHome(contents: WebContents): void {
		const refuse = (details: { url: string; preventDefault(): void }) => {
			if (isShops(details.url)) return;
			log.warn({ to: originOf(details.url) }, "Refused a navigation");
			details.preventDefault();
		};
		contents.on("will-navigate", refuse);
		contents.on("will-frame-navigate", refuse);
		contents.on("will-redirect", refuse);
		contents.on("will-attach-webview", (event) => event.preventDefault());
		contents.setWindowOpenHandler(({ url }) => {
			if (isShops(url) && ownWindows.test(new URL(url).pathname))
				return {
					action: "allow",
					overrideBrowserWindowOptions: {
						autoHideMenuBar: true,
						webPreferences: safePreferences,
					},
				};
			if (url.startsWith(whatsApp)) {
				openInBrowser(url).catch((err) =>
					log.warn({ err }, "Couldn't open WhatsApp"),
				);
				return { action: "deny" };
			}
			log.warn({ to: originOf(url) }, "Refused a new window");
			return { action: "deny" };
		});
	}
}

/** Electron's secure defaults, made explicit. */
export const safePreferences = {
	contextIsolation: true,
	sandbox: true,
	nodeIntegration: false,
	nodeIntegrationInWorker: false,
	nodeIntegrationInSubFrames: false,
	webSecurity: true,
	webviewTag: false,
	spellcheck: false,
} as const;

/** An address's origin, or `null` as in browsers if it has none. */
function originOf(url: string): string {
	return URL.parse(url)?.origin ?? "null";
}

/** A redirected request would carry the secret elsewhere. */
function withoutSecret(
	headers: Record<string, string>,
): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).filter(
			([name]) => name.toLowerCase() !== secretHeader,
		),
	);
}
