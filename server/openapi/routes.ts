import * as z from "zod";
import { styleNonce } from "../http/headers.ts";
import { operation, type Routes } from "../http/operation.ts";
import { toOpenApi } from "./document.ts";
import { toPage } from "./page.ts";

/** A placeholder in the rendered page, replaced with a new nonce in each response. */
const placeholder = "nonce-of-this-answer";

/** Routes of the OpenAPI document, which describes all mounted routes including its own. */
export function docsRoutes(described: Routes, render = toPage): Routes {
	const routes: Routes = {
		"/api/openapi.json": {
			GET: operation({
				summary: "Get this API description as OpenAPI",
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
				summary: "Get this API description as a page",
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

	/** Built on the first request, to keep the start of a till fast. */
	function document() {
		made ??= toOpenApi({ ...described, ...routes });
		return made;
	}

	return routes;
}
