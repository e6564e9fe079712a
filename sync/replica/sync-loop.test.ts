import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openHeadNotifier } from "../feed/head-notifier.ts";
import { ShopError } from "../protocol/errors.ts";
import { salesOf, testEnv, twoTills } from "../testing/shop.ts";
import type { Compared } from "./compare.ts";
import type { Replica } from "./replica.ts";
import { startSyncLoop } from "./sync-loop.ts";
import type { Transport } from "./transport.ts";

/** Random bytes of 0, so that waits have no jitter. */
const env = { ...testEnv(), randomBytes: (n: number) => Buffer.alloc(n) };

function fakeTimers(): void {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	onTestFinished(() => {
		vi.useRealTimers();
	});
}

const stepMs = 500;

/**
 * A sync loop on a fake replica that only records when it syncs, in seconds from its start, and fails on request. A
 * test ends it by \`stop\` or leaves that to its own end.
 */
function open(options: { longestMs?: number; hasteRestMs?: number } = {}) {
	fakeTimers();
	const heads = openHeadNotifier();
	const errors: unknown[] = [];
	const watches: { move(): void; end(): void; fail(error: Error): void }[] = [];
	const till = {
		failure: undefined as Error | undefined,
		isReachable: true,
		pending: 0,
		statusFailure: undefined as Error | undefined,
		/** While it is set, syncs and the end of a stream wait until it resolves. */
		hold: undefined as Promise<void> | undefined,
		/** What a comparison finds. */
		found: "same" as Compared | Error,
		/** How far it has pulled the feed. */
		cursor: "",
	};
	let now = 0;
	const syncs: number[] = [];
	const compares: number[] = [];
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
		hasReached: async (cursor: string) => cursor === till.cursor,
		bringHistory: async () => {},
		async compare() {
			compares.push(now / 1_000);
			if (till.found instanceof Error) throw till.found;
			return till.found;
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
		/** When it compared, in seconds from its start. */
		compares,
		...{ till, heads, errors, watches, requestSync, syncNow, isOnline, stop },
		tries: () => tries,
		tell: (head: number) => heads.notify("shop-1", head),
		/** The number of reachability checks. */
		asks: () => asks,
		/**
		 * Lets time pass.
		 *
		 * @returns when it synced meanwhile
		 */
		async pass(seconds: number): Promise<number[]> {
			await nextTurn();
			for (let ms = 0; ms < seconds * 1_000; ms += stepMs) {
				now += stepMs;
				env.pass(stepMs);
				await vi.advanceTimersByTimeAsync(stepMs);
				await nextTurn();
			}
			return syncs.splice(0);
		},
	};
}

const away = new ShopError("unreachable", "Away");

describe("a till kept in step", () => {
	test("a sync loop syncs at once, and again every half minute [SYNC-1]", async () => {
		const { pass, errors } = open();
		expect(await pass(100)).toEqual([0, 30, 60, 90]);
		expect(errors).toEqual([]);
	});

	test("a sync loop waits longer after each failure and reports it, until it succeeds [SYNC-2]", async () => {
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

	test("a sync loop checks first whether the server is reachable, and reports if it is not [SYNC-5]", async () => {
		const { till, pass, errors } = open();
		till.failure = away;
		till.isReachable = false;
		expect(await pass(5)).toEqual([0]);
		expect(errors).toMatchObject(new Array(3).fill({ code: "unreachable" }));
		till.isReachable = true;
		expect(await pass(3)).toEqual([7]);
	});

	test("a local mutation is sent at once, and one that soon follows it a little later [SYNC-1]", async () => {
		const { till, pass, tell } = open({ hasteRestMs: 700 });
		till.pending = 1;
		await pass(5);
		tell(1);
		expect(await pass(0.5)).toHaveLength(1);
		tell(2);
		expect(await pass(0.5)).toEqual([]);
		expect(await pass(0.5)).toHaveLength(1);
		await pass(5);
		tell(3);
		expect(await pass(0.5)).toHaveLength(1);
	});

	test("a sync loop compares rows after its first sync, then once an hour [HEAL-1]", async () => {
		const { pass, compares } = open();
		await pass(7_300);
		expect(compares).toEqual([0, 3_600, 7_200]);
	});

	test("a sync loop compares again within minutes if nothing could be concluded, and soon after rows were put right [HEAL-1]", async () => {
		const { till, pass, compares } = open();
		till.found = "unknown";
		await pass(100);
		expect(compares.splice(0)).toEqual([0, 60]);
		till.found = "healed";
		expect(await pass(65)).toEqual([120, 120, 150, 150]);
		expect(compares.splice(0)).toEqual([120, 150]);
		till.found = "same";
		await pass(3_000);
		expect(compares).toEqual([180]);
	});

	test("a comparison that fails is reported and repeated, and the till stays online [HEAL-1]", async () => {
		const { till, pass, compares, errors, isOnline } = open();
		till.found = away;
		expect(await pass(100)).toEqual([0, 30, 60, 90]);
		expect(compares).toEqual([0, 60]);
		expect(errors).toEqual([away, away]);
		expect(isOnline()).toBe(true);
	});

	test("a sync loop compares nothing while a sync is due, and compares though its clock was set back [HEAL-1]", async () => {
		const { till, pass, compares, requestSync } = open();
		const goOn = Promise.withResolvers<void>();
		till.found = "unknown";
		expect(await pass(59)).toEqual([0, 30]);
		till.hold = goOn.promise;
		expect(await pass(2)).toEqual([60]);
		requestSync();
		goOn.resolve();
		expect(await pass(1)).toEqual([61]);
		expect(compares).toEqual([0, 61]);
		env.pass(-7_200_000);
		expect(await pass(31)).toEqual([91]);
		expect(compares).toEqual([0, 61, 91]);
	});

	test("a sync loop syncs on request, and once more for a request during a sync", async () => {
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

	test("a request ends a sync loop's own wait, but not one that the server named", async () => {
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

	test("a sync loop waits as long as the server named if its own wait is shorter [SYNC-3]", async () => {
		const { till, pass } = open();
		till.failure = new ShopError("storage_busy", "Busy", undefined, {
			waitMs: 10_000,
		});
		expect(await pass(35)).toEqual([0, 10, 20, 30]);
	});

	test("a sync loop waits minutes after the server refused its session", async () => {
		const { till, pass } = open();
		till.failure = new ShopError("unauthorized", "Signed out");
		expect(await pass(430)).toEqual([0, 60, 180, 420]);
	});

	test("a sync loop's wait for an unreachable server has a configurable maximum", async () => {
		const { till, pass } = open({ longestMs: 10_000 });
		till.failure = away;
		expect(await pass(40)).toEqual([0, 1, 3, 7, 15, 25, 35]);
	});

	test("syncNow tries at once, even in a wait that the server named [SYNC-2]", async () => {
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

	test("a sync loop knows after each attempt whether the server is online", async () => {
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
		// The first attempt and the automatic one after the failure count too.
		expect(tries()).toBe(6);
	});

	test("a sync loop goes on after a bug", async () => {
		const { till, pass, errors } = open();
		till.failure = new TypeError("A bug");
		expect(await pass(4)).toEqual([0, 1, 3]);
		expect(errors).toHaveLength(3);
	});
});

describe("a local mutation", () => {
	test("a local mutation triggers a sync soon, and one with nothing to send does not [SYNC-1]", async () => {
		const { till, pass, tell } = open();
		await pass(2);
		tell(1);
		expect(await pass(2)).toEqual([]);
		till.pending = 1;
		tell(2);
		tell(3);
		expect(await pass(2)).toEqual([4.5]);
	});

	test("a local mutation does not shorten a wait while the server fails [SYNC-2]", async () => {
		const { till, pass, tell } = open();
		till.failure = away;
		till.pending = 1;
		expect(await pass(0.5)).toEqual([0]);
		tell(1);
		expect(await pass(7.5)).toEqual([1, 3, 7]);
		tell(2);
		expect(await pass(6)).toEqual([]);
	});

	test("an unreadable count of pending mutations is reported as an error", async () => {
		const { till, pass, tell, errors } = open();
		await pass(1);
		till.statusFailure = new Error("No count");
		tell(1);
		expect(await pass(1)).toEqual([]);
		expect(errors).toEqual([till.statusFailure]);
	});
});

describe("the server's stream", () => {
	test("the server's stream is watched from the first success on, and each event triggers a sync [SYNC-1]", async () => {
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

	test("an event about what the till has pulled, as after its own mutation, triggers no sync [SYNC-1]", async () => {
		const { till, pass, watches } = open();
		await pass(2);
		till.cursor = "e.1";
		watches[0]?.move();
		expect(await pass(2)).toEqual([]);
		till.cursor = "e.0";
		watches[0]?.move();
		expect(await pass(2)).toEqual([4]);
	});

	test.each([
		["ended", (watch: { end(): void }) => watch.end(), 0],
		[
			"broke",
			(watch: { fail(error: Error): void }) => watch.fail(new Error("Broke")),
			1,
		],
	])(
		"a stream that %s triggers a sync after a moment and is watched again [SYNC-1] [HEAD-4]",
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

	test("streams that keep ending without an event are reopened less and less often", async () => {
		const { pass, watches } = open();
		const synced: number[] = [];
		for (let halves = 0; halves < 260; halves += 1) {
			synced.push(...(await pass(0.5)));
			watches.at(-1)?.end();
		}
		expect(synced).toEqual([0, 1.5, 3.5, 7.5, 15.5, 31.5, 61.5, 91.5, 121.5]);
		// A stream with an event resets the waits.
		expect(await pass(30)).toEqual([151.5]);
		watches.at(-1)?.move();
		expect(await pass(1)).toEqual([160]);
		watches.at(-1)?.end();
		expect(await pass(2)).toEqual([162]);
	});

	test("the server's stream does not shorten a wait while the server fails", async () => {
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
	test("a stopped sync loop ignores all triggers", async () => {
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

	test("a stopped sync loop resolves pending syncNow calls", async () => {
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

	test("a stopped sync loop leaves no timer", async () => {
		// Its own alone: those of the test runner come and go.
		fakeTimers();
		const replica = {
			onHead: () => () => {},
			sync: async () => {},
			bringHistory: async () => {},
			compare: async () => "same",
		} as Partial<Replica> as Replica;
		const transport = { watch: async () => {} } as Partial<Transport>;
		const { stop } = startSyncLoop(replica, transport as Transport, {
			env,
			onError: () => {},
		});
		await nextTurn();
		expect(vi.getTimerCount()).toBe(1);
		await stop();
		expect(vi.getTimerCount()).toBe(0);
	});

	test("a sync loop stops during a wait that the server named", async () => {
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
	])("stopping a sync loop waits for its %s to end", async (_, isSyncing) => {
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

test("a paused till tries again by itself, and goes on when the server accepts its session [AUTH-3] [SYNC-4]", async () => {
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
	/** Lets minutes pass until the condition holds. */
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
