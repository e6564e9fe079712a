import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openInternet } from "./internet.ts";

const addresses = [
	"https://a.example/v1",
	"https://b.example",
	"http://c.example",
];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An internet where only the hosts in the set are reachable. */
function open(there: Set<string>) {
	const asked: string[] = [];
	const internet = openInternet(addresses, async ({ hostname }) => {
		asked.push(hostname);
		return there.has(hostname);
	});
	return { internet, asked };
}

test("the server is online while one of several hosts is reachable", async () => {
	const { internet } = open(new Set(["b.example"]));
	expect(await internet.check()).toBe(false);
	expect(internet.isOffline).toBe(false);
	internet.close();
});

test("the server goes offline when no host is reachable, notifies listeners, and recovers by itself", async () => {
	const there = new Set(["a.example"]);
	const { internet } = open(there);
	await internet.check();
	let told = 0;
	internet.onOffline(() => {
		told += 1;
	});
	internet.onOffline(() => expect.unreachable())();
	there.clear();
	await vi.advanceTimersByTimeAsync(15_000);
	expect(internet.isOffline).toBe(true);
	expect(told).toBe(1);
	there.add("c.example");
	await vi.advanceTimersByTimeAsync(2_000);
	expect(internet.isOffline).toBe(false);
	internet.close();
});

test("checks use one host while online, and stop after close", async () => {
	const { internet, asked } = open(new Set(["a.example"]));
	await vi.advanceTimersByTimeAsync(60_000);
	expect(new Set(asked)).toEqual(new Set(["a.example"]));
	internet.close();
	const before = asked.length;
	await vi.advanceTimersByTimeAsync(60_000);
	expect(asked).toHaveLength(before);
});
