import { newId, systemEnv } from "../../sync/protocol/ids.ts";

/** What the benchmarks sell. */

export const products = 200;

export type Sale = ReturnType<typeof makeSale>;

/** A shop's own time: a sale every few seconds, as the ids of an honest till tell. */
let shopTime = Date.parse("2026-11-01T06:00:00.000Z");
export const shopEnv = {
	...systemEnv,
	now: () => {
		shopTime += 1_000;
		return shopTime;
	},
};

/** A sale of three lines, some 400 bytes of JSON. */
export function makeSale(n: number) {
	return {
		id: newId(shopEnv),
		items: [1, 2, 3].map((line) => ({
			id: String(line),
			name: `Product ${(n * 7 + line * 13) % products}`,
			quantity: 1,
			price: 49.5,
			cost: 40,
			productId: `p-${(n * 7 + line * 13) % products}`,
		})),
		paid: 200,
		paymentMethod: "CASH",
		receiptNumber: `A-${String(n).padStart(6, "0")}`,
		businessDay: "2026-11-20",
	};
}
