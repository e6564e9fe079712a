import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemEnv } from "../../sync/protocol/ids.ts";
import type { DifferenceReport } from "../../sync/replica/compare.ts";
import { httpTransport } from "../../sync/replica/http.ts";
import { openReplica } from "../../sync/replica/replica.ts";
import { startSyncLoop } from "../../sync/replica/sync-loop.ts";
import { openSqlite } from "../../sync/store/sqlite.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { fill } from "../testing/operations.ts";
import { openTestServer } from "../testing/server.ts";

test("a till puts its rows right over HTTP by itself when its program starts, and names no customer in its log [HEAL-1] [HEAL-2] [HEAL-4] [INV-3]", async () => {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	await fill(server, asha, "mine");
	const { businessId } = asha;
	const store = await openSqlite(join(testDir(), "till.db"));
	onTestFinished(() => store.close());
	const transport = httpTransport({
		...{ baseUrl: server.url, businessId },
		token: () => asha.bearer.slice("Bearer ".length),
	});
	const reports: DifferenceReport[] = [];
	const till = await openReplica({
		...{ store, businessId, transport },
		onDifference: (report) => reports.push(report),
	});
	await till.sync();
	await store.write(async (tx) => {
		await tx.run("UPDATE stored_sales SET total = 1, notes = 'For Baraka'");
		await tx.run("UPDATE products SET name = 'Baraka', quantity = 5");
	});
	const { digest } = await transport.digest();
	expect(await till.digest()).not.toBe(digest);
	const errors: unknown[] = [];
	const loop = startSyncLoop(till, transport, {
		env: systemEnv,
		onError: (error) => errors.push(error),
	});
	onTestFinished(loop.stop);
	await expect.poll(async () => (await till.status()).healed).not.toBe(null);
	expect(await till.digest()).toBe(digest);
	expect(await till.compare({ isThorough: true })).toBe("same");
	expect(errors).toEqual([]);
	expect(reports).toMatchObject([
		{ businessId, rows: { sale: expect.any(Number) }, removed: [] },
	]);
	expect(JSON.stringify(reports)).not.toContain("Baraka");
});
