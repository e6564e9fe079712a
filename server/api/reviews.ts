import { review, reviewCreate } from "../../sync/entities/review.ts";
import { newId } from "../../sync/ids.ts";
import type { DbRow } from "../../sync/store/store.ts";
import { readJson } from "../body.ts";
import { HttpError } from "../errors.ts";
import { type Deps, queryCount, type Routes } from "../routes.ts";
import { selectWires } from "./rows.ts";

const pageDefault = 50;

/** Business API, "Other paths": what users think, written by anyone who is signed in and read by administrators. */
export function reviewRoutes({ shop, gate }: Deps): Routes {
	const { store } = shop;
	return {
		"/api/reviews": {
			async GET(request, response) {
				await gate.admin(request);
				const answer = await store.read(async (tx) => {
					const rows = await tx.all(
						"SELECT * FROM reviews WHERE deleted = 0 ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?",
						queryCount(request, "limit", pageDefault),
						queryCount(request, "offset", 0),
					);
					const row = await tx.get(
						"SELECT count(*) AS total FROM reviews WHERE deleted = 0",
					);
					return { reviews: rows.map(toWire), total: Number(row?.total) };
				});
				response.json(answer);
			},

			async POST(request, response) {
				const caller = await gate.caller(request);
				const body = await readJson(request);
				const id = newId(shop.env);
				const { rating, text } = body as { rating: number; text: string };
				await shop.mutate(caller, reviewCreate, { id, rating, text });
				const [made] = await store.read((tx) =>
					selectWires(tx, review, caller.businessId, "AND id = ?", id),
				);
				response.status(201).json(made);
			},
		},

		"/api/reviews/:id": {
			async GET(request, response) {
				await gate.admin(request);
				const found = await store.read((tx) =>
					tx.get(
						"SELECT * FROM reviews WHERE id = ? AND deleted = 0",
						request.params.id as string,
					),
				);
				if (!found) throw new HttpError(404, "Review not found");
				response.json(toWire(found));
			},
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
