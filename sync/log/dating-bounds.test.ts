import { expect, test } from "vitest";
import { addBusiness, openTestShop } from "../testing/shop.ts";
import { type DeviceCount, dateMutation } from "./dating.ts";

const now = Date.parse("2026-11-20T09:00:00.000Z");
const dayMs = 24 * 3_600_000;
/** The start of the business. */
const began = "2026-01-01T00:00:00.000Z";
const iso = (ms: number) => new Date(ms).toISOString();
const corrected = { at: iso(now), isCorrected: true };

interface Case {
	at: unknown;
	number?: number;
	counted?: DeviceCount;
	businessId?: string;
}

/** A server with businesses before and after it by id, which start today. */
async function date({ at, number, counted, businessId = "shop-1" }: Case) {
	const { store } = await openTestShop();
	await store.write(async (tx) => {
		for (const id of ["shop-0", "shop-2"]) {
			await addBusiness(tx, id);
			await tx.run(
				"UPDATE businesses SET created_at = ? WHERE business_id = ?",
				iso(now),
				id,
			);
		}
	});
	const caller = { businessId };
	return store.read((tx) =>
		dateMutation(tx, { at, number }, { caller, now, device: { counted } }),
	);
}

const kept: [string, Case][] = [
	["now", { at: iso(now) }],
	[
		"a day ago, by any device",
		{
			...{ at: iso(now - dayMs), number: 2 },
			counted: { number: 1, at: iso(now) },
		},
	],
	[
		"long ago by an unknown device",
		{ at: "2026-03-01T00:00:00.000Z", number: 1 },
	],
	[
		"a day before its device's last sync",
		{
			...{ at: "2026-03-01T00:00:00.000Z", number: 2 },
			counted: { number: 1, at: "2026-03-02T00:00:00.000Z" },
		},
	],
	[
		"before its device's last sync, under a number counted by then",
		{
			...{ at: "2026-03-01T00:00:00.000Z", number: 2 },
			counted: { number: 2, at: "2026-11-01T00:00:00.000Z" },
		},
	],
	[
		"before its device's last sync, without a number",
		{
			at: "2026-03-01T00:00:00.000Z",
			counted: { number: 0, at: "2026-11-01T00:00:00.000Z" },
		},
	],
	[
		"before its device's last sync, which a wrong server clock dated ahead",
		{
			...{ at: "2026-03-01T00:00:00.000Z", number: 2 },
			counted: { number: 1, at: iso(now + 1) },
		},
	],
	["a day before the business began", { at: iso(Date.parse(began) - dayMs) }],
	[
		"long ago in a missing business",
		{
			...{ at: "1999-03-01T00:00:00.000Z", businessId: "none" },
		},
	],
];

test.each(kept)(
	"a mutation made %s keeps its moment [CLOCK-5]",
	async (_, made) => {
		expect(await date(made)).toEqual({ at: made.at, isCorrected: false });
	},
);

const wrong: [string, Case][] = [
	["more than five minutes ahead", { at: iso(now + 300_001) }],
	[
		"more than a day before its device's last sync, under a later number",
		{
			...{ at: iso(now - dayMs - 1), number: 2 },
			counted: { number: 1, at: iso(now) },
		},
	],
	[
		"more than a day before the business began",
		{
			at: iso(Date.parse(began) - dayMs - 1),
		},
	],
];

test.each(wrong)(
	"a mutation made %s is dated now and marked as corrected [CLOCK-4]",
	async (_, made) => {
		expect(await date(made)).toEqual(corrected);
	},
);

test.each([1, 300_000])(
	"a mutation made %i ms ahead is dated now and not marked as corrected [CLOCK-3]",
	async (ms) => {
		const dated = await date({ at: iso(now + ms) });
		expect(dated).toEqual({ ...corrected, isCorrected: false });
	},
);

test.each([["yesterday"], [5], [undefined], ["2026-11-20"]])(
	"%s is not read as a moment",
	async (at) => {
		expect(await date({ at })).toBeUndefined();
	},
);
