import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openHeadNotifier } from "../feed/head-notifier.ts";
import { ShopError } from "../protocol/errors.ts";
import { salesOf, testEnv, twoTills } from "../testing/shop.ts";
import type { Replica } from "./replica.ts";
import { startSyncLoop } from "./sync-loop.ts";
import type { Transport } from "./transport.ts";

/** Random bytes that are all 0: waits are as long as they are meant. */
const env = { ...testEnv(), randomBytes: (n: number) => Buffer.alloc(n) };

function fakeTimers(): void {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	onTestFinished(() => {
		vi.useRealTimers();
	});
}

const stepMs = 500;

/**
 * A till kept in step that only notes when it syncs, in seconds from its start, and fails as it is told to. A test ends it by
 * \`stop\` or leaves that to its end.
 */
function open(options: { longestMs?: number } = {}) {
	fakeTimers();
	const heads = openHeadNotifier();
	const errors: unknown[] = [];
	const watches: { move(): void; end(): void; fail(error: Error): void }[] = [];
	const till = {
		failure: undefined as Error | undefined,
		isReachable: true,
		pending: 0,
		statusFailure: undefined as Error | undefined,
		/** While it is set, syncs and the end of a stream wait until it is resolved. */
		hold: undefined as Promise<void> | undefined,
	};
	let now = 0;
	const syncs: number[] = [];
	let asks = 0;
	const replica = {
		businessId: "shop-1",
		onHead: heads.listen,
		async status() {
			if (till.statusFailure) throw till.statusFailure;
			return { pending: till.pending };
		},
		async sync() {
			syncs.push(now / 1_000);
			await till.hold;
			if (till.failure) throw till.failure;
		},
	} as unknown as Replica;
	const transport = {
		async isReachable() {
			asks += 1;
			return till.isReachable;
		},
		watch(onMove, signal) {
			const { promise, resolve, reject } = Promise.withResolvers<void>();
			watches.push({ move: () => onMove("e.1"), end: resolve, fail: reject });
			signal.addEventListener("abort", async () => {
				await till.hold;
				reject(new Error("Aborted"));
			});
			return promise;
		},
	} as Partial<Transport> as Transport;
	let tries = 0;
	const { requestSync, syncNow, isOnline, stop } = startSyncLoop(
		replica,
		transport,
		{
			env,
			onError: (error) => errors.push(error),
			onTried: () => {
				tries += 1;
			},
			...options,
		},
	);
	onTestFinished(stop);
	return {
		...{ till, heads, errors, watches, requestSync, syncNow, isOnline, stop },
		tries: () => tries,
		tell: (head: number) => heads.notify("shop-1", head),
		/** How often the server was asked whether it is there. */
		asks: () => asks,
		/** Lets time pass. @returns when it synced meanwhile */
		async pass(seconds: number): Promise<number[]> {
			await nextTurn();
			for (let ms = 0; ms < seconds * 1_000; ms += stepMs) {
				now += stepMs;
				await vi.advanceTimersByTimeAsync(stepMs);
				await nextTurn();
			}
			return syncs.splice(0);
		},
	};
}

const away = new ShopError("unreachable", "Away");

describe("a till kept in step", () => {
	test("syncs at once, and again every half minute [SYNC-1]", async () => {
		const { pass, errors } = open();
		expect(await pass(100)).toEqual([0, 30, 60, 90]);
		expect(errors).toEqual([]);
	});

	test("waits longer after each failure, and says each, until it succeeds [SYNC-2]", async () => {
		const { till, pass, errors, asks } = open();
		till.failure = away;
		expect(await pass(130)).toEqual([0, 1, 3, 7, 15, 31, 63, 123]);
		expect(errors).toEqual(new Array(8).fill(away));
		expect(asks()).toBe(7);
		till.failure = undefined;
		expect(await pass(90)).toEqual([183, 213]);
		expect(asks()).toBe(8);
		till.failure = away;
		expect(await pass(29)).toEqual([243, 244, 246]);
	});

	test("does not try a server that isn't there, and says so [SYNC-5]", async () => {
		const { till, pass, errors } = open();
		till.failure = away;
		till.isReachable = false;
		expect(await pass(5)).toEqual([0]);
		expect(errors).toMatchObject(new Array(3).fill({ code: "unreachable" }));
		till.isReachable = true;
		expect(await pass(3)).toEqual([7]);
	});

	test("syncs when it is poked, and once more where that was while it synced", async () => {
		const { till, pass, requestSync } = open();
		expect(await pass(2)).toEqual([0]);
		const goOn = Promise.withResolvers<void>();
		till.hold = goOn.promise;
		requestSync();
		expect(await pass(2)).toEqual([2]);
		requestSync();
		requestSync();
		expect(await pass(2)).toEqual([]);
		till.hold = undefined;
		goOn.resolve();
		expect(await pass(29)).toEqual([6]);
	});

	test("may be poked out of a wait of its own, and not out of one that the server named", async () => {
		const { till, pass, requestSync } = open();
		till.failure = away;
		expect(await pass(20)).toEqual([0, 1, 3, 7, 15]);
		till.failure = new ShopError("storage_busy", "Busy", undefined, {
			waitMs: 5_000,
		});
		requestSync();
		expect(await pass(2)).toEqual([20]);
		requestSync();
		expect(await pass(2)).toEqual([]);
		expect(await pass(2)).toEqual([25]);
		expect(await pass(10)).toEqual([]);
		requestSync();
		expect(await pass(1)).toEqual([36]);
	});

	test("waits as long as the server named where that is longer than its own wait [SYNC-3]", async () => {
		const { till, pass } = open();
		till.failure = new ShopError("storage_busy", "Busy", undefined, {
			waitMs: 10_000,
		});
		expect(await pass(35)).toEqual([0, 10, 20, 30]);
	});

	test("waits by minutes where the server refuses its session", async () => {
		const { till, pass } = open();
		till.failure = new ShopError("unauthorized", "Signed out");
		expect(await pass(430)).toEqual([0, 60, 180, 420]);
	});

	test("waits no longer than it is told to for a server that is away", async () => {
		const { till, pass } = open({ longestMs: 10_000 });
		till.failure = away;
		expect(await pass(40)).toEqual([0, 1, 3, 7, 15, 25, 35]);
	});

	test("tries at once for one who asks, also in a wait that the server named [SYNC-2]", async () => {
		const { till, pass, syncNow } = open();
		till.failure = new ShopError("storage_busy", "Busy", undefined, {
			waitMs: 50_000,
		});
		expect(await pass(2)).toEqual([0]);
		let isTried = false;
		const goOn = Promise.withResolvers<void>();
		till.hold = goOn.promise;
		void Promise.all([syncNow(), syncNow()]).then(() => {
			isTried = true;
		});
		expect(await pass(2)).toEqual([2]);
		expect(isTried).toBe(false);
		goOn.resolve();
		expect(await pass(2)).toEqual([]);
		expect(isTried).toBe(true);
	});

	test("knows after each attempt whether the server is there", async () => {
		const { till, pass, syncNow, isOnline, tries } = open();
		expect(isOnline()).toBeNull();
		const known: unknown[] = [];
		for (const failure of [
			undefined,
			away,
			new ShopError("unauthorized", "Signed out"),
			new TypeError("A bug"),
		]) {
			till.failure = failure;
			void syncNow();
			await pass(1);
			known.push(isOnline());
		}
		expect(known).toEqual([true, false, true, false]);
		// With the first, and the one by itself after the failure.
		expect(tries()).toBe(6);
	});

	test("goes on after a fault that is no refusal", async () => {
		const { till, pass, errors } = open();
		till.failure = new TypeError("A bug");
		expect(await pass(4)).toEqual([0, 1, 3]);
		expect(errors).toHaveLength(3);
	});
});

describe("a local mutation", () => {
	test("is sent soon, and what leaves nothing to send is not [SYNC-1]", async () => {
		const { till, pass, tell } = open();
		await pass(2);
		tell(1);
		expect(await pass(2)).toEqual([]);
		till.pending = 1;
		tell(2);
		expect(await pass(2)).toEqual([4]);
	});

	test("shortens no wait while the server fails [SYNC-2]", async () => {
		const { till, pass, tell } = open();
		till.failure = away;
		till.pending = 1;
		expect(await pass(0.5)).toEqual([0]);
		tell(1);
		expect(await pass(7.5)).toEqual([1, 3, 7]);
		tell(2);
		expect(await pass(6)).toEqual([]);
	});

	test("whose count can't be read is told as an error", async () => {
		const { till, pass, tell, errors } = open();
		await pass(1);
		till.statusFailure = new Error("No count");
		tell(1);
		expect(await pass(1)).toEqual([]);
		expect(errors).toEqual([till.statusFailure]);
	});
});

describe("the server's stream", () => {
	test("is watched from the first success on, and each move brings a sync [SYNC-1]", async () => {
		const { till, pass, watches } = open();
		till.failure = away;
		await pass(1);
		expect(watches).toHaveLength(0);
		till.failure = undefined;
		expect(await pass(4)).toEqual([3]);
		expect(watches).toHaveLength(1);
		watches[0]?.move();
		expect(await pass(1)).toEqual([5]);
		await pass(60);
		expect(watches).toHaveLength(1);
	});

	test.each([
		["ended", (watch: { end(): void }) => watch.end(), 0],
		[
			"broke",
			(watch: { fail(error: Error): void }) => watch.fail(new Error("Broke")),
			1,
		],
	])(
		"that %s is looked into after a moment, and watched again [SYNC-1] [HEAD-4]",
		async (_, end, told) => {
			const { pass, watches, errors } = open();
			await pass(10);
			end(watches[0] as (typeof watches)[number]);
			expect(await pass(2)).toEqual([11]);
			expect(watches).toHaveLength(2);
			expect(errors).toHaveLength(told);
			expect(await pass(30)).toEqual([41]);
		},
	);

	test("that ends without a word again and again is looked into less and less often", async () => {
		const { pass, watches } = open();
		const synced: number[] = [];
		for (let halves = 0; halves < 260; halves += 1) {
			synced.push(...(await pass(0.5)));
			watches.at(-1)?.end();
		}
		expect(synced).toEqual([0, 1.5, 3.5, 7.5, 15.5, 31.5, 61.5, 91.5, 121.5]);
		// One that has said something begins at the front again.
		expect(await pass(30)).toEqual([151.5]);
		watches.at(-1)?.move();
		expect(await pass(1)).toEqual([160]);
		watches.at(-1)?.end();
		expect(await pass(2)).toEqual([162]);
	});

	test("shortens no wait while the server fails", async () => {
		const { till, pass, watches } = open();
		await pass(10);
		till.failure = new ShopError("storage_full", "Full");
		expect(await pass(32)).toEqual([30, 31, 33, 37]);
		for (let i = 0; i < 100; i += 1) watches[0]?.move();
		expect(await pass(2)).toEqual([]);
		expect(await pass(2)).toEqual([45]);
	});
});

describe("a till that is stopped", () => {
	test("syncs no more, whatever is told, and hears nothing more", async () => {
		const { till, pass, stop, requestSync, watches, heads, errors } = open();
		till.pending = 1;
		await pass(10);
		await stop();
		expect(heads.listenedTo()).toEqual([]);
		requestSync();
		watches[0]?.move();
		expect(await pass(100)).toEqual([]);
		expect(errors).toEqual([]);
	});

	test("keeps nobody waiting who asked for an attempt", async () => {
		const { pass, stop, syncNow, till } = open();
		const goOn = Promise.withResolvers<void>();
		till.hold = goOn.promise;
		await pass(1);
		const tried = syncNow();
		const stopped = stop();
		goOn.resolve();
		await stopped;
		await tried;
	});

	test("leaves no timer behind", async () => {
		const timers = () =>
			process.getActiveResourcesInfo().filter((kind) => kind === "Timeout")
				.length;
		const before = timers();
		const replica = {
			onHead: () => () => {},
			sync: async () => {},
		} as Partial<Replica> as Replica;
		const transport = { watch: async () => {} } as Partial<Transport>;
		const { stop } = startSyncLoop(replica, transport as Transport, {
			env,
			onError: () => {},
		});
		await nextTurn();
		expect(timers()).toBe(before + 1);
		await stop();
		expect(timers()).toBe(before);
	});

	test("ends where it waits as the server asked, too", async () => {
		const { till, pass, stop } = open();
		till.failure = new ShopError("storage_busy", "Busy", undefined, {
			waitMs: 50_000,
		});
		await pass(10);
		await stop();
		expect(await pass(100)).toEqual([]);
	});

	test.each([
		["sync", true],
		["stream", false],
	])("has ended when its %s has", async (_, isSyncing) => {
		const { till, pass, stop, requestSync, errors } = open();
		await pass(2);
		const goOn = Promise.withResolvers<void>();
		till.hold = goOn.promise;
		if (isSyncing) requestSync();
		expect(await pass(1)).toEqual(isSyncing ? [2] : []);
		let hasStopped = false;
		const stopped = stop().then(() => {
			hasStopped = true;
		});
		await pass(5);
		expect(hasStopped).toBe(false);
		goOn.resolve();
		await stopped;
		expect(errors).toEqual([]);
	});
});

test("a paused till asks again by itself, and goes on when the server takes its session again [AUTH-3] [SYNC-4]", async () => {
	const { server, a } = await twoTills();
	const id = await a.sell({ milk: 1 });
	a.line.unauthorized = true;
	fakeTimers();
	const errors: unknown[] = [];
	const { stop } = startSyncLoop(a.till, a.line, {
		env,
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
