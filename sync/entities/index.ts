import type { Entity, Mutation } from "../entity.ts";
import { business, businessBackdate, businessUpdate } from "./business.ts";
import {
	category,
	categoryCreate,
	categoryDelete,
	categoryUpdate,
} from "./category.ts";
import { inboxItem } from "./inbox.ts";
import {
	product,
	productCreate,
	productDelete,
	productUpdate,
} from "./product.ts";
import { refund, saleRefund, saleVoid } from "./refund.ts";
import { review, reviewCreate } from "./review.ts";
import { sale, saleCreate } from "./sale.ts";
import { stockAdjust, stockMovement } from "./stock.ts";

/** All that a shop is made of, and so all that travels. */
export const entities: readonly Entity[] = [
	business,
	category,
	product,
	sale,
	refund,
	stockMovement,
	inboxItem,
	review,
];

/** All that can change a shop. */
export const mutations: readonly Mutation[] = [
	businessUpdate,
	businessBackdate,
	categoryCreate,
	categoryUpdate,
	categoryDelete,
	productCreate,
	productUpdate,
	productDelete,
	stockAdjust,
	saleCreate,
	saleVoid,
	saleRefund,
	reviewCreate,
];

export const entitiesByName = new Map(
	entities.map((entity) => [entity.name, entity]),
);
export const mutationsByName = new Map(
	mutations.map((mutation) => [mutation.name, mutation]),
);
