import * as z from "zod";
import { cashMove, drawerOpen } from "../../sync/entities/cash.ts";
import { newId } from "../../sync/protocol/ids.ts";
import type { Deps } from "../deps.ts";
import { newRecordId, onWire } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";

const { id, reason, amount, category } = cashMove.args.shape;
const said = { id: newRecordId(id), reason };
const recorded = z.object({ id });

/** Routes of cash that moves without a sale. */
export function cashRoutes({ shop }: Deps): Routes {
	return {
		"/api/cash-movements": {
			POST: operation({
				summary:
					"Record cash that was put into the drawer, or with a negative amount taken out of it",
				access: "member",
				roles: cashMove.roles,
				body: z.object({ ...said, amount: onWire(amount), category }),
				failures: [409],
				answers: { 201: recorded },
				async handle({ caller, body, response }) {
					const { id = newId(shop.env), ...moved } = body;
					await shop.mutate(caller, cashMove, { id, ...moved });
					response.status(201).json({ id });
				},
			}),
		},

		"/api/drawer-openings": {
			POST: operation({
				summary: "Record that the drawer was opened without a sale",
				access: "member",
				roles: drawerOpen.roles,
				body: z.object(said),
				failures: [409],
				answers: { 201: recorded },
				async handle({ caller, body, response }) {
					const { id = newId(shop.env), reason } = body;
					await shop.mutate(caller, drawerOpen, { id, reason });
					response.status(201).json({ id });
				},
			}),
		},
	};
}
