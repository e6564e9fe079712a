import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { build, type Rolldown } from "vite";
import { expect } from "vitest";
import { schema } from "../../../../sync/store/schema-plugin.ts";
import {
	openShopServer,
	openWindow,
	ownerCookie,
	type ShopServer,
} from "../../testing/browser.ts";
import type { PageCalls } from "./shop-page.ts";

const base = "/test-shop/";
const types = { js: "text/javascript", wasm: "application/wasm" };
let built: Promise<Map<string, string | Buffer>> | undefined;

/** @returns the files to serve, by path */
async function buildPage() {
	const bundles = await build({
		configFile: false,
		root: import.meta.dirname,
		base,
		logLevel: "silent",
		worker: { format: "es", plugins: () => [schema()] },
		define: { __PROGRAM_VERSION__: '"test"' },
		build: {
			write: false,
			target: "es2022",
			rolldownOptions: {
				input: join(import.meta.dirname, "shop-page.ts"),
				output: { entryFileNames: "page.js" },
			},
		},
	});
	const { output } = bundles as Rolldown.RolldownOutput;
	return new Map(
		output.map((file) => [
			base + file.fileName,
			file.type === "chunk" ? file.code : Buffer.from(file.source),
		]),
	);
}

/** Makes a worker's files fail to open. */
export const brokenFiles = `FileSystemFileHandle.prototype.createSyncAccessHandle = async () => {
	throw new DOMException("The file can't be opened", "InvalidStateError");
};`;

/** Serves the test page next to a server's app. */
async function routePage(context: BrowserContext) {
	built ??= buildPage();
	const files = await built;
	const site = { filesAreBroken: false };
	await context.route(`**${base}**`, (route) => {
		const { pathname } = new URL(route.request().url());
		const [, kind] = /\.(js|wasm)$/.exec(pathname) ?? [];
		const found = files.get(pathname);
		const isBroken = site.filesAreBroken && /\/worker-[^/]*$/.test(pathname);
		const body =
			(isBroken ? `${brokenFiles}\n${found}` : found) ??
			`<!doctype html><title>Shop</title><script type="module" src="${base}page.js"></script>`;
		return route.fulfill({
			body,
			contentType: types[kind as keyof typeof types] ?? "text/html",
			headers: {
				"content-security-policy":
					"default-src 'self'; script-src 'self' 'wasm-unsafe-eval'",
			},
		});
	});
	return site;
}

/** Calls the page's functions by name. */
function callsOf(page: Page) {
	return <Name extends keyof PageCalls>(
		name: Name,
		...args: Parameters<PageCalls[Name]>
	): Promise<Awaited<ReturnType<PageCalls[Name]>>> =>
		page.evaluate(
			([name, args]) => {
				const { calls } = window as unknown as { calls: PageCalls };
				return (calls[name] as (...args: unknown[]) => unknown)(...args);
			},
			[name, args] as const,
		) as never;
}

/** Opens the page and its shop. */
export async function openPage(
	page: Page,
	url: string,
	{ businessId, userId }: { businessId: string; userId: string },
	name = "Njeri Kamau",
) {
	await page.goto(`${url}${base}`);
	await page.waitForFunction(() => "calls" in window);
	const call = callsOf(page);
	const standing = await call("open", businessId, userId, name, "OWNER");
	return { page, call, standing };
}

/**
 * A server whose owner is signed in on a browser, with the page open.
 *
 * @param host leads to this machine; a secure address or an insecure one
 * @param prepare runs in the browser before the page opens
 */
export async function openBrowser(
	host = "localhost",
	prepare: (before: {
		server: ShopServer;
		owner: Awaited<ReturnType<ShopServer["fill"]>>;
		page: Page;
		url: string;
	}) => Promise<void> = async () => {},
) {
	const server = await openShopServer();
	const owner = await server.fill();
	const url = server.url.replace(/\/\/[^:]+/, `//${host}`);
	const { page, context } = await openWindow();
	const site = await routePage(context);
	const cookie = await ownerCookie({ ...server, url }, owner);
	await context.addCookies([cookie]);
	await prepare({ server, owner, page, url });
	const open = (page: Page) => openPage(page, url, owner);
	const tab = await open(page);
	return {
		...{ server, owner, context, url, tab, site },
		/** Reloads the page. */
		reload: () => open(page),
		openTab: async () => open(await context.newPage()),
		salesOf: async () =>
			(await server.now().rows("SELECT id FROM sales ORDER BY id")).map(
				({ id }) => id,
			),
	};
}
type Tab = Awaited<ReturnType<typeof openPage>>;

export async function stockOf({ call }: Tab, id = "milk") {
	const product = await call("ask", "product.get", { id });
	return (product as { quantity: number } | undefined)?.quantity;
}

/** Waits until the shop is downloaded. */
export async function filled({ call }: Tab): Promise<void> {
	await call("tryNow");
	expect(await call("standing")).toMatchObject({ isFilled: true });
}
