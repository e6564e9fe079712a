import type * as z from "zod";
import { business, businessBackdate, businessUpdate } from "./business.ts";
import { cashMove, drawerOpen } from "./cash.ts";
import {
	category,
	categoryCreate,
	categoryDelete,
	categoryUpdate,
} from "./category.ts";
import {
	count,
	countClose,
	countEnter,
	countLook,
	countLookAt,
	countOpen,
} from "./count.ts";
import {
	customer,
	customerCreate,
	customerDelete,
	customerErase,
	customerLimit,
	customerMerge,
	customerUpdate,
} from "./customer.ts";
import { delivery, deliveryCreate } from "./delivery.ts";
import type { Entity, Mutation } from "./entity.ts";
import { inboxDismiss, inboxItem, inboxReopen } from "./inbox.ts";
import { label, labelSet } from "./label.ts";
import { layaway, layawayCancel, layawayCreate } from "./layaway.ts";
import { packCreate, packDelete, packUpdate } from "./pack.ts";
import { pack } from "./pack-row.ts";
import { payment, paymentAdjust, paymentCollect } from "./payment.ts";
import { paymentPayout } from "./payout.ts";
import { pinLock } from "./pin-lock.ts";
import {
	product,
	productCreate,
	productDelete,
	productUpdate,
} from "./product.ts";
import { codeCreate, codeDelete, productCode } from "./product-code.ts";
import { refund, saleRefund, saleVoid } from "./refund.ts";
import { cartRemove } from "./removal.ts";
import { review, reviewCreate } from "./review.ts";
import { sale, saleCreate } from "./sale.ts";
import { shift, shiftClose, shiftOpen, shiftReport } from "./shift.ts";
import { statementImport, statementLine } from "./statement.ts";
import { stockAdjust } from "./stock.ts";
import { stockMovement } from "./stock-movement.ts";
import {
	supplier,
	supplierCreate,
	supplierDelete,
	supplierUpdate,
} from "./supplier.ts";
import { paymentRemit } from "./supplier-payment.ts";
import { tax, taxSet } from "./tax.ts";

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
	customer,
	tax,
	productCode,
	pack,
	label,
	layaway,
	supplier,
	delivery,
	payment,
	shift,
	shiftReport,
	statementLine,
	count,
	countLook,
];

const all = [
	businessUpdate,
	businessBackdate,
	taxSet,
	categoryCreate,
	categoryUpdate,
	productCreate,
	productUpdate,
	codeCreate,
	labelSet,
	packCreate,
	packUpdate,
	stockAdjust,
	customerCreate,
	saleCreate,
	saleRefund,
	saleVoid,
	inboxDismiss,
	inboxReopen,
	codeDelete,
	packDelete,
	productDelete,
	categoryDelete,
	reviewCreate,
	customerUpdate,
	customerLimit,
	paymentCollect,
	paymentAdjust,
	customerMerge,
	customerErase,
	customerDelete,
	shiftOpen,
	cashMove,
	drawerOpen,
	cartRemove,
	pinLock,
	shiftClose,
	statementImport,
	layawayCreate,
	layawayCancel,
	paymentPayout,
	countOpen,
	countLookAt,
	countEnter,
	countClose,
	supplierCreate,
	supplierUpdate,
	deliveryCreate,
	paymentRemit,
	supplierDelete,
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
