import { expect, test } from "vitest";
import { spareOf } from "./disk.ts";

test.each([
	["a memory card", 1e9, 200e6],
	["a board's card", 16e9, 1.6e9],
	["a computer's disk", 256e9, 5e9],
	["a large disk", 4e12, 5e9],
])(
	"backups on %s leave free what a shop needs, and no more",
	(_what, bytes, spare) => {
		expect(spareOf({ bytes })).toBe(spare);
	},
);
