import { toIso } from "../../sync/protocol/clock.ts";
import { newId, systemEnv } from "../../sync/protocol/ids.ts";

/** The number of products that the benchmarks sell. */
export const products = 200;

export type Sale = ReturnType<typeof makeSale>;

/** The shop's clock: a sale every few seconds, so that ids are in the order of a real till's. */
let shopTime = Date.parse("2026-11-01T06:00:00.000Z");
export const shopEnv = {
	...systemEnv,
	now: () => {
		shopTime += 1_000;
		return shopTime;
	},
};

/** A sale of another day than today would be corrected and reported, which no till's usual sale is. */
const today = toIso(Date.now()).slice(0, 10);

/** Makes the nth sale: three lines, about 400 bytes of JSON. */
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
		businessDay: today,
	};
}
