import * as z from "zod";
import { styleNonce } from "../http/headers.ts";
import { operation, type Routes } from "../http/operation.ts";
import { toOpenApi } from "./document.ts";
import { toPage } from "./page.ts";

/** Where each answer's own nonce goes in the page that all share. */
const placeholder = "nonce-of-this-answer";

/** The description of everything that is mounted, these two included. */
export function docsRoutes(described: Routes, render = toPage): Routes {
	const routes: Routes = {
		"/api/openapi.json": {
			GET: operation({
				summary: "This description, for programs",
				access: "anyone",
				answers: { 200: z.record(z.string(), z.unknown()) },
				async handle({ response }) {
					json ??= JSON.stringify(document());
					response.type("json").send(json);
				},
			}),
		},

		"/api/docs": {
			GET: operation({
				summary: "This description, for people",
				access: "anyone",
				answers: { 200: { "text/html": z.string() } },
				async handle({ response }) {
					page ??= render(document(), placeholder);
					const nonce = styleNonce(response);
					response.type("html").send(page.replace(placeholder, () => nonce));
				},
			}),
		},
	};
	let made: ReturnType<typeof toOpenApi> | undefined;
	let json: string | undefined;
	let page: string | undefined;

	/** Made when it is first asked for: a till that starts has better things to do. */
	function document() {
		made ??= toOpenApi({ ...described, ...routes });
		return made;
	}

	return routes;
}
