import { expect, test } from "vitest";
import { openTaskQueue } from "./task-queue.ts";

test("a queued task waits for earlier ones, and starts at once if there are none", async () => {
	const enqueue = openTaskQueue();
	const done: string[] = [];
	const first = Promise.withResolvers<void>();
	const last = Promise.withResolvers<void>();
	enqueue(() => void done.push("at once"));
	expect(done).toEqual(["at once"]);
	enqueue(async () => {
		await first.promise;
		done.push("first");
	});
	enqueue(() => {
		done.push("second");
		last.resolve();
	});
	expect(done).toEqual(["at once"]);
	first.resolve();
	await last.promise;
	expect(done).toEqual(["at once", "first", "second"]);
});
