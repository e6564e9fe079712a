import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { build, type Rolldown } from "vite";
import { describe, expect, onTestFinished } from "vitest";
import { newestVersion, oldestVersion } from "../../../sync/store/migrate.ts";
import { schema } from "../../../sync/store/schema-plugin.ts";
import { openSqlite } from "../../../sync/store/sqlite.ts";
import { olderSchema } from "../../../sync/testing/older-schema.ts";
import { testDir } from "../../../sync/testing/shop.ts";
import { inBrowser, openWindow } from "../testing/browser.ts";
import { sellIn } from "./testing/same-shop.ts";
import type { StoreCalls } from "./testing/store-worker.ts";

let built: Promise<Map<string, string | Uint8Array>> | undefined;

/** @returns the files to serve, by path */
async function buildWorker() {
	const bundles = await build({
		configFile: false,
		root: import.meta.dirname,
		logLevel: "silent",
		plugins: [schema()],
		build: {
			write: false,
			rolldownOptions: {
				input: join(import.meta.dirname, "testing/store-worker.ts"),
				output: { entryFileNames: "worker.js" },
			},
		},
	});
	const { output } = bundles as Rolldown.RolldownOutput;
	return new Map(
		output.map((file) => [
			`/${file.fileName}`,
			file.type === "chunk" ? file.code : file.source,
		]),
	);
}

const types = { js: "text/javascript", wasm: "application/wasm" };

/** An origin with empty storage. */
async function openSite() {
	built ??= buildWorker();
	const files = await built;
	const server = createServer(({ url = "" }, response) => {
		const [, kind] = /\.(js|wasm)$/.exec(url) ?? [];
		response.setHeader(
			"content-type",
			types[kind as keyof typeof types] ?? "text/html",
		);
		// The strictest policy that the app's pages need.
		response.setHeader(
			"content-security-policy",
			"default-src 'self'; script-src 'self' 'wasm-unsafe-eval'",
		);
		response.end(files.get(url) ?? "<!doctype html><title>Shop</title>");
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return `http://127.0.0.1:${port}`;
}

/** Starts a worker in a page. */
async function openWorker(page: Page, url: string) {
	await page.goto(url);
	await page.evaluate(() => {
		const worker = new Worker("/worker.js", { type: "module" });
		const waiting = new Map<number, (answer: unknown[]) => void>();
		worker.onmessage = ({ data }) => waiting.get(data[0])?.(data);
		Object.assign(window, {
			callWorker: (name: string, args: unknown[]) =>
				new Promise((resolve) => {
					waiting.set(waiting.size, resolve);
					worker.postMessage([waiting.size - 1, name, args]);
				}),
		});
	});
	return async <Name extends keyof StoreCalls>(
		name: Name,
		...args: Parameters<StoreCalls[Name]>
	) => {
		const [, result, error] = await page.evaluate(
			([name, args]) =>
				(
					window as unknown as {
						callWorker(...call: unknown[]): Promise<unknown[]>;
					}
				).callWorker(name, args),
			[name, args] as const,
		);
		if (error) throw Object.assign(new Error(), error);
		return result as Awaited<ReturnType<StoreCalls[Name]>>;
	};
}

describe("a store in Chromium", () => {
	inBrowser(
		"a store in a browser holds the same shop as a file, on disk and in memory",
		async () => {
			const file = await openSqlite(join(testDir(), "till.db"));
			const digest = await sellIn(file);
			await file.close();
			const url = await openSite();
			const { page, problems } = await openWindow();
			for (const directory of ["shops/shop-1", undefined]) {
				const call = await openWorker(page, url);
				await call("open", directory);
				expect(await call("sell")).toBe(digest);
			}
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a browser loads the migration steps for an older build's database",
		async () => {
			const { page } = await openWindow();
			const call = await openWorker(page, await openSite());
			const migrated = await call("migrate", olderSchema(oldestVersion));
			expect(migrated).toBe(newestVersion());
		},
	);

	inBrowser(
		"a store in a browser keeps acknowledged writes through a reload, and opens in one tab at a time",
		async () => {
			const url = await openSite();
			const { page, context } = await openWindow();
			const first = await openWorker(page, url);
			await first("open", "shops/shop-1");
			const keys = Array.from({ length: 20 }, (_, i) => `k${i + 10}`);
			await first("write", keys, "v");
			const other = await openWorker(await context.newPage(), url);
			await expect(other("open", "shops/shop-1")).rejects.toMatchObject({
				code: "storage_busy",
			});
			expect(await first("keys")).toEqual(keys);
			// The worker ended without closing the store.
			const again = await openWorker(page, url);
			await expect
				.poll(() => again("open", "shops/shop-1").catch(({ code }) => code))
				.not.toBe("storage_busy");
			expect(await again("keys")).toEqual(keys);
			await again("close");
			await other("open", "shops/shop-1");
			expect(await other("keys")).toEqual(keys);
		},
	);

	inBrowser(
		"a store in a browser reports a full disk, and continues when there is room",
		async () => {
			const url = await openSite();
			const { page, context } = await openWindow();
			const call = await openWorker(page, url);
			await call("open", "shops/shop-1");
			await call("write", ["k1"], "v");
			const browser = await context.newCDPSession(page);
			const limit = (quotaSize?: number) =>
				browser.send("Storage.overrideQuotaForOrigin", {
					origin: url,
					quotaSize,
				});
			await limit(2_000_000);
			const large = "v".repeat(4_000_000);
			await expect(call("write", ["k2"], large)).rejects.toMatchObject({
				code: "storage_full",
			});
			expect(await call("keys")).toEqual(["k1"]);
			await limit();
			await call("write", ["k3"], large);
			const again = await openWorker(page, url);
			await expect
				.poll(() => again("open", "shops/shop-1").catch(({ code }) => code))
				.not.toBe("storage_busy");
			expect(await again("keys")).toEqual(["k1", "k3"]);
		},
	);
});
