import type * as z from "zod";
import { ShopError } from "../../sync/protocol/errors.ts";
import { businessGet } from "../../sync/queries/business.ts";
import type { List } from "../../sync/queries/query.ts";
import type { Caller, Shop } from "../../sync/shop.ts";

/** Fields that say what goods cost the shop, or what it earned. */
const costs = new Set(["cost", "buyingPrice", "profit", "loss"]);

/**
 * Returns the shop with answers for REST: where the owner says that cashiers see no costs, these are null for them, and put
 * nothing in order. The feed has them, as a till computes with them; there the screens keep them back.
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
			if (!(await isHidden(caller))) return shop.ask(caller, query, args);
			const { sort } = Object(args) as { sort?: string };
			if (sort !== undefined && costs.has(sort))
				throw new ShopError(
					"forbidden",
					"Your role does not see costs",
					"sort",
				);
			return withoutCosts(await shop.ask(caller, query, args));
		},
	};
}

/** Makes a list's cursors readable that are made of rows without costs: nothing is sorted by those. */
export function withPlaces<Shape extends z.ZodRawShape, Row extends z.ZodType>(
	list: List<Shape, Row>,
): List<Shape, Row> {
	return {
		...list,
		placeOf(row) {
			const fields = Object.entries(row as object).map(([name, field]) => [
				name,
				costs.has(name) ? (field ?? 0) : field,
			]);
			return list.placeOf(Object.fromEntries(fields) as z.input<Row>);
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
