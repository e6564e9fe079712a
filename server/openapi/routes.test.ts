import express from "express";
import { expect, test, vi } from "vitest";
import { toPage } from "./page.ts";
import { docsRoutes } from "./routes.ts";

test("the API page is rendered once, and each response has its own nonce", async () => {
	const render = vi.fn(toPage);
	const docs = docsRoutes({}, render)["/api/docs"]?.GET;
	const pages: string[] = [];
	for (const styleNonce of ["first", "second", "$&"]) {
		const response = Object.create(express.response);
		Object.assign(response, {
			locals: { styleNonce },
			type: () => response,
			send: (page: string) => pages.push(page),
		});
		await docs?.handle({ response } as never);
	}
	expect(render).toHaveBeenCalledTimes(1);
	const nonces = pages.map((page) => /<style nonce="([^"]+)">/.exec(page)?.[1]);
	expect(nonces).toEqual(["first", "second", "$&"]);
});
