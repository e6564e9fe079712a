import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished } from "vitest";
import { openSqlite } from "../store/sqlite.ts";
import { oneIn } from "../testing/lane.ts";
import { testDir, testEnv } from "../testing/shop.ts";
import { httpTransport } from "./http.ts";
import { openReplica } from "./replica.ts";
import { startSyncLoop } from "./sync-loop.ts";

oneIn(3)(
	"a till that is refused with Retry-After waits that long, even if its head listener fires",
	async () => {
		const asked: number[] = [];
		const server = createServer((_request, response) => {
			asked.push(performance.now());
			response.writeHead(503, {
				"content-type": "application/json",
				"retry-after": "3",
			});
			response.end('{"error":"The server is busy"}');
		});
		await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
		const { port } = server.address() as AddressInfo;
		const store = await openSqlite(`${testDir()}/till.db`);
		const transport = httpTransport({
			baseUrl: `http://127.0.0.1:${port}`,
			businessId: "shop",
			token: () => "token",
		});
		const till = await openReplica({ store, businessId: "shop", transport });
		const refused = Promise.withResolvers<void>();
		const { requestSync, stop } = startSyncLoop(till, transport, {
			env: testEnv(),
			onError: () => refused.resolve(),
		});
		onTestFinished(async () => {
			await stop();
			server.close();
			await store.close();
		});
		await refused.promise;
		// Like an open stream that reports each sale of another till.
		const poking = setInterval(requestSync, 50);
		await expect
			.poll(() => asked.length, { timeout: 20_000 })
			.toBeGreaterThan(1);
		clearInterval(poking);
		const [first = 0, second = 0] = asked;
		// The timer starts at the answer and counts whole milliseconds.
		expect(second - first).toBeGreaterThan(2_990);
	},
);
