import { refund, refundRow } from "../entities/refund.ts";
import { recordQuery } from "./record.ts";

export const refundGet = recordQuery(refund, refundRow, {
	summary: "A refund or void of a sale",
	missing: "Refund not found",
});
