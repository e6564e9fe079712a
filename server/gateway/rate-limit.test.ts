import { expect, test } from "vitest";
import { openRateLimit } from "./rate-limit.ts";

test.each([1, 3, 7, 60])(
	"a key may make exactly its %i requests at once, at any fraction of a millisecond",
	(perMinute) => {
		for (let i = 1; i <= 500; i += 1) {
			const at = (i * 1_000) / 7;
			const limit = openRateLimit(() => at);
			const taken = Array.from({ length: perMinute + 1 }, () =>
				limit.take([{ name: "key", perMinute }]),
			).filter((one) => one?.isAllowed);
			expect([at, taken.length]).toEqual([at, perMinute]);
		}
	},
);

test("a request counts against all of its rates or none, and names the one that refuses it", () => {
	const limit = openRateLimit(() => 0);
	const shop = { name: "shop", perMinute: 3 };
	const one = { name: "one", perMinute: 2 };
	const other = { name: "other", perMinute: 2 };
	const take = (key: typeof one) => {
		const taken = limit.take([shop, key]);
		return [taken?.rate.name, taken?.isAllowed, taken?.remaining];
	};
	expect([take(one), take(one), take(one)]).toEqual([
		["one", true, 1],
		["one", true, 0],
		["one", false, 0],
	]);
	// The refused request took nothing from the shop.
	expect([take(other), take(other)]).toEqual([
		["shop", true, 0],
		["shop", false, 0],
	]);
	expect(limit.take([])).toBeUndefined();
});
