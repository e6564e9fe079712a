import * as z from "zod";
import { paymentCode } from "../entities/payment.ts";
import { defineQuery } from "./query.ts";

export const paymentCodeUsed = defineQuery({
	name: "payment.code",
	summary: "Whether a payment's code has named a payment before",
	args: z.strictObject({ code: paymentCode }),
	answer: z.object({ isUsed: z.boolean() }),
	async run({ tx, businessId }, { code }) {
		const used = await tx.get(
			`SELECT 1 AS used FROM sales WHERE business_id = ? AND payment_code = ?
       UNION ALL SELECT 1 FROM payments WHERE business_id = ? AND code = ? LIMIT 1`,
			...[businessId, code, businessId, code],
		);
		return { isUsed: used !== undefined };
	},
});
