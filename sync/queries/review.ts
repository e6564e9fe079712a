import { review, reviewRow } from "../entities/review.ts";
import { recordQuery } from "./record.ts";

export const reviewGet = recordQuery(review, reviewRow, {
	summary: "A review by a member",
	missing: "Review not found",
});
