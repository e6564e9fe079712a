import { expect, test } from "vitest";
import {
	type TillStatus,
	unknownStatus,
} from "../../../sync/protocol/till-api.ts";
import { openStorageNote } from "./storage-note.ts";

/** Notes one state after the other. @returns the loss reported after each */
function lostBy(...standings: Partial<TillStatus>[]): number[] {
	const marker = openStorageNote(crypto.randomUUID());
	return standings.map((one) => marker.keep({ ...unknownStatus, ...one }));
}

const files = { storage: "disk", storageId: "f1", deviceId: "d1" } as const;
const journal = { storage: "outbox", storageId: "j1", deviceId: "d2" } as const;
const rejected = [{}, {}] as TillStatus["rejected"];

test.each<[string, Partial<TillStatus>[], number[]]>([
	["nothing where all is as it was", [files, files], [0, 0]],
	["nothing of what was sent", [{ ...files, pending: 2 }, files], [0, 0]],
	[
		"unsent and rejected mutations in files that are gone, reported until seen",
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
		"unsent mutations in a journal that is gone",
		[
			{ ...journal, pending: 2 },
			{ ...journal, storageId: "j2" },
		],
		[0, 2],
	],
	[
		"mutations that the files had confirmed and no longer contain",
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
		"nothing if the same files belong to another device by now",
		[
			{ ...files, lastNumber: 7, pending: 2 },
			{ ...files, deviceId: "d9", lastNumber: 2, pending: 2 },
		],
		[0, 0],
	],
	[
		"nothing while files can't be opened",
		[{ ...files, pending: 2 }, journal, { ...files, pending: 2 }],
		[0, 0, 0],
	],
	[
		"nothing of a journal that was moved into the files",
		[{ ...journal, pending: 2 }, files, { ...journal, storageId: "j2" }],
		[0, 0, 0],
	],
	[
		"nothing that was only in memory",
		[
			{ pending: 2, deviceId: "d1", lastNumber: 3 },
			{ deviceId: "d2", lastNumber: 1 },
		],
		[0, 0],
	],
])("a browser has lost %s", (_, standings, lost) => {
	expect(lostBy(...standings)).toEqual(lost);
});

test("every page reports a loss until someone has seen it", () => {
	const shop = crypto.randomUUID();
	const keep = (one: Partial<TillStatus>) =>
		openStorageNote(shop).keep({ ...unknownStatus, ...one });
	keep({ ...files, pending: 2 });
	const after = { ...files, storageId: "f2" };
	expect([keep(after), keep(after)]).toEqual([2, 2]);
	openStorageNote(shop).forgetLost();
	expect(keep(after)).toBe(0);
});

test("removing a shop on purpose is not a loss", () => {
	const marker = openStorageNote(crypto.randomUUID());
	marker.keep({ ...unknownStatus, ...files, pending: 2 });
	marker.forget();
	expect(marker.keep({ ...unknownStatus, ...files, storageId: "f2" })).toBe(0);
});
