import type * as z from "zod";
import { business, businessBackdate, businessUpdate } from "./business.ts";
import {
	category,
	categoryCreate,
	categoryDelete,
	categoryUpdate,
} from "./category.ts";
import type { Entity, Mutation } from "./entity.ts";
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
import { stockAdjust } from "./stock.ts";
import { stockMovement } from "./stock-movement.ts";

/** All that a shop is made of, and so all that travels: tills keep it, archives and digests hold it. */
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

const all = [
	businessUpdate,
	businessBackdate,
	categoryCreate,
	categoryUpdate,
	productCreate,
	productUpdate,
	stockAdjust,
	saleCreate,
	saleRefund,
	saleVoid,
	productDelete,
	categoryDelete,
	reviewCreate,
] as const;

/** All that can change a shop, in an order in which the examples of all can be made one after another. */
export const mutations: readonly Mutation[] = all;

/** The arguments of each mutation, by its name. */
export type MutationArgs = {
	[One in (typeof all)[number] as One["name"]]: z.input<One["args"]>;
};

export const entitiesByName = new Map(
	entities.map((entity) => [entity.name, entity]),
);
export const mutationsByName = new Map(
	mutations.map((mutation) => [mutation.name, mutation]),
);
