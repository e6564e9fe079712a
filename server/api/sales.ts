import type * as z from "zod";
import { refund, saleRefund, saleVoid } from "../../sync/entities/refund.ts";
import { sale, saleCreate } from "../../sync/entities/sale.ts";
import { newId } from "../../sync/ids.ts";
import type { Made } from "../../sync/shop.ts";
import { readJson } from "../body.ts";
import { HttpError } from "../errors.ts";
import { type Deps, type Handler, queryCount, type Routes } from "../routes.ts";
import { selectWires } from "./rows.ts";

type Line = z.input<typeof saleCreate.args>["items"][number];

/** Business API, "Sales"; voids and refunds are ours. */
export function saleRoutes({ shop, gate }: Deps): Routes {
	async function read(businessId: string, id: string) {
		const [found] = await shop.store.read((tx) =>
			selectWires(tx, sale, businessId, "AND id = ?", id),
		);
		if (!found) throw new HttpError(404, "Sale not found");
		return found;
	}

	/** Takes a sale back by a further fact, and answers with that. */
	function takeBack(
		mutation: Made["mutation"],
		more: (body: Record<string, unknown>) => object,
	): Handler {
		return async (request, response) => {
			const caller = await gate.caller(request);
			const body = await readJson(request);
			const saleId = request.params.id as string;
			await read(caller.businessId, saleId);
			const { reason, restock = undefined } = body;
			const id = newId(shop.env);
			const args = { id, saleId, reason, restock, ...more(body) };
			await shop.mutate(caller, mutation, args);
			const [made] = await shop.store.read((tx) =>
				selectWires(tx, refund, caller.businessId, "AND id = ?", id),
			);
			response.status(201).json(made);
		};
	}

	return {
		"/api/sales": {
			async GET(request, response) {
				const { businessId } = await gate.caller(request);
				const answer = await shop.store.read(async (tx) => {
					const sales = await selectWires(
						tx,
						sale,
						businessId,
						"ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?",
						queryCount(request, "limit", 50),
						queryCount(request, "offset", 0),
					);
					const row = await tx.get(
						"SELECT count(*) AS total FROM sales WHERE business_id = ? AND deleted = 0",
						businessId,
					);
					return { sales, total: Number(row?.total) };
				});
				response.json(answer);
			},

			async POST(request, response) {
				const caller = await gate.caller(request);
				const { items, paid, paymentMethod, notes } = await readJson(request);
				if (!Array.isArray(items) || items.length === 0)
					throw new HttpError(400, "items array required");
				const id = newId(shop.env);
				await shop.mutate(caller, saleCreate, {
					id,
					items: items.map(toLine),
					paid: (paid || null) as number | null,
					paymentMethod: (paymentMethod || undefined) as string | undefined,
					notes: (notes ?? null) as string | null,
				});
				response.status(201).json(await read(caller.businessId, id));
			},
		},

		"/api/sales/:id": {
			async GET(request, response) {
				const { businessId } = await gate.caller(request);
				response.json(await read(businessId, request.params.id as string));
			},
		},

		"/api/sales/:id/void": {
			POST: takeBack(saleVoid, () => ({})),
		},

		"/api/sales/:id/refunds": {
			POST: takeBack(saleRefund, ({ items }) => ({
				items: Array.isArray(items)
					? items.map((item) => ({
							id: newId(shop.env),
							itemId: item?.itemId,
							quantity: item?.quantity,
						}))
					: items,
			})),
		},
	};

	/** A line as the core takes it: with an id of the server's, and without what the contract ignores. */
	function toLine(item: unknown): Line {
		const { name, quantity, price, cost, productId, isService } = (item ??
			{}) as Partial<Line>;
		const line: Partial<Line> = {
			id: newId(shop.env),
			name,
			quantity,
			price,
			cost,
			productId: productId || null,
			isService: Boolean(isService),
		};
		// The core checks what is missing, and names it.
		return line as Line;
	}
}
