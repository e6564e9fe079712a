import { expect, test } from "vitest";
import { openSingleFlight } from "./single-flight.ts";

/** Numbered runs that end on request. */
function openRuns() {
	const share = openSingleFlight<number>();
	const ends: PromiseWithResolvers<void>[] = [];
	return {
		ends,
		ask: (key = "shop") =>
			share(key, async () => {
				const end = Promise.withResolvers<void>();
				const number = ends.push(end);
				await end.promise;
				return number;
			}),
	};
}

async function turns(): Promise<void> {
	for (let i = 0; i < 20; i += 1) await Promise.resolve();
}

test("callers during a run share the next one [DIGEST-3]", async () => {
	const { ask, ends } = openRuns();
	const asked = [ask(), ask(), ask(), ask()];
	expect(ends).toHaveLength(1);
	ends[0]?.resolve();
	await turns();
	expect(ends).toHaveLength(2);
	ends[1]?.resolve();
	expect(await Promise.all(asked)).toEqual([1, 2, 2, 2]);
	await turns();
	void ask();
	expect(ends).toHaveLength(3);
});

test("a failed run rejects its callers, and the next one runs", async () => {
	const { ask, ends } = openRuns();
	const first = ask();
	const second = ask();
	ends[0]?.reject(new Error("disk"));
	await expect(first).rejects.toThrow("disk");
	await turns();
	ends[1]?.resolve();
	expect(await second).toBe(2);
});

test("runs of different keys do not wait for each other", async () => {
	const { ask, ends } = openRuns();
	const asked = [ask("a"), ask("b")];
	expect(ends).toHaveLength(2);
	for (const { resolve } of ends) resolve();
	expect(await Promise.all(asked)).toEqual([1, 2]);
});
