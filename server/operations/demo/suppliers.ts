import { plus } from "../../../sync/entities/money.ts";
import { type Env, newId } from "../../../sync/protocol/ids.ts";
import type { Intent } from "./debtors.ts";

/** What somebody brings. */
interface Brought {
	id: string;
	name: string;
	quantity: number;
	cost: number;
	isFresh: boolean;
}

/** A wholesaler, who is paid when the next delivery comes, and a market, which is paid at once. */
export function openSuppliers(env: Env) {
	const wholesaler = newId(env);
	const market = newId(env);
	let owed = 0;
	let papers = 117;
	const named = [
		{
			...{ id: wholesaler, name: "Kariuki Wholesalers" },
			...{ phone: "0722 000 333", note: "Comes on Mondays" },
		},
		{ id: market, name: "Wakulima Market", phone: "0722 000 444" },
	];

	return {
		/** Yields the suppliers when they first come, what is paid for the last delivery, and the deliveries of a day. */
		*deliver(goods: readonly Brought[]): Generator<Intent> {
			for (const args of named.splice(0))
				yield { name: "supplier.create", args };
			if (owed > 0)
				yield {
					name: "payment.remit",
					args: {
						...{ id: newId(env), supplierId: wholesaler },
						tenders: [{ method: "BANK", amount: owed }],
					},
				};
			owed = 0;
			for (const isFresh of [false, true]) {
				const lines = goods.filter((one) => one.isFresh === isFresh);
				if (lines.length === 0) continue;
				const total = lines
					.map(({ quantity, cost }) => quantity * cost)
					.reduce(plus, 0);
				papers += 1;
				if (!isFresh) owed = total;
				yield {
					name: "delivery.create",
					args: {
						...{ id: newId(env), supplierId: isFresh ? market : wholesaler },
						items: lines.map(({ id: productId, name, ...line }, i) => ({
							...{ id: String(i + 1), productId, name },
							...{ quantity: line.quantity, cost: line.cost },
						})),
						// They cost what they did before.
						setsCosts: false,
						...(isFresh
							? { tenders: [{ method: "BANK", amount: total }] }
							: { number: `INV-${papers}` }),
					},
				};
			}
		},
	};
}
