import * as z from "zod";
import { reviewCreate, reviewRow } from "../../sync/entities/review.ts";
import { newId } from "../../sync/protocol/ids.ts";
import { reviewGet } from "../../sync/queries/review.ts";
import type { Deps } from "../deps.ts";
import { HttpError } from "../http/http-error.ts";
import { queryCount } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { findReview, listReviews } from "../operations/installation/reviews.ts";

const { rating, text } = reviewRow.shape;

/** Routes of reviews of Counterfoil: signed-in users write them, administrators read them. */
export function reviewRoutes({ shop }: Deps): Routes {
	const { store } = shop;
	return {
		"/api/reviews": {
			GET: operation({
				summary: "List reviews of all businesses, newest first",
				access: "adminSession",
				query: z.object({ limit: queryCount(50), offset: queryCount(0) }),
				answers: {
					200: z.object({ reviews: z.array(reviewRow), total: z.int() }),
				},
				async handle({ query, response }) {
					response.json(await store.read((tx) => listReviews(tx, query)));
				},
			}),

			POST: operation({
				summary: "Add a review of Counterfoil",
				access: "member",
				body: z.object({ rating, text }),
				answers: { 201: reviewRow },
				async handle({ caller, body, response }) {
					const id = newId(shop.env);
					await shop.mutate(caller, reviewCreate, { id, ...body });
					response.status(201).json(await shop.ask(caller, reviewGet, { id }));
				},
			}),
		},

		"/api/reviews/:id": {
			GET: operation({
				summary: "Get a review",
				access: "adminSession",
				answers: { 200: reviewRow },
				async handle({ id, response }) {
					const found = await store.read((tx) => findReview(tx, id));
					if (!found) throw new HttpError(404, "Review not found");
					response.json(found);
				},
			}),
		},
	};
}
