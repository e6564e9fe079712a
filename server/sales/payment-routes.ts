import * as z from "zod";
import { paymentList } from "../../sync/queries/payment-list.ts";
import type { Deps } from "../deps.ts";
import type { Routes } from "../http/operation.ts";
import { listOperation } from "../http/query-operations.ts";

const { from, to } = paymentList.args.shape;

/** The route of all that moved by each payment method. */
export function paymentRoutes({ shop }: Deps): Routes {
	return {
		"/api/payments": {
			GET: listOperation(shop, paymentList, {
				params: z.object({ from, to }),
				toArgs: ({ params }) => params,
			}),
		},
	};
}
