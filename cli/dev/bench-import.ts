import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { importLinesMax } from "../../sync/protocol/request-errors.ts";
import { openAccount } from "./account.ts";
import type { Figure } from "./bench-kept.ts";
import { startServerProcess } from "./server-process.ts";

const products = 100_000;
const delayMaxMs = 250;

/** Measures the longest that a shop's sale waits while it imports 100,000 products, in files of the size that is allowed. */
export async function benchImport(): Promise<Figure[]> {
	const results = join(import.meta.dirname, "../../bench-results");
	mkdirSync(results, { recursive: true });
	const dataDir = mkdtempSync(join(results, "import-"));
	const server = await startServerProcess(dataDir);
	const { token } = await openAccount(server.url, "Asha");
	const shop = new Worker(new URL("./other-shop.ts", import.meta.url), {
		workerData: { url: server.url, token },
	});
	const longestWait = async () => {
		shop.postMessage("");
		const [ms] = await once(shop, "message");
		return ms as number;
	};
	try {
		await sleep(3_000);
		await longestWait();
		await sleep(5_000);
		const calm = await longestWait();
		const begun = performance.now();
		for (let at = 0; at < products; at += importLinesMax - 1) {
			const size = Math.min(importLinesMax - 1, products - at);
			const response = await fetch(
				new URL("/api/imports/products", server.url),
				{
					method: "POST",
					headers: {
						authorization: `Bearer ${token}`,
						"content-type": "text/csv",
					},
					body: fileOf(at, size),
				},
			);
			const { created } = (await response.json()) as { created?: number };
			if (created !== size) throw new Error(`Created ${created} of ${size}`);
		}
		const seconds = (performance.now() - begun) / 1_000;
		return [
			{ what: "a sale's longest wait before", value: calm, unit: "ms" },
			{
				what: `a sale's longest wait during the import of ${products} products`,
				value: await longestWait(),
				unit: "ms",
				limit: delayMaxMs,
			},
			{ what: "the import", value: seconds, unit: "s" },
		];
	} finally {
		await shop.terminate();
		await server.stop();
		rmSync(dataDir, { recursive: true, force: true });
	}
}

function fileOf(from: number, size: number): string {
	const lines = Array.from({ length: size }, (_, i) => {
		const n = from + i;
		return `Product ${n},${6_000_000_000_000 + n},${40 + (n % 100)},${60 + (n % 100)},${n % 50},Category ${n % 40}`;
	});
	return ["name,sku,cost,price,stock,category", ...lines, ""].join("\n");
}
