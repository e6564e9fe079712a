import * as z from "zod";
import { business, businessRow } from "../entities/business.ts";
import { ShopError } from "../errors.ts";
import { defineQuery } from "../query.ts";
import { findWire } from "../rows.ts";

export const businessGet = defineQuery({
	name: "business.get",
	summary: "The caller's business",
	args: z.strictObject({}),
	answer: businessRow,
	async run({ tx, businessId }) {
		const found = await findWire<z.input<typeof businessRow>>(
			tx,
			business,
			businessId,
			businessId,
		);
		if (!found) throw new ShopError("not_found", "Business not found");
		return found;
	},
});
