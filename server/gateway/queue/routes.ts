import * as z from "zod";
import { operation, type Routes } from "../../http/operation.ts";
import type { RequestQueue } from "./queue.ts";
import { queuedRequest } from "./queued-request.ts";

/** What became of the requests that a key or a member put into the queue. */
export function queueRoutes(queue: RequestQueue): Routes {
	return {
		"/v1/queue/*id": {
			GET: operation({
				summary: "Get a queued request, with its answer once there is one",
				access: "gateway",
				answers: { 200: queuedRequest },
				async handle({ payer, id, response }) {
					response.json(await queue.get(payer, id));
				},
			}),
			DELETE: operation({
				summary: "Cancel a queued request, or delete its answer",
				access: "gateway",
				answers: {
					200: z.object({
						id: z.string(),
						object: z.literal("queued_request"),
						deleted: z.literal(true),
					}),
				},
				async handle({ payer, id, response }) {
					await queue.cancel(payer, id);
					response.json({ id, object: "queued_request", deleted: true });
				},
			}),
		},
	};
}
