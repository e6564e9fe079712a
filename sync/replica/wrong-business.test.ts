import { expect, test } from "vitest";
import {
	addBusiness,
	expectInStep,
	salesOf,
	type TestLine,
	type TestShop,
	twoTills,
} from "../testing/shop.ts";

/** Opens a shop beside another one on the same server. */
async function open() {
	const { server, a } = await twoTills();
	await server.store.write((tx) => addBusiness(tx, "shop-2"));
	const stranger = { ...server.caller, businessId: "shop-2" };
	return { server, a, stranger };
}

/** A server, or a proxy, that answers with another business than the requested one. */
function answerFor(
	{ line }: { line: TestLine },
	{ shop }: TestShop,
	businessId: string,
) {
	const caller = { ...line.caller, businessId };
	line.push = (request) =>
		shop.push(caller, { ...JSON.parse(request), businessId, mutations: [] });
	line.pull = (cursor, limit) => shop.pull(caller, { cursor, limit });
}

test("a till with another business's token syncs nothing, reports why, and goes on with a correct token [BIZ-2] [AUTH-3]", async () => {
	const { server, a, stranger } = await open();
	const right = a.line.caller;
	const before = await server.shop.digest(stranger);
	const sale = await a.sell({ milk: 1 });
	a.line.caller = stranger;
	for (let i = 0; i < 2; i += 1)
		await expect(a.till.sync()).rejects.toMatchObject({
			code: "wrong_business",
			message: expect.stringContaining("not a member of this till's shop"),
		});
	const later = await a.sell({ milk: 1 });
	expect(await a.till.status()).toMatchObject({
		paused: "wrong_business",
		pending: 2,
	});
	expect(await server.shop.digest(stranger)).toEqual(before);
	a.line.caller = right;
	await a.till.resume();
	await a.till.sync();
	expect(await a.till.status()).toMatchObject({ paused: null, pending: 0 });
	expect(await salesOf(server)).toEqual([sale, later].sort());
	await expectInStep(server, a);
});

test.each(["push", "pull"] as const)(
	"an answer to a %s with another business's rows is not stored",
	async (kind) => {
		const { server, a, stranger } = await open();
		const digest = await a.till.digest();
		const state = await a.rows("SELECT * FROM replica");
		if (kind === "push") answerFor(a, server, stranger.businessId);
		else {
			const { push } = a.line;
			answerFor(a, server, stranger.businessId);
			// There is more to pull after the push's page.
			a.line.push = async (request) => ({
				...(await push(request)),
				hasMore: true,
			});
		}
		await expect(a.till.sync()).rejects.toMatchObject({
			code: "wrong_business",
		});
		expect(await a.till.digest()).toBe(digest);
		expect(await a.rows("SELECT * FROM replica")).toEqual([
			{ ...state[0], paused: "wrong_business" },
		]);
	},
);
