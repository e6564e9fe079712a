import { expect, test } from "vitest";
import { openRateLimit } from "./rate-limit.ts";

test.each([1, 3, 7, 60])(
	"a key may make exactly its %i requests at once, at any fraction of a millisecond",
	(perMinute) => {
		for (let i = 1; i <= 500; i += 1) {
			const at = (i * 1_000) / 7;
			const limit = openRateLimit(() => at);
			const taken = Array.from({ length: perMinute + 1 }, () =>
				limit.take("key", perMinute),
			).filter(({ isAllowed }) => isAllowed);
			expect([at, taken.length]).toEqual([at, perMinute]);
		}
	},
);
