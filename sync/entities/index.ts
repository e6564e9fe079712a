import type * as z from "zod";
import { business, businessBackdate, businessUpdate } from "./business.ts";
import {
	category,
	categoryCreate,
	categoryDelete,
	categoryUpdate,
} from "./category.ts";
import type { Entity, Mutation } from "./entity.ts";
import { inboxDismiss, inboxItem, inboxReopen } from "./inbox.ts";
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

/** All entities of a shop: tills store them, the feed carries them, digests and archives cover them. */
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
	inboxDismiss,
	inboxReopen,
	productDelete,
	categoryDelete,
	reviewCreate,
] as const;

/** All mutations, in an order in which their examples can be applied one after another. */
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
