import * as z from "zod";
import { toDecimal } from "../entities/money.ts";
import { isCodeUsed, paymentCode } from "../entities/payment.ts";
import { statementLineId } from "../entities/statement.ts";
import { defineQuery } from "./query.ts";

export const paymentCodeUsed = defineQuery({
	name: "payment.code",
	summary:
		"Whether a payment's code has named a payment before, and what a statement of M-PESA says of it",
	args: z.strictObject({ code: paymentCode }),
	answer: z.object({
		isUsed: z.boolean(),
		/** What was received; null if no statement has the code. */
		received: z.number().nullable(),
	}),
	async run({ tx, businessId }, { code }) {
		const [line] = await tx.all(
			"SELECT amount FROM statement_lines WHERE business_id = ? AND id = ?",
			businessId,
			statementLineId("MPESA", code),
		);
		return {
			isUsed: await isCodeUsed(tx, businessId, code),
			received: line ? toDecimal(Number(line.amount)) : null,
		};
	},
});
