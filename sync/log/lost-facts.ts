import { argsVersionOf } from "../entities/args-version.ts";
import { cashMove, drawerOpen } from "../entities/cash.ts";
import { delivery, deliveryCreate } from "../entities/delivery.ts";
import type { Entity } from "../entities/entity.ts";
import { layaway, layawayCreate } from "../entities/layaway.ts";
import { parseArgs } from "../entities/parse-args.ts";
import { payment, paymentAdjust, paymentCollect } from "../entities/payment.ts";
import { paymentPayout } from "../entities/payout.ts";
import { refund, saleRefund, saleVoid } from "../entities/refund.ts";
import { cartRemove } from "../entities/removal.ts";
import { review, reviewCreate } from "../entities/review.ts";
import { sale, saleCreate } from "../entities/sale.ts";
import {
	shift,
	shiftClose,
	shiftOpen,
	shiftReport,
} from "../entities/shift.ts";
import { stockAdjust } from "../entities/stock.ts";
import { stockMovement } from "../entities/stock-movement.ts";
import { paymentRemit } from "../entities/supplier-payment.ts";
import { ShopError } from "../protocol/errors.ts";
import { derivedId } from "../protocol/ids.ts";
import { canonicalJson } from "../protocol/json.ts";
import * as outbox from "../replica/outbox.ts";
import { rowPages } from "../rows/row-pages.ts";
import { toWire } from "../rows/rows.ts";
import type { Connection } from "../store/store.ts";
import {
	type Remade,
	remakeDelivery,
	remakeLayaway,
	remakePayment,
	remakeRefund,
	remakeSale,
	remakeShift,
	remakeShiftReport,
} from "./remade-facts.ts";

const pageRows = 200;

/** The facts that are offered, and how each is made again. */
const lost: [
	Entity,
	(
		tx: Connection,
		businessId: string,
		row: Record<string, unknown>,
	) => Promise<Remade | undefined>,
][] = [
	[layaway, remakeLayaway],
	[sale, remakeSale],
	[refund, remakeRefund],
	[payment, remakePayment],
	[shift, remakeShift],
	[shiftReport, remakeShiftReport],
	[delivery, remakeDelivery],
];
const made = [
	...[saleCreate, saleVoid, saleRefund, paymentCollect, paymentAdjust],
	...[cashMove, drawerOpen, cartRemove, shiftOpen, shiftClose],
	...[paymentPayout, layawayCreate, deliveryCreate, paymentRemit],
];

/**
 * Offers the sales, voids, refunds, payments and layaways that the server once sent and has lost, including those of other tills and of
 * clients that keep nothing. Each is made from its row, under an id that is equal on every till with the same row: two
 * histories of a server may have dated a sale differently. If a sale arrives by several mutations, the server records
 * it once.
 *
 * @param version the first version that the server has lost
 * @param onFault receives a row that no mutation can make
 */
export async function resubmitLostFacts(
	tx: Connection,
	businessId: string,
	version: number,
	onFault: (error: unknown) => void,
): Promise<void> {
	const offered = await readOffered(tx, businessId);
	for (const [entity, remake] of lost)
		for await (const rows of rowPages(
			tx,
			entity,
			businessId,
			pageRows,
			"AND version = ? AND deleted = 0",
			version,
		))
			for (const { row } of rows) {
				if (offered.has(row.id)) continue;
				// The row as a page would carry it.
				const wire = JSON.parse(JSON.stringify(toWire(entity, row)));
				const remade = await remake(tx, businessId, wire);
				if (remade) await offer(tx, businessId, wire, remade, onFault);
			}
}

/** The mutations that record the facts of each entity, under the id of the fact. */
const recordedBy: Record<string, readonly string[]> = {
	[sale.name]: [saleCreate.name],
	[refund.name]: [saleVoid.name, saleRefund.name],
	[stockMovement.name]: [stockAdjust.name],
	[review.name]: [reviewCreate.name],
	[payment.name]: [
		...[paymentCollect.name, paymentAdjust.name, paymentPayout.name],
		...[cashMove.name, drawerOpen.name, cartRemove.name, paymentRemit.name],
	],
	[shift.name]: [shiftOpen.name],
	[shiftReport.name]: [shiftClose.name],
	[layaway.name]: [layawayCreate.name],
	[delivery.name]: [deliveryCreate.name],
};

/**
 * Offers a fact again that the server has lost and that this till made, as its log has it. The mutation gets a new id,
 * because the server may have kept its log entry without the row.
 *
 * @param occasion of the loss: the same one offers it once
 * @returns false if this till's log has no such fact
 */
export async function resubmitFact(
	tx: Connection,
	businessId: string,
	{ entity, id }: { entity: string; id: string },
	occasion: string,
): Promise<boolean> {
	const names = recordedBy[entity] ?? [];
	const made = await outbox.readAcknowledged(tx, businessId, id);
	const one = made.find(
		({ name, args }) => names.includes(name) && JSON.parse(args).id === id,
	);
	if (!one) return false;
	const { name, args, argsVersion, at, userId, deviceId } = one;
	const again = derivedId(id, `${occasion} ${args}`);
	const mutation = { name, args, argsVersion, at, userId, deviceId };
	if (!(await isLogged(tx, businessId, again)))
		await outbox.append(tx, businessId, { id: again, ...mutation }, null, {
			isNew: false,
		});
	return true;
}

async function offer(
	tx: Connection,
	businessId: string,
	row: Record<string, unknown>,
	{ mutation, args }: Remade,
	onFault: (error: unknown) => void,
): Promise<void> {
	const text = canonicalJson(args);
	const id = derivedId(row.id as string, text);
	if (await isLogged(tx, businessId, id)) return;
	try {
		parseArgs(mutation, args);
	} catch (error) {
		if (!(error instanceof ShopError)) throw error;
		onFault(error);
		return;
	}
	const made = {
		id,
		name: mutation.name,
		args: text,
		argsVersion: argsVersionOf(mutation, args),
		at: row.createdAt as string,
		userId: row.userId as string | null,
		deviceId: row.deviceId as string | null,
	};
	// By a number the server would take it for newer than what this till has sent, and its date for wrong.
	await outbox.append(tx, businessId, made, null, { isNew: false });
}

async function isLogged(
	tx: Connection,
	businessId: string,
	id: string,
): Promise<boolean> {
	const known = await tx.get(
		"SELECT 1 AS known FROM mutations WHERE business_id = ? AND id = ?",
		businessId,
		id,
	);
	return known !== undefined;
}

/** The ids of facts that are in this till's outbox. */
async function readOffered(
	tx: Connection,
	businessId: string,
): Promise<Set<unknown>> {
	const rows = await tx.all(
		`SELECT mutations.args FROM outbox
     JOIN stored_mutations AS mutations ON mutations.business_id = outbox.business_id AND mutations.id = outbox.mutation_id
     WHERE outbox.business_id = ? AND outbox.state = 'pending' AND mutations.name IN (${made.map(() => "?").join(", ")})`,
		businessId,
		...made.map(({ name }) => name),
	);
	return new Set(rows.map(({ args }) => JSON.parse(args as string)?.id));
}
