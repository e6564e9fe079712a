import type { Logger } from "pino";
import * as z from "zod";
import { isStorageError } from "../../sync/protocol/errors.ts";
import type { Shop } from "../../sync/shop.ts";
import { operation, type Routes } from "./operation.ts";

/** Answers 200 `{ok: true}` while the store responds; tills use it to recognize their server, supervisors as a health check. */
export function healthRoutes({
	shop,
	log,
}: {
	shop: Shop;
	log: Logger;
}): Routes {
	return {
		"/healthz": {
			GET: operation({
				summary: "Check that the server and its database respond",
				access: "anyone",
				isAlwaysAnswered: true,
				answers: {
					200: z.object({ ok: z.literal(true) }),
					503: z.object({ error: z.string() }),
				},
				async handle({ response }) {
					try {
						shop.store.assertInPlace();
						await shop.store.read((tx) => tx.get("SELECT 1 AS one"));
						response.json({ ok: true });
					} catch (error) {
						log.error({ err: error }, "The store does not answer");
						response.status(503).json({
							error: isStorageError(error)
								? error.message
								: "The store does not answer",
						});
					}
				},
			}),
		},
	};
}
