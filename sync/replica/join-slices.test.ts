import { expect, test } from "vitest";
import type { Change } from "../protocol/protocol.ts";
import { slicesOf } from "./join-by-snapshot.ts";

const fact = (version: number): Change => ({
	...{ entity: "sale", id: `s${version}`, version, deleted: false, row: {} },
});

test("older facts are stored in slices of few rows, the newest first, that split no version and leave none out", () => {
	const changes = [1, 2, 2, 2, 5, 6, 9].map(fact);
	const slices = slicesOf(changes, { from: 0, upTo: 10 }, 2);
	expect(
		slices.map(({ from, upTo, changes }) => [
			...[from, upTo],
			changes.map(({ version }) => version),
		]),
	).toEqual([
		[5, 10, [9, 6]],
		[1, 5, [5, 2, 2, 2]],
		[0, 1, [1]],
	]);
	expect(slicesOf([], { from: 3, upTo: 10 }, 2)).toEqual([
		{ from: 3, upTo: 10, changes: [] },
	]);
});
