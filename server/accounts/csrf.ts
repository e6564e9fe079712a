import type { Request } from "express";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

export function isChange({ method }: Request): boolean {
	return !safeMethods.has(method);
}

/**
 * Whether another site's page caused a request. Browsers send an Origin with every change; a request without Origin and
 * fetch metadata doesn't come from a browser, so it can't abuse a cookie.
 */
export function isCrossSite({ headers }: Request): boolean {
	const site = headers["sec-fetch-site"];
	if (site !== undefined) return site !== "same-origin" && site !== "none";
	const { origin, host } = headers;
	if (origin === undefined) return false;
	return !URL.canParse(origin) || new URL(origin).host !== host;
}
