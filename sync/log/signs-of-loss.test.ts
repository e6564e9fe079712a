import { expect, test } from "vitest";
import { formatCursor, type PushRequest } from "../protocol/protocol.ts";
import {
	addBusiness,
	addMilk,
	message,
	openTestShop,
	pushOne,
	saleArgs,
} from "../testing/shop.ts";
import { headCursor } from "./chain.ts";
import { showsHistoryLoss } from "./lost-history.ts";

const counted = (lastNumber: number) => ({
	id: "till",
	prefix: "A",
	lastNumber,
	counted: undefined,
});

/** A shop whose sale made version 3, beside another shop whose mutation with the same id made version 2. */
async function openSold() {
	const server = await openTestShop();
	await addMilk(server);
	await server.store.write((tx) => addBusiness(tx, "shop-2"));
	for (const businessId of ["shop-1", "shop-2"])
		await pushOne(
			{ ...server, caller: { ...server.caller, businessId } },
			message("m-1", "sale.create", saleArgs("s-1")),
		);
	const shows = (
		request: Omit<PushRequest, "mutations">,
		businessId = "shop-1",
		lastNumber?: number,
	) =>
		server.store.read((tx) =>
			showsHistoryLoss(
				tx,
				businessId,
				"e",
				lastNumber === undefined ? undefined : counted(lastNumber),
				{ mutations: [], ...request },
			),
		);
	const head = await server.store.read((tx) => headCursor(tx, "shop-1", "e"));
	return { shows, head };
}

test.each([
	["nothing", {}, 3, false],
	["all known mutations", { settled: 3 }, 3, false],
	["an unknown one", { settled: 4 }, 3, true],
	[
		"an unknown one after its notification",
		{ settled: 4, resumesAfter: 3 },
		3,
		false,
	],
	[
		"an unknown one after another notification",
		{ settled: 4, resumesAfter: 2 },
		3,
		true,
	],
	["an unknown one without a device", { settled: 4 }, undefined, false],
])(
	"a loss is detected correctly for a device that was answered for %s [LOSS-1]",
	async (_what, request, lastNumber, isLost) => {
		const { shows } = await openSold();
		expect(await shows(request, "shop-1", lastNumber)).toBe(isLost);
	},
);

test("a cursor that this epoch never gave out shows a loss, and another epoch's does not [LOSS-1]", async () => {
	const { shows, head } = await openSold();
	const ask = (change: Partial<typeof head>, more = {}) =>
		shows({ cursor: formatCursor({ ...head, ...change }), ...more });
	expect(head.version).toBe(3);
	expect(await ask({})).toBe(false);
	expect(await ask({ version: 4 })).toBe(true);
	expect(await ask({ version: 4, proof: "" })).toBe(true);
	expect(await ask({ proof: "AAAAAAAAAAAA" })).toBe(true);
	expect(await ask({ version: 2 })).toBe(true);
	const taken = { id: "gone", version: 3 };
	expect(await ask({ epoch: "other", version: 4 }, { taken })).toBe(false);
	expect(await shows({ cursor: "nonsense", taken })).toBe(false);
	expect(await shows({ taken })).toBe(false);
});

test.each([
	["its own", "shop-1", { id: "m-1", version: 3 }, false],
	["another version", "shop-1", { id: "m-1", version: 2 }, true],
	["none here", "shop-1", { id: "m-2", version: 3 }, true],
	["its own in the other shop", "shop-2", { id: "m-1", version: 2 }, false],
	["another shop's version", "shop-2", { id: "m-1", version: 3 }, true],
])(
	"an answered mutation shows a loss if the log lacks it: %s [LOSS-1]",
	async (_what, businessId, taken, isLost) => {
		const { shows } = await openSold();
		const cursor = "e.1";
		expect(await shows({ cursor, taken }, businessId)).toBe(isLost);
	},
);
