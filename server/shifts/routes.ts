import * as z from "zod";
import { shiftClose, shiftOpen } from "../../sync/entities/shift.ts";
import { newId } from "../../sync/protocol/ids.ts";
import {
	type ShiftDetail,
	shiftCurrent,
	shiftGet,
	shiftList,
	shiftSums,
} from "../../sync/queries/shift.ts";
import { toShiftDocument } from "../../sync/receipts/shift-document.ts";
import type { Deps } from "../deps.ts";
import { newRecordId, onWire, orNull } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { listOperation, queryOperation } from "../http/query-operations.ts";
import { documentOperation } from "../sales/send-document.ts";

const opening = shiftOpen.args.shape;
const closing = shiftClose.args.shape;
const amount = onWire(opening.openingFloat);

/** Routes of shifts. Those that are opened here are of the drawer that the server's own sales go into. */
export function shiftRoutes(deps: Deps): Routes {
	const { shop } = deps;
	return {
		"/api/shifts": {
			GET: listOperation(shop, shiftList),

			POST: operation({
				summary: "Open a shift with the cash that is in the drawer",
				access: "member",
				roles: shiftOpen.roles,
				body: z.object({ id: newRecordId(opening.id), openingFloat: amount }),
				failures: [409],
				answers: { 201: shiftGet.answer },
				async handle({ caller, body, response }) {
					const { id = newId(shop.env), openingFloat } = body;
					await shop.mutate(caller, shiftOpen, { id, openingFloat });
					response.status(201).json(await shop.ask(caller, shiftGet, { id }));
				},
			}),
		},

		"/api/shifts/current": { GET: queryOperation(shop, shiftCurrent) },

		"/api/shifts/:id": {
			GET: documentOperation(deps, shiftGet, (found: ShiftDetail, language) =>
				toShiftDocument(found, { language }),
			),
		},

		"/api/shifts/:id/sums": {
			GET: queryOperation(shop, shiftSums, { toArgs: ({ id }) => ({ id }) }),
		},

		"/api/shifts/:id/close": {
			POST: operation({
				summary: "End a shift by a count of what is there",
				access: "member",
				roles: shiftClose.roles,
				body: z.object({
					id: newRecordId(closing.id),
					counted: z.array(z.object({ method: z.string(), amount })).max(50),
					pieces: z
						.array(z.object({ value: amount, count: z.int().min(0) }))
						.max(50)
						.nullable()
						.optional(),
					leftInDrawer: amount.nullable().optional(),
					reason: orNull(closing.reason.unwrap()),
				}),
				failures: [409],
				answers: { 201: shiftGet.answer },
				async handle({ caller, id: shiftId, body, response }) {
					await shop.ask(caller, shiftGet, { id: shiftId });
					const { id = newId(shop.env), ...count } = body;
					await shop.mutate(caller, shiftClose, { id, shiftId, ...count });
					response
						.status(201)
						.json(await shop.ask(caller, shiftGet, { id: shiftId }));
				},
			}),
		},
	};
}
