import { expect, test } from "vitest";
import { openInOrder } from "./in-order.ts";

test("a queued task waits for earlier ones, and starts at once if there are none", async () => {
	const inOrder = openInOrder();
	const done: string[] = [];
	const first = Promise.withResolvers<void>();
	const last = Promise.withResolvers<void>();
	inOrder(() => void done.push("at once"));
	expect(done).toEqual(["at once"]);
	inOrder(async () => {
		await first.promise;
		done.push("first");
	});
	inOrder(() => {
		done.push("second");
		last.resolve();
	});
	expect(done).toEqual(["at once"]);
	first.resolve();
	await last.promise;
	expect(done).toEqual(["at once", "first", "second"]);
});
