import { businessGet, businessToday } from "./business.ts";
import { categoryList } from "./category.ts";
import { customerByPhone, customerGet, customerList } from "./customer.ts";
import { inboxCount } from "./inbox-groups.ts";
import { layawayKept } from "./layaway-kept.ts";
import { paymentCodeUsed } from "./payment.ts";
import { productList } from "./product.ts";
import {
	productBestSellers,
	productByCode,
	productFind,
	productSome,
} from "./product-search.ts";
import type { Query } from "./query.ts";
import { saleByReceipt, saleGet } from "./sale.ts";
import { shiftCurrent } from "./shift.ts";

const selling: readonly Query[] = [
	businessGet,
	businessToday,
	categoryList,
	productList,
	productFind,
	productByCode,
	productSome,
	productBestSellers,
	saleGet,
	saleByReceipt,
	customerList,
	customerGet,
	customerByPhone,
	paymentCodeUsed,
	shiftCurrent,
	inboxCount,
	layawayKept,
];

const sellingByName = new Map(selling.map((query) => [query.name, query]));

/**
 * Finds a query by its name. A browser has those of selling at once and loads the others with the first that is asked,
 * so that a till opens sooner.
 *
 * @returns undefined for an unknown name
 */
export async function findQuery(name: string): Promise<Query | undefined> {
	const found = sellingByName.get(name);
	if (found) return found;
	const { queriesByName } = await import("./index.ts");
	return queriesByName.get(name);
}
