import { review, reviewRow } from "../entities/review.ts";
import { recordQuery } from "./record.ts";

export const reviewGet = recordQuery(review, reviewRow, {
	summary: "A review that a member of the shop wrote",
	missing: "Review not found",
});
