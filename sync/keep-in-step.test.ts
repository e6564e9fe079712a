import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
	setImmediate as nextTurn,
	setTimeout as sleep,
} from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { ShopError } from "./errors.ts";
import { keepInStep } from "./keep-in-step.ts";
import { openReplica } from "./replica.ts";
import { openSqlite } from "./store/sqlite.ts";
import { salesOf, testDir, testEnv, twoTills } from "./test-shop.ts";
import { httpTransport } from "./transport.ts";

/** Random bytes that are all the same. */
function envOf(byte: number) {
	return { ...testEnv(), randomBytes: (n: number) => Buffer.alloc(n, byte) };
}

test("a till that is refused with a wait comes back after it, and not because it is poked", async () => {
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
	const { poke, stop } = keepInStep(till, transport, {
		env: testEnv(),
		onError: () => refused.resolve(),
	});
	onTestFinished(async () => {
		await stop();
		server.close();
		await store.close();
	});
	await refused.promise;
	// As a stream does that is open still, and tells of each sale of another till's.
	const poking = setInterval(poke, 50);
	await expect.poll(() => asked.length, { timeout: 20_000 }).toBeGreaterThan(1);
	clearInterval(poking);
	const [first = 0, second = 0] = asked;
	// The timer counts from the answer, in whole milliseconds.
	expect(second - first).toBeGreaterThan(2_990);
});

test("what a server's stream tells of shortens no wait while the server fails", async () => {
	const { a } = await twoTills();
	let move = () => {};
	const watched = Promise.withResolvers<void>();
	a.line.watch = async (onMove, signal) => {
		move = () => onMove("e.1");
		watched.resolve();
		await once(signal, "abort");
	};
	let failures = 0;
	const { stop } = keepInStep(a.till, a.line, {
		env: envOf(0),
		onError: () => {
			failures += 1;
		},
	});
	onTestFinished(stop);
	await watched.promise;
	a.line.push = () => Promise.reject(new ShopError("storage_full", "Full"));
	for (let i = 0; i < 100; i += 1) {
		move();
		await sleep(5);
	}
	expect(failures).toBeGreaterThan(0);
	expect(failures).toBeLessThan(10);
});

test("a paused till asks again by itself, and goes on when the server takes its session again", async () => {
	const { server, a } = await twoTills();
	const id = await a.sell({ milk: 1 });
	a.line.unauthorized = true;
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	onTestFinished(() => {
		vi.useRealTimers();
	});
	const errors: unknown[] = [];
	const { stop } = keepInStep(a.till, a.line, {
		env: envOf(0),
		onError: (error) => errors.push(error),
	});
	onTestFinished(stop);
	/** Minutes go by until it is so. */
	async function until(isSo: () => Promise<boolean>) {
		for (let minute = 0; minute < 60 && !(await isSo()); minute += 1) {
			await vi.advanceTimersByTimeAsync(60_000);
			await nextTurn();
		}
		expect(await isSo()).toBe(true);
	}

	await until(async () => errors.length > 2);
	expect(await a.till.status()).toMatchObject({ paused: "unauthorized" });
	a.line.unauthorized = false;
	await until(async () => (await a.till.status()).paused === null);
	expect(await salesOf(server)).toEqual([id]);
});
