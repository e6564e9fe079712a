import { expect, test } from "vitest";
import { testDir } from "../../sync/testing/shop.ts";
import { openAccount } from "./account.ts";
import { wireFigures } from "./bench-wire.ts";
import { startServerProcess } from "./server-process.ts";

test("a sale of three lines is pushed in at most 300 bytes and reaches another till in at most 250", async () => {
	const dir = testDir();
	const server = await startServerProcess(`${dir}/server`);
	try {
		const account = await openAccount(server.url, "Wire");
		const figures = await wireFigures({ ...server, ...account }, dir);
		expect(figures.map(({ limit }) => limit)).toEqual([300, 250]);
		for (const { what, value, limit } of figures) {
			// Of any smaller body the sale would be missing.
			expect(value, what).toBeGreaterThan(150);
			expect(value, what).toBeLessThanOrEqual(limit ?? 0);
		}
	} finally {
		await server.stop();
	}
});
