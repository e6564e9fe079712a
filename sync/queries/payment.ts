import * as z from "zod";
import { isCodeUsed, paymentCode } from "../entities/payment.ts";
import { defineQuery } from "./query.ts";

export const paymentCodeUsed = defineQuery({
	name: "payment.code",
	summary: "Whether a payment's code has named a payment before",
	args: z.strictObject({ code: paymentCode }),
	answer: z.object({ isUsed: z.boolean() }),
	async run({ tx, businessId }, { code }) {
		return { isUsed: await isCodeUsed(tx, businessId, code) };
	},
});
