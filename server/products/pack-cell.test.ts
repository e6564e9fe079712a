import fc from "fast-check";
import { expect, test } from "vitest";
import { testSeed } from "../../sync/testing/lane.ts";
import { readCodes, writeCodes } from "./list-cell.ts";
import { readPacks, writePacks } from "./pack-cell.ts";

const word = fc
	.string({ unit: fc.constantFrom(..."aé1;|\\ ,'=\n"), maxLength: 6 })
	.map((text) => text.trim())
	.filter((text) => text !== "");
const number = fc
	.integer({ min: 1, max: 1_000_000_000 })
	.map((micros) => micros / 1_000);
const packs = fc.array(
	fc.record({
		name: word,
		size: number,
		sellingPrice: fc.option(number),
		isActive: fc.boolean(),
		codes: fc.array(word, { maxLength: 3 }),
	}),
	{ maxLength: 3 },
);

test("packs and codes are read as they were written, whatever their names", () => {
	fc.assert(
		fc.property(packs, fc.array(word, { maxLength: 3 }), (given, codes) => {
			const cell = writePacks(
				given.map((pack, i) => ({ ...pack, id: String(i) })),
				(id) => given[Number(id)]?.codes ?? [],
			);
			expect(readPacks(cell ?? "")).toEqual(
				given.map(({ sellingPrice, codes, ...pack }) => ({
					...{ ...pack, codes: codes.toSorted() },
					...(sellingPrice !== null && { sellingPrice }),
				})),
			);
			expect(readCodes(writeCodes(codes))).toEqual(codes.toSorted());
		}),
		{ seed: testSeed },
	);
});
