import * as z from "zod";
import { styleNonce } from "../headers.ts";
import { toOpenApi } from "../openapi/document.ts";
import { toPage } from "../openapi/page.ts";
import { operation, type Routes } from "../routes.ts";

/** The description of everything that is mounted, these two included. */
export function docsRoutes(described: Routes): Routes {
	const routes: Routes = {
		"/api/openapi.json": {
			GET: operation({
				summary: "This description, for programs",
				access: "anyone",
				answers: { 200: z.record(z.string(), z.unknown()) },
				async handle({ response }) {
					response.json(document());
				},
			}),
		},

		"/api/docs": {
			GET: operation({
				summary: "This description, for people",
				access: "anyone",
				answers: { 200: { "text/html": z.string() } },
				async handle({ response }) {
					response.type("html").send(toPage(document(), styleNonce(response)));
				},
			}),
		},
	};
	let made: ReturnType<typeof toOpenApi> | undefined;

	/** Made when it is first asked for: a till that starts has better things to do. */
	function document() {
		made ??= toOpenApi({ ...described, ...routes });
		return made;
	}

	return routes;
}
