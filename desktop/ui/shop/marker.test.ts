import { expect, test } from "vitest";
import {
	nothingKnown,
	type TillStatus,
} from "../../../sync/protocol/till-api.ts";
import { openMarker } from "./marker.ts";

/** A browser that says of itself, one after the other, how it stands. @returns what each is told that was lost */
function lostBy(...standings: Partial<TillStatus>[]): number[] {
	const marker = openMarker(crypto.randomUUID());
	return standings.map((one) => marker.keep({ ...nothingKnown, ...one }));
}

const files = { keeps: "disk", storageId: "f1", deviceId: "d1" } as const;
const journal = { keeps: "unsent", storageId: "j1", deviceId: "d2" } as const;
const rejected = [{}, {}] as TillStatus["rejected"];

test.each<[string, Partial<TillStatus>[], number[]]>([
	["nothing where all is as it was", [files, files], [0, 0]],
	["nothing of what was sent", [{ ...files, pending: 2 }, files], [0, 0]],
	[
		"what was unsent or refused in files that are gone, and that again with the next",
		[
			{ ...files, pending: 1, rejected },
			{ ...files, storageId: "f2", pending: 1 },
			{ ...files, storageId: "f2" },
			{ ...files, storageId: "f3", pending: 4 },
			{ ...files, storageId: "f4" },
		],
		[0, 3, 3, 3, 7],
	],
	[
		"what was unsent in a journal that is gone",
		[
			{ ...journal, pending: 2 },
			{ ...journal, storageId: "j2" },
		],
		[0, 2],
	],
	[
		"what files do not know any more that had said to be written",
		[
			{ ...files, lastNumber: 7, pending: 2 },
			{ ...files, lastNumber: 6, pending: 1 },
		],
		[0, 1],
	],
	[
		"nothing that the server has, however old the files are",
		[
			{ ...files, lastNumber: 7, pending: 1 },
			{ ...files, lastNumber: 2 },
		],
		[0, 1],
	],
	[
		"nothing where the same files are another device's by now",
		[
			{ ...files, lastNumber: 7, pending: 2 },
			{ ...files, deviceId: "d9", lastNumber: 2, pending: 2 },
		],
		[0, 0],
	],
	[
		"nothing of files that can't be opened for a while",
		[{ ...files, pending: 2 }, journal, { ...files, pending: 2 }],
		[0, 0, 0],
	],
	[
		"nothing of a journal that the files have taken over",
		[{ ...journal, pending: 2 }, files, { ...journal, storageId: "j2" }],
		[0, 0, 0],
	],
	[
		"nothing of what no browser keeps",
		[
			{ pending: 2, deviceId: "d1", lastNumber: 3 },
			{ deviceId: "d2", lastNumber: 1 },
		],
		[0, 0],
	],
])("a browser has lost %s", (_, standings, lost) => {
	expect(lostBy(...standings)).toEqual(lost);
});

test("what is lost is said in every page until somebody has seen it", () => {
	const shop = crypto.randomUUID();
	const keep = (one: Partial<TillStatus>) =>
		openMarker(shop).keep({ ...nothingKnown, ...one });
	keep({ ...files, pending: 2 });
	const after = { ...files, storageId: "f2" };
	expect([keep(after), keep(after)]).toEqual([2, 2]);
	openMarker(shop).forgetLost();
	expect(keep(after)).toBe(0);
});

test("a shop that was removed on purpose is not missed", () => {
	const marker = openMarker(crypto.randomUUID());
	marker.keep({ ...nothingKnown, ...files, pending: 2 });
	marker.forget();
	expect(marker.keep({ ...nothingKnown, ...files, storageId: "f2" })).toBe(0);
});
