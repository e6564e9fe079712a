import * as z from "zod";
import type { Deps } from "../deps.ts";
import { HttpError } from "../http/http-error.ts";
import { operation, type Routes } from "../http/operation.ts";

/**
 * The server's numbers. Only a token opens them: behind a proxy on this machine, every request comes from this machine.
 */
export function metricsRoutes({ metrics }: Deps): Routes {
	return {
		"/metrics": {
			GET: operation({
				summary:
					"Get the server's numbers for Prometheus, with METRICS_TOKEN as bearer token",
				access: "anyone",
				isAlwaysAnswered: true,
				answers: { 200: { "text/plain": z.string() } },
				failures: [401, 404],
				async handle({ request, response }) {
					if (!metrics) throw new HttpError(404, "Not found");
					if (!metrics.isFor(request.get("authorization")))
						throw new HttpError(401, "Unauthorized");
					response
						.type("text/plain; version=0.0.4; charset=utf-8")
						.send(await metrics.text());
				},
			}),
		},
	};
}
