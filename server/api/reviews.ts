import * as z from "zod";
import { review, reviewCreate, reviewRow } from "../../sync/entities/review.ts";
import { newId } from "../../sync/ids.ts";
import { selectWires } from "../../sync/rows.ts";
import type { DbRow } from "../../sync/store/store.ts";
import { HttpError } from "../errors.ts";
import { queryCount } from "../input.ts";
import { type Deps, operation, type Routes } from "../routes.ts";

const { rating, text } = reviewRow.shape;

/** Business API, "Other paths": what users think, written by anyone who is signed in and read by administrators. */
export function reviewRoutes({ shop }: Deps): Routes {
	const { store } = shop;
	return {
		"/api/reviews": {
			GET: operation({
				summary: "A page of reviews of all businesses, the newest first",
				access: "adminSession",
				query: z.object({ limit: queryCount(50), offset: queryCount(0) }),
				answers: {
					200: z.object({ reviews: z.array(reviewRow), total: z.int() }),
				},
				async handle({ query, response }) {
					const answer = await store.read(async (tx) => {
						const rows = await tx.all(
							"SELECT * FROM reviews WHERE deleted = 0 ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?",
							query.limit,
							query.offset,
						);
						const row = await tx.get(
							"SELECT count(*) AS total FROM reviews WHERE deleted = 0",
						);
						return { reviews: rows.map(toWire), total: Number(row?.total) };
					});
					response.json(answer);
				},
			}),

			POST: operation({
				summary: "Say what one thinks of Counterfoil",
				access: "member",
				body: z.object({ rating, text }),
				answers: { 201: reviewRow },
				async handle({ caller, body, response }) {
					const id = newId(shop.env);
					await shop.mutate(caller, reviewCreate, { id, ...body });
					const [made] = await store.read((tx) =>
						selectWires(tx, review, caller.businessId, "AND id = ?", id),
					);
					response.status(201).json(made);
				},
			}),
		},

		"/api/reviews/:id": {
			GET: operation({
				summary: "A review",
				access: "adminSession",
				answers: { 200: reviewRow },
				async handle({ id, response }) {
					const found = await store.read((tx) =>
						tx.get("SELECT * FROM reviews WHERE id = ? AND deleted = 0", id),
					);
					if (!found) throw new HttpError(404, "Review not found");
					response.json(toWire(found));
				},
			}),
		},
	};
}

function toWire(row: DbRow) {
	return {
		id: row.id,
		businessId: row.business_id,
		rating: row.rating,
		text: row.text,
		userId: row.user_id,
		createdAt: row.created_at,
	};
}
