import { expect, test } from "vitest";
import type { Model } from "./catalogue.ts";
import { Fault, type FaultKind } from "./fault.ts";
import { openHealth } from "./health.ts";
import { openRateLimit } from "./rate-limit.ts";

const model = { id: "openai/a", provider: "openai" } as Model;
const sibling = { id: "openai/b", provider: "openai" } as Model;

function open() {
	let now = 1_000;
	const health = openHealth(() => now);
	const pass = (ms: number) => {
		now += ms;
	};
	const fail = (times: number, kind: FaultKind, retryAfterMs?: number) => {
		for (let i = 0; i < times; i += 1)
			health.fail(model, new Fault(kind, "failed", { retryAfterMs }));
	};
	return { health, pass, fail };
}

test("a circuit opens after five failures in a row and not before", () => {
	const { health, fail } = open();
	fail(4, "server");
	health.succeed(model);
	fail(4, "server");
	expect(health.enter(model)).toBe(true);
	fail(1, "server");
	expect(health.enter(model)).toBe(false);
	expect(health.enter(sibling)).toBe(true);
});

test("connections that break together count as one failure, and later calls as further ones", () => {
	const { health, pass } = open();
	const breakOff = (begun: number) =>
		health.fail(model, new Fault("connect", "failed"), begun);
	// The clock is at 1,000 ms.
	for (let call = 0; call < 100; call += 1) breakOff(900);
	expect(health.enter(model)).toBe(true);
	for (let call = 0; call < 3; call += 1) breakOff(1_000);
	expect(health.enter(model)).toBe(true);
	breakOff(1_000);
	expect(health.enter(model)).toBe(false);

	health.succeed(model);
	// A host that nobody reaches fails one call after the other, long after they began.
	for (let call = 0; call < 5; call += 1) {
		pass(300);
		breakOff(1_000);
	}
	expect(health.enter(model)).toBe(false);
});

test("a half-open circuit lets one call through at a time, and a failure opens it for longer", () => {
	const { health, pass, fail } = open();
	fail(5, "server");
	const first = health.waitMs(model);
	pass(first);
	expect(health.enter(model)).toBe(true);
	expect(health.enter(model)).toBe(false);
	fail(1, "server");
	expect(health.waitMs(model)).toBeGreaterThan(first);
	pass(health.waitMs(model));
	expect(health.enter(model)).toBe(true);
	health.succeed(model);
	expect(health.enter(model)).toBe(true);
	expect(health.enter(model)).toBe(true);
});

test("an abandoned probe makes room for the next one", () => {
	const { health, pass, fail } = open();
	fail(5, "server");
	pass(health.waitMs(model));
	health.enter(model);
	health.abandon(model);
	expect(health.enter(model)).toBe(true);
});

test("a refused key closes all models of a provider; an overloaded model is paused for its Retry-After", () => {
	const refused = open();
	refused.fail(1, "auth");
	expect(refused.health.waitMs(sibling)).toBeGreaterThan(60_000);
	const overloaded = open();
	overloaded.fail(1, "overload", 7_000);
	expect(overloaded.health.waitMs(model)).toBe(7_000);
	expect(overloaded.health.waitMs(sibling)).toBe(0);
});

test("a provider without credit is asked again after a day, however long it wants to be left alone", () => {
	const { health, pass, fail } = open();
	fail(1, "quota", 1.8e12);
	expect(health.enter(sibling)).toBe(false);
	pass(86_400_000);
	expect(health.enter(sibling)).toBe(true);
});

test("faults of the internet or the caller count against no provider", () => {
	const { health, fail } = open();
	fail(50, "offline");
	fail(50, "client");
	fail(50, "context");
	expect(health.waitMs(model)).toBe(0);
});

test("a rate limit allows a burst and then refills one by one", () => {
	let now = 0;
	const limit = openRateLimit(() => now);
	const take = (name: string) => limit.take([{ name, perMinute: 6 }]);
	const allowed = (count: number) =>
		Array.from({ length: count }, () => take("key")?.isAllowed);
	expect(allowed(7)).toEqual([...Array(6).fill(true), false]);
	expect(take("other")).toMatchObject({
		isAllowed: true,
		remaining: 5,
		retryAfterMs: 0,
	});
	expect(take("key")?.retryAfterMs).toBe(10_000);
	now = 10_000;
	expect(allowed(2)).toEqual([true, false]);
	now = 70_000;
	expect(take("key")?.remaining).toBe(5);
});
