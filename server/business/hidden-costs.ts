import { businessGet } from "../../sync/queries/business.ts";
import type { Caller, Shop } from "../../sync/shop.ts";

/** Fields that say what goods cost the shop, or what it earned. */
const costs = new Set(["cost", "buyingPrice", "profit", "loss"]);

/**
 * Returns the shop with answers for REST: where the owner says that cashiers see no costs, these are null for them. The feed
 * has them, as a till computes with them; there the screens keep them back.
 */
export function hidingCosts(shop: Shop): Shop {
	async function isHidden({
		role,
		businessId,
	}: Pick<Caller, "role" | "businessId">) {
		if (role !== "CASHIER") return false;
		const { limits } = await shop.ask({ role, businessId }, businessGet, {});
		return limits?.some((one) => one.role === role && one.seesProfit === false);
	}
	return {
		...shop,
		async ask(caller, query, args) {
			const answer = await shop.ask(caller, query, args);
			return (await isHidden(caller)) ? withoutCosts(answer) : answer;
		},
	};
}

function withoutCosts<T>(value: T): T;
function withoutCosts(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutCosts);
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, field]) => [
			name,
			costs.has(name) ? null : withoutCosts(field),
		]),
	);
}
