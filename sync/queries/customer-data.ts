import * as z from "zod";
import { type Customer, customer, customerWire } from "../entities/customer.ts";
import { recordsOf } from "../entities/customer-account.ts";
import { type Entity, managing } from "../entities/entity.ts";
import { type Layaway, layaway, layawayWire } from "../entities/layaway.ts";
import { payment } from "../entities/payment.ts";
import { refund, refundRow } from "../entities/refund.ts";
import { type Sale, sale, saleWire } from "../entities/sale.ts";
import { selectWires } from "../rows/rows.ts";
import {
	type AccountPayment,
	accountPayment,
	customerGet,
} from "./customer.ts";
import { defineQuery } from "./query.ts";
import { anyId } from "./record.ts";

/** Rows whose column is one of some ids, the oldest first. */
const among = (column: string) =>
	`AND ${column} IN (SELECT value FROM json_each(?)) ORDER BY created_at, id`;

export const customerData = defineQuery({
	name: "customer.data",
	summary:
		"All that the shop keeps of one customer: the record, those merged into it, payments, sales, refunds and layaways",
	args: z.strictObject({ id: anyId }),
	older: { since: () => "" },
	answer: z
		.object({
			customer: customerWire,
			merged: z.array(customerWire),
			payments: z.array(accountPayment),
			sales: z.array(saleWire),
			refunds: z.array(refundRow),
			layaways: z.array(layawayWire),
		})
		.meta({ id: "CustomerData" }),
	roles: managing,
	async run(context, { id }) {
		const { tx, businessId } = context;
		const found = await customerGet.run(context, { id });
		const read = <Wire>(entity: Entity, column: string, ids: string[]) =>
			selectWires<Wire>(
				tx,
				entity,
				businessId,
				among(column),
				JSON.stringify(ids),
			);
		const records = await recordsOf(tx, businessId, found.id);
		const payments = await read<AccountPayment>(
			payment,
			"customer_id",
			records,
		);
		const saleIds = payments.flatMap(({ kind, factId }) =>
			kind === "sale" ? [factId] : [],
		);
		return {
			customer: found,
			merged: await read<Customer>(customer, "merged_into", [found.id]),
			payments,
			sales: await read<Sale>(sale, "id", saleIds),
			refunds: await read<z.input<typeof refundRow>>(
				refund,
				"sale_id",
				saleIds,
			),
			layaways: await read<Layaway>(layaway, "customer_id", records),
		};
	},
});
