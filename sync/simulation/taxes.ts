import { businessUpdate } from "../entities/business.ts";
import { categoryUpdate } from "../entities/category.ts";
import { productUpdate } from "../entities/product.ts";
import { taxSet } from "../entities/tax.ts";
import { type Act, pickTill } from "./pick-till.ts";
import { canaryOf } from "./witness.ts";

/** Changes a tax's rate, or what the shop, a category or a product is taxed at: what is sold keeps its own. */
export const changesTaxes: Act = async (world, random) => {
	const till = pickTill(world, random);
	if (!till) return;
	const { businessId, caller, replica } = till;
	const rate = random.pick([0, 8, 14, 16, 18]);
	const taxClass = random.pick(["A", "B", null]);
	const kind = random.next();
	await world.attempt(async () => {
		if (kind < 0.5)
			await replica.mutate(caller, taxSet, {
				...{ id: random.pick(["A", "B"]), name: canaryOf(businessId) },
				...{ kind: "standard", rates: [{ from: "2020-01-01", rate }] },
			});
		else if (kind < 0.7)
			await replica.mutate(caller, businessUpdate, { set: { taxClass } });
		else if (kind < 0.8)
			await replica.mutate(caller, categoryUpdate, {
				...{ id: random.pick(["dairy", "bakery"]), set: { taxClass } },
			});
		else
			await replica.mutate(caller, productUpdate, {
				...{ id: random.pick(["milk", "bread", "late"]), set: { taxClass } },
			});
	});
};
