import * as z from "zod";
import { recordMove } from "./cash.ts";
import { defineMutation } from "./entity.ts";
import { day, recordId, requiredText } from "./fields.ts";
import { fixDayAndShift } from "./shift.ts";

/** Records lines that were taken out of a sale before it was paid. No money moved, or so the cashier says. */
export const cartRemove = defineMutation({
	name: "cart.remove",
	args: z.strictObject({
		id: recordId,
		/** The lines, with their quantities and prices. */
		reason: requiredText(500),
		businessDay: day.optional(),
		/** The shift, fixed when it is made. */
		shiftId: recordId.optional(),
	}),
	sentence: ({ reason }) => `Took out of a sale before it was paid: ${reason}`,
	examples: [{ id: "removal", reason: "2 × Soda 500 ml 130" }],
	prepare: fixDayAndShift,
	apply: (context, fact) =>
		recordMove(context, { ...fact, kind: "removal", amount: 0 }),
});
