import { type Review, review } from "../../../sync/entities/review.ts";
import { columnsOfEntity, toRow } from "../../../sync/rows/columns.ts";
import { toWire } from "../../../sync/rows/rows.ts";
import type { Connection, DbRow } from "../../../sync/store/store.ts";

/** Lists reviews of all businesses, newest first, with the total number. */
export async function listReviews(
	tx: Connection,
	{ limit, offset }: { limit: number; offset: number },
): Promise<{ reviews: Review[]; total: number }> {
	const rows = await tx.all(
		"SELECT * FROM reviews WHERE deleted = 0 ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?",
		limit,
		offset,
	);
	const counted = await tx.get(
		"SELECT count(*) AS total FROM reviews WHERE deleted = 0",
	);
	return { reviews: rows.map(toReview), total: Number(counted?.total) };
}

/** Finds a review of any business. */
export async function findReview(
	tx: Connection,
	id: string,
): Promise<Review | undefined> {
	const row = await tx.get(
		"SELECT * FROM reviews WHERE id = ? AND deleted = 0",
		id,
	);
	return row && toReview(row);
}

function toReview(row: DbRow): Review {
	return toWire(review, toRow(columnsOfEntity(review), row)) as Review;
}
